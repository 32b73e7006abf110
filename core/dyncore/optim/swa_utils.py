"""Averages of a model's weights over training: stochastic weight averaging and exponential moving averages."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from dyncore.creation.factory import tensor
from dyncore.errors.explain import missing_in
from dyncore.graph.modes import no_grad
from dyncore.nn import Module
from dyncore.optim.lr_cycles import each_of
from dyncore.optim.lr_scheduler import LRScheduler
from dyncore.optim.optimizer import Optimizer

__all__ = [
    "SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn", "get_swa_multi_avg_fn",
    "update_bn",
]  # fmt: skip

Average = Callable[[Any, Any, Any], Any]


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """Return the average that keeps the share `decay` of itself.

    Raises ValueError unless `decay` is in [0, 1].
    """
    _check(decay)
    return lambda average, current, count: decay * average + (1 - decay) * current


def get_swa_avg_fn() -> Average:
    """Return the mean of all values so far."""
    return lambda average, current, count: average + (current - average) / (count + 1)


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[[Any, Any, Any], None]:
    """Return `get_ema_avg_fn` for lists of tensors, in place."""
    _check(decay)

    def update(averages: Any, currents: Any, count: Any) -> None:
        for average, current in zip(averages, currents, strict=True):
            _towards(average, current, 1 - decay)

    return update


def get_swa_multi_avg_fn() -> Callable[[Any, Any, Any], None]:
    """Return `get_swa_avg_fn` for lists of tensors, in place."""

    def update(averages: Any, currents: Any, count: Any) -> None:
        for average, current in zip(averages, currents, strict=True):
            _towards(average, current, 1 / (int(count) + 1))

    return update


def _towards(average: Any, current: Any, share: float) -> None:
    """Move `average`, of any dtype, by `share` of the way to `current`."""
    average.copy_(average * (1 - share) + current * share)


def _check(decay: float) -> None:
    if not 0 <= decay <= 1:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


class AveragedModel(Module):
    """Copy of `model` whose weights are averages over `update_parameters` calls."""

    n_averaged: Any
    module: Any

    def __init__(
        self, model: Any, device: Any = None, avg_fn: Any = None, multi_avg_fn: Any = None, use_buffers: bool = False
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        self.register_buffer("n_averaged", tensor(0))
        self.avg_fn = avg_fn or get_swa_avg_fn()
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Any) -> None:
        """Add the weights of `model` to the averages; the first are copied."""
        ours, theirs = self._averaged(self.module), self._averaged(model)
        with no_grad():
            if int(self.n_averaged) == 0:
                for average, current in zip(ours, theirs, strict=True):
                    average.copy_(current.detach())
            elif self.multi_avg_fn is not None:
                self.multi_avg_fn(ours, theirs, self.n_averaged)
            else:
                for average, current in zip(ours, theirs, strict=True):
                    average.copy_(self.avg_fn(average.detach(), current.detach(), self.n_averaged))
            if not self.use_buffers:
                for mine, other in zip(self.module.buffers(), model.buffers(), strict=True):
                    mine.detach().copy_(other.detach())
            self.n_averaged += 1

    def _averaged(self, model: Any) -> list[Any]:
        both = itertools.chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()
        return [each.detach() for each in both]


def update_bn(loader: Iterable[Any], model: Any, device: Any = None) -> None:
    """Recompute the running statistics of the batch norms over `loader`."""
    momenta = {each: each.momentum for each in model.modules() if hasattr(each, "reset_running_stats")}
    if not momenta:
        return
    training = model.training
    model.train()
    for each in momenta:
        each.reset_running_stats()
        each.momentum = None
    with no_grad():
        for batch in loader:
            model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for each, momentum in momenta.items():
        each.momentum = momentum
    model.train(training)


class SWALR(LRScheduler):
    """Moves the learning rates to `swa_lr` in `anneal_epochs` steps, then keeps them."""

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        several = each_of("swa_lr", swa_lr, len(optimizer.param_groups))
        for rate, group in zip(several, optimizer.param_groups, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step: int) -> float:
        """Return the share of the way done after `step` steps, in [0, 1]."""
        part = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * part)) / 2 if self._anneal_strategy == "cos" else part

    def get_lr(self) -> list[Any]:
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(max(0, step - 1)), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            start = group["lr"] if before == 1 else (group["lr"] - before * group["swa_lr"]) / (1 - before)
            rates.append(group["swa_lr"] * now + start * (1 - now))
        return rates


__getattr__ = missing_in(__name__)
