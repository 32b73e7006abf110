"""The base of all learning rate schedulers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from dyncore.errors.advice import advise
from dyncore.errors.explain import warn
from dyncore.optim.optimizer import Optimizer, notice_steps
from dyncore.tensors.tensor import Tensor, storage


def _put(group: dict[str, Any], value: Any) -> None:
    if isinstance(group["lr"], Tensor):
        storage(group["lr"])[...] = value.item() if isinstance(value, Tensor) else value
    else:
        group["lr"] = value


class LRScheduler:
    """Sets the learning rate of every group at each `step()`.

    Subclasses compute the rates in `get_lr`.
    """

    _get_lr_called_within_step = False

    def __init_subclass__(cls) -> None:
        """Make the built-in schedulers warn when `get_lr` is called outside `step`."""
        if "get_lr" in cls.__dict__ and cls.__module__.startswith("dyncore."):
            cls.get_lr = _for_step(cls.get_lr)  # type: ignore

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                rate = group["lr"]
                group.setdefault("initial_lr", rate.clone() if isinstance(rate, Tensor) else rate)
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{number}] when resuming scheduler with "
                    "last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training from a "
                    "checkpoint but haven't properly loaded the optimizer state\n2. You're using last_epoch >= 0 for a "
                    "fresh training run (not recommended)"
                )
        notice_steps(optimizer)
        self.base_lrs = [_plain(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """Return all attributes but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from the state of another scheduler."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """Return the learning rates set last, one for each group."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """Return the next learning rate of every group."""
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        """Advance by one epoch, or to `epoch`, and set the learning rates."""
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                advise("step not wrapped")
            elif not getattr(self.optimizer, "_opt_called", False):
                advise("step first")
        self._step_count += 1
        if epoch is not None:
            advise("epoch")
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        if epoch is None:
            self.last_epoch += 1
        else:
            self.last_epoch = epoch
        closed = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
        self._get_lr_called_within_step = True
        values = self.get_lr() if closed is None else closed()
        self._get_lr_called_within_step = False
        for group, value in zip(self.optimizer.param_groups, values):
            _put(group, value)
        self._last_lr = [_plain(group["lr"]) for group in self.optimizer.param_groups]

    def _current(self) -> list[Any]:
        return [group["lr"] for group in self.optimizer.param_groups]


def _for_step(get_lr: Callable[[Any], list[Any]]) -> Callable[[Any], list[Any]]:
    """Wrap `get_lr` to warn, as PyTorch does, when it is called outside `step`."""

    @functools.wraps(get_lr)
    def asked(self: Any) -> list[Any]:
        if not self._get_lr_called_within_step:
            warn("To get the last learning rate computed by the scheduler, please use `get_last_lr()`.")
        return get_lr(self)

    return asked


def _plain(value: Any) -> Any:
    return value.clone() if isinstance(value, Tensor) else value


_LRScheduler = LRScheduler
