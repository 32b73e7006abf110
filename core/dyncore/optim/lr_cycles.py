"""Learning rates that go up and down, that wait for progress, and schedules made of others."""

from __future__ import annotations

import math
import types
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from dyncore.errors.advice import advise
from dyncore.optim.lr_base import LRScheduler, _plain, _put
from dyncore.optim.optimizer import Optimizer


def each_of(name: str, given: Any, count: int) -> list[Any]:
    """Return one value for each of `count` groups.  Raises ValueError if another number is given."""
    if not isinstance(given, (list, tuple)):
        return [given] * count
    if len(given) != count:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(given)} values, "
            f"param_groups has {count}."
        )
    return list(given)


class _CyclesMomentum(LRScheduler):
    """Base of schedules that lower the momentum, or beta1, while the rate is high."""

    def _start_momentum(
        self, optimizer: Optimizer, low: Any, high: Any, last_epoch: int
    ) -> tuple[list[Any], list[Any]]:
        """Set the momentum of each group to its highest; return the lowest and highest of each."""
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in optimizer.defaults
        count = len(optimizer.param_groups)
        lows, highs = each_of("base_momentum", low, count), each_of("max_momentum", high, count)
        if last_epoch == -1:
            for group, low, high in zip(optimizer.param_groups, lows, highs):
                self._put_momentum(group, high)
                group["max_momentum"], group["base_momentum"] = high, low
        return lows, highs

    def _put_momentum(self, group: dict[str, Any], value: float) -> None:
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


class CyclicLR(_CyclesMomentum):
    """Learning rate that rises from base_lr to max_lr and falls again, repeatedly."""

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.8,
        max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:
        groups = optimizer.param_groups
        if last_epoch == -1:
            for group, low in zip(groups, each_of("base_lr", base_lr, len(groups))):
                _put(group, low)
        self.max_lrs = each_of("max_lr", max_lr, len(groups))
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up + down)
        self.step_ratio = step_size_up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        scales: dict[str, tuple[Callable[[float], float], str]] = {
            "triangular": (lambda x: 1.0, "cycle"),
            "triangular2": (lambda x: 1 / 2.0 ** (x - 1), "cycle"),
            "exp_range": (lambda x: self.gamma**x, "iterations"),
        }
        self._custom = scale_fn
        self._scale, self.scale_mode = scales[mode] if scale_fn is None else (scale_fn, scale_mode)
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            limits = self._start_momentum(optimizer, base_momentum, max_momentum, last_epoch)
            self.base_momentums, self.max_momentums = limits
        super().__init__(optimizer, last_epoch)
        self.base_lrs = each_of("base_lr", base_lr, len(groups))

    def scale_fn(self, x: float) -> float:
        """Return the factor of a cycle's height."""
        return self._scale(x)

    def state_dict(self) -> dict[str, Any]:
        state = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "_scale", "_custom")}
        plain = self._custom is None or isinstance(self._custom, types.FunctionType)
        return {**state, "_scale_fn_custom": None if plain else dict(self._custom.__dict__)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        given = dict(state_dict)
        held = given.pop("_scale_fn_custom", None)
        if held is not None:
            self._custom.__dict__.update(held)
        self.__dict__.update(given)

    def get_lr(self) -> list[Any]:
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        part = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        position = cycle if self.scale_mode == "cycle" else self.last_epoch
        rates = [base + (high - base) * part * self._scale(position) for base, high in zip(self.base_lrs, self.max_lrs)]
        if self.cycle_momentum:
            for group, low, high in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                self._put_momentum(group, high - (high - low) * part * self._scale(position))
        return rates


_PHASE = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")


class OneCycleLR(_CyclesMomentum):
    """One cycle: up to max_lr, then down to almost nothing; momentum the other way."""

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        self.total_steps = _total(total_steps, epochs, steps_per_epoch)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        top = float(pct_start * self.total_steps) - 1
        phases: list[tuple[Any, ...]] = [(top, "initial_lr", "max_lr", "max_momentum", "base_momentum")]
        if three_phase:
            phases.append((2 * top, "max_lr", "initial_lr", "base_momentum", "max_momentum"))
            phases.append((self.total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"))
        else:
            phases.append((self.total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum"))
        self._schedule_phases: list[dict[str, Any]] = [dict(zip(_PHASE, each)) for each in phases]
        self._anneal_func_type = anneal_strategy
        groups = optimizer.param_groups
        if last_epoch == -1:
            for group, high in zip(groups, each_of("max_lr", max_lr, len(groups))):
                group["initial_lr"] = high / div_factor
                group["max_lr"] = high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(optimizer, base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _between(self, start: float, end: float, part: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)

    def get_lr(self) -> list[Any]:
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        rates = []
        for group in self.optimizer.param_groups:
            start = 0.0
            for number, phase in enumerate(self._schedule_phases):
                end, rate0, rate1, momentum0, momentum1 = (phase[name] for name in _PHASE)
                if step <= end or number == len(self._schedule_phases) - 1:
                    part = (step - start) / (end - start)
                    rates.append(self._between(group[rate0], group[rate1], part))
                    if self.cycle_momentum:
                        self._put_momentum(group, self._between(group[momentum0], group[momentum1], part))
                    break
                start = end
        return rates


def _total(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    if total_steps is not None:
        if total_steps <= 0 or not isinstance(total_steps, int):
            raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
        return total_steps
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    if not isinstance(epochs, int) or epochs <= 0:
        raise ValueError(f"Expected positive integer epochs, but got {epochs}")
    if not isinstance(steps_per_epoch, int) or steps_per_epoch <= 0:
        raise ValueError(f"Expected positive integer steps_per_epoch, but got {steps_per_epoch}")
    return epochs * steps_per_epoch


def _check_one_optimizer(title: str, schedulers: Sequence[LRScheduler], optimizer: Optimizer) -> None:
    """Raise ValueError unless all schedulers set the rates of `optimizer`, by the epoch alone."""
    for number, scheduler in enumerate(schedulers):
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(
                f"{title} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be "
                f"specified when calling `step`, but got one at index {number} in the given schedulers sequence."
            )
        if scheduler.optimizer is not optimizer:
            raise ValueError(
                f"{title} expects all schedulers to belong to the same optimizer, but got scheduler "
                f"{type(scheduler).__name__} at index {number} has {scheduler.optimizer}, which is different from "
                f"{type(optimizer).__name__}."
            )


class SequentialLR(LRScheduler):
    """Several schedulers, each starting at one of the milestones."""

    def __init__(
        self, optimizer: Optimizer, schedulers: Sequence[LRScheduler], milestones: Sequence[int], last_epoch: int = -1
    ) -> None:
        if not schedulers:
            raise ValueError(f"{type(self).__name__} expects at least one scheduler, but got no scheduler.")
        _check_one_optimizer(type(self).__name__, schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
                f"milestone points, but got number of schedulers {len(schedulers)} and the number of milestones to be "
                f"equal to {len(milestones)}"
            )
        self._schedulers = list(schedulers)
        self._milestones = list(milestones)
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            _put(group, group["initial_lr"])
        for scheduler in self._schedulers:
            scheduler.last_epoch -= 1
        first = self._schedulers[0]
        first._step_count = 0
        first._is_initial = True
        first.step()
        first._is_initial = False
        self._last_lr = first.get_last_lr()

    def step(self, epoch: Any = None) -> None:
        """Advance by one epoch."""
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[number]
        if number > 0 and self._milestones[number - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        state = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "_schedulers")}
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        given = dict(state_dict)
        for scheduler, state in zip(self._schedulers, given.pop("_schedulers")):
            scheduler.load_state_dict(state)
        self.__dict__.update(given)


class ChainedScheduler(LRScheduler):
    """Several schedulers at once: each changes the rates that the one before set."""

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        if not schedulers:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler to be chained, but got no scheduler."
            )
        optimizer = optimizer or schedulers[0].optimizer
        _check_one_optimizer(type(self).__name__, schedulers, optimizer)
        self._schedulers = list(schedulers)
        self.optimizer = optimizer
        self._last_lr = [_plain(group["lr"]) for group in self._schedulers[-1].optimizer.param_groups]

    def step(self, epoch: Any = None) -> None:
        """Advance every scheduler by one epoch."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = [_plain(group["lr"]) for group in self._schedulers[-1].optimizer.param_groups]

    state_dict = SequentialLR.state_dict
    load_state_dict = SequentialLR.load_state_dict


class ReduceLROnPlateau(LRScheduler):
    """Learning rate times `factor` after `patience` epochs without improvement."""

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        if mode not in ("min", "max"):
            raise ValueError("mode " + mode + " is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError("threshold mode " + threshold_mode + " is unknown!")
        self.optimizer = optimizer
        self.factor = factor
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        count = len(optimizer.param_groups)
        self.min_lrs = list(min_lr) if self.default_min_lr is None else [min_lr] * count
        if len(self.min_lrs) != count:
            raise ValueError(f"expected {count} min_lrs, got {len(self.min_lrs)}")
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = [_plain(group["lr"]) for group in optimizer.param_groups]
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self._reset()

    def _reset(self) -> None:
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    @property
    def in_cooldown(self) -> bool:
        """Return True while bad epochs do not count, after a reduction."""
        return self.cooldown_counter > 0

    def is_better(self, a: float, best: float) -> bool:
        """Return True if `a` improves on `best` by more than the threshold."""
        sign = -1.0 if self.mode == "min" else 1.0
        if self.threshold_mode == "rel":
            limit = best * (1.0 + sign * self.threshold)
        else:
            limit = best + sign * self.threshold
        return a < limit if self.mode == "min" else a > limit

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Record the metric of one epoch and reduce the rates if it stalls."""
        current = float(metrics)
        if epoch is not None:
            advise("epoch")
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = [_plain(group["lr"]) for group in self.optimizer.param_groups]

    def _reduce(self) -> None:
        count, before = len(self.optimizer.param_groups), len(self.min_lrs)
        if count != before:
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"The number of param groups in the `optimizer` ({count}) differs from when `ReduceLROnPlateau` "
                    f"was initialized ({before}), usually due to a new param group being added to the optimizer. "
                    "Please modify the `min_lrs` field to match the length of the `optimizer` param groups."
                )
            self.min_lrs = [self.default_min_lr] * count
        for group, low in zip(self.optimizer.param_groups, self.min_lrs):
            lower = max((rate := float(group["lr"])) * self.factor, low)
            if rate - lower > self.eps:
                _put(group, lower)
