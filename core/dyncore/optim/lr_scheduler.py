"""Learning rates that change over time."""

from __future__ import annotations

import functools
import math
import types
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from dyncore.errors.advice import advise
from dyncore.errors.explain import missing_in, warn
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
                    "last_epoch >= "
                    "0.\nThis typically happens when:\n1. You're trying to resume training from a checkpoint but "
                    "haven't "
                    "properly loaded the optimizer state\n2. You're using last_epoch >= 0 for a fresh training run "
                    "(not "
                    "recommended)"
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


class LambdaLR(LRScheduler):
    """Initial learning rate times a function of the epoch."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.lr_lambdas = _functions(lr_lambda, optimizer)
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        state = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "lr_lambdas")}
        state["lr_lambdas"] = [
            None if isinstance(each, types.FunctionType) else dict(each.__dict__) for each in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        given = dict(state_dict)
        held = given.pop("lr_lambdas")
        self.__dict__.update(given)
        for function, values in zip(self.lr_lambdas, held):
            if values is not None:
                function.__dict__.update(values)

    def get_lr(self) -> list[Any]:
        return [base * function(self.last_epoch) for function, base in zip(self.lr_lambdas, self.base_lrs)]


def _functions(given: Any, optimizer: Optimizer) -> list[Callable[[int], float]]:
    count = len(optimizer.param_groups)
    if not isinstance(given, (list, tuple)):
        return [given] * count
    if len(given) != count:
        raise ValueError(f"Expected {count} lr_lambdas, but got {len(given)}")
    return list(given)


class MultiplicativeLR(LambdaLR):
    """Learning rate times a function of the epoch, every epoch."""

    def get_lr(self) -> list[Any]:
        if self._is_initial:
            return self._current()
        return [rate * function(self.last_epoch) for function, rate in zip(self.lr_lambdas, self._current())]


class StepLR(LRScheduler):
    """Learning rate times gamma every `step_size` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        if self.last_epoch == 0 or self.last_epoch % self.step_size:
            return self._current()
        return [rate * self.gamma for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Learning rate times gamma at each of the milestones."""

    def __init__(
        self, optimizer: Optimizer, milestones: Sequence[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        if self.last_epoch not in self.milestones:
            return self._current()
        return [rate * self.gamma ** self.milestones[self.last_epoch] for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Any]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Learning rate times `factor` until epoch `total_iters`."""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        if self.last_epoch == 0:
            return [rate * self.factor for rate in self._current()]
        if self.last_epoch != self.total_iters:
            return self._current()
        return [rate * (1.0 / self.factor) for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Any]:
        done = self.last_epoch >= self.total_iters
        return [base * (self.factor + done * (1 - self.factor)) for base in self.base_lrs]


class LinearLR(LRScheduler):
    """Learning rate times a factor that changes linearly.

    The factor goes from `start_factor` to `end_factor` in `total_iters` epochs.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in self._current()]
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._current()
        span = self.end_factor - self.start_factor
        factor = 1.0 + span / (self.total_iters * self.start_factor + (self.last_epoch - 1) * span)
        return [rate * factor for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Any]:
        part = min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * (self.start_factor + (self.end_factor - self.start_factor) * part) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Learning rate times gamma every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        if self._is_initial:
            return self._current()
        return [rate * self.gamma for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Learning rate times (1 - epoch / total_iters)^power."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._current()
        here, before = (1.0 - epoch / self.total_iters for epoch in (self.last_epoch, self.last_epoch - 1))
        return [rate * (here / before) ** self.power for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Any]:
        part = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * part**self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the initial rate to eta_min in T_max epochs, and back."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        low, period = self.eta_min, self.T_max
        if self._is_initial:
            return self._current()
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        if (self.last_epoch - 1 - period) % (2 * period) == 0:
            rise = (1 - math.cos(math.pi / period)) / 2
            return [rate + (base - low) * rise for base, rate in zip(self.base_lrs, self._current())]
        here, before = (1 + math.cos(math.pi * epoch / period) for epoch in (self.last_epoch, self.last_epoch - 1))
        return [here / before * (rate - low) + low for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Any]:
        part = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * part for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half cosines from the initial rate to eta_min, each T_mult times as long."""

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        part = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * part for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Advance by one epoch, or to `epoch`, which may be a fraction."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            if epoch < 0:
                raise ValueError(f"Expected non-negative epoch, but got {epoch}")
            self._place(epoch)
        self.last_epoch = math.floor(epoch)
        self._get_lr_called_within_step = True
        values = self.get_lr()
        self._get_lr_called_within_step = False
        for group, value in zip(self.optimizer.param_groups, values):
            _put(group, value)
        self._last_lr = [_plain(group["lr"]) for group in self.optimizer.param_groups]

    def _place(self, epoch: float) -> None:
        """Set the length of the current cosine and the position in it."""
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch  # type: ignore[assignment]
        elif self.T_mult == 1:
            self.T_i, self.T_cur = self.T_0, epoch % self.T_0  # type: ignore[assignment]
        else:
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**n


from dyncore.optim.lr_cycles import (  # noqa: E402
    ChainedScheduler,
    CyclicLR,
    OneCycleLR,
    ReduceLROnPlateau,
    SequentialLR,
)

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR",
    "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "OneCycleLR", "PolynomialLR",
    "ReduceLROnPlateau", "SequentialLR", "StepLR",
]  # fmt: skip

__getattr__ = missing_in(__name__)
