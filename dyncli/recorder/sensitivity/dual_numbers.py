"""Derivatives of tested values by the inputs: the collector that differentiates them as they are made.

A value is differentiated right after the op that made it: later its graph may be freed, its inputs overwritten.
A comparison of tensors has a margin, `a - b` for `a > b`; `logical_and` of two has the least, `any` the greatest.
Numbers that leave tensors by `item()` and `tolist()` carry their slope through Python's arithmetic (`Dual`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np

from dyncli.recorder.engine import TABLE, AccumulateGrad, Tensor, autograd, grad_mode, not_recorded
from dyncli.recorder.events.collectors import Collector
from dyncli.recorder.events.recorded_events import next_number

#: What an op made: ("op", its place in the event log, which output), or ("source", which of the tensors from before).
Made = tuple[str, int, int]
#: The gradient of one number: by the number of an input.
Slope = Mapping[int, Any]

MOST_SLOPES = 2_000  # tested values that are differentiated
MOST_ELEMENTS = 16  # of one of them
_SAME_ORDER = frozenset(
    {"__getitem__", "squeeze", "unsqueeze", "reshape", "view", "select", "flatten", "clone", "detach", "expand",
     "permute", "transpose", "narrow"}
)  # fmt: skip


class Dual(float):
    """A number that left a tensor, with its gradient; it behaves as the number everywhere else."""

    slope: Slope

    def __new__(cls, value: float, slope: Slope) -> Dual:
        made = super().__new__(cls, value)
        made.slope = slope
        return made

    def __reduce__(self) -> Any:
        return float, (float(self),)

    def __neg__(self) -> Dual:
        return Dual(-float(self), scaled(self.slope, -1.0))

    def __pos__(self) -> Dual:
        return self

    def __abs__(self) -> Dual:
        return -self if float(self) < 0 else self

    def __add__(self, other: Any) -> Any:
        return _linear(float(self).__add__(other), self, 1.0, other, 1.0)

    def __radd__(self, other: Any) -> Any:
        return _linear(float(self).__radd__(other), self, 1.0, other, 1.0)

    def __sub__(self, other: Any) -> Any:
        return _linear(float(self).__sub__(other), self, 1.0, other, -1.0)

    def __rsub__(self, other: Any) -> Any:
        return _linear(float(self).__rsub__(other), self, -1.0, other, 1.0)

    def __mul__(self, other: Any) -> Any:
        return _linear(float(self).__mul__(other), self, other, other, self)

    def __rmul__(self, other: Any) -> Any:
        return _linear(float(self).__rmul__(other), self, other, other, self)

    def __truediv__(self, other: Any) -> Any:
        value = float(self).__truediv__(other)
        if value is NotImplemented:
            return value
        below = float(other)
        return _linear(value, self, 1.0 / below, other, -float(self) / (below * below))

    def __rtruediv__(self, other: Any) -> Any:
        value = float(self).__rtruediv__(other)
        if value is NotImplemented:
            return value
        below = float(self)
        return _linear(value, self, -float(other) / (below * below), other, 1.0 / below)

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        value = float(self).__pow__(other)
        if type(other) not in (int, float) or type(value) is not float or not float(self):
            return value
        return Dual(value, scaled(self.slope, other * float(self) ** (other - 1)))


def _linear(value: Any, first: Any, by: Any, second: Any, by_second: Any) -> Any:
    """Attach the slope `by * first' + by_second * second'` to `value`, if Python could compute it."""
    if value is NotImplemented:
        return value
    slope = scaled(first.slope, float(by))
    if isinstance(second, Dual):
        slope = added(slope, scaled(second.slope, float(by_second)))
    return Dual(value, slope)


def scaled(slope: Slope, factor: float) -> Slope:
    """Multiply a slope by a number."""
    return slope if factor == 1.0 else {number: gradient * factor for number, gradient in slope.items()}


def added(first: Slope, second: Slope) -> Slope:
    """Add two slopes."""
    total = dict(first)
    for number, gradient in second.items():
        total[number] = total[number] + gradient if number in total else gradient
    return total


class Slopes(Collector):
    """Differentiates in a second run what the first one tested.

    wanted: what is tested, by where the first run made it.
    inputs: the tensors to differentiate by, by where they come from.  carry: whether numbers carry their slopes.
    margins: of a boolean result, by its number, how far it is from the other truth.
    slopes: the gradient of a tested number, or of a boolean's margin; `why_not` says why there is none.
    computed: the numbers among them that Python computed.
    """

    def __init__(self, wanted: frozenset[Made], inputs: Mapping[Made, int], *, carry: bool = True) -> None:
        self.wanted, self.places, self.carry = wanted, inputs, carry
        self.tensors: dict[int, Tensor] = {}  # the inputs, by their numbers in the first run
        self.margins: dict[int, Tensor] = {}
        self.values: dict[int, float] = {}
        self.slopes: dict[int, Slope] = {}
        self.elements: dict[int, list[Slope]] = {}
        self.computed: set[int] = set()
        self.why_not: dict[int, str] = {}
        self.readers = {Dual: lambda number: (float(number), self.number_of(number))}

    def after_op(self, op: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """Differentiate the results of an op that were tested."""
        with not_recorded():
            self._made(len(self.log.ops) - 1, op.name, args, kwargs, result)

    def source(self, number: int, tensor: Tensor) -> None:
        """Differentiate a tensor from before the run, if it was tested."""
        made = ("source", len(self.log.tensors.sources) - 1, 0)
        if made in self.places:
            self.tensors[self.places[made]] = tensor
        if made in self.wanted:
            with not_recorded():
                self._differentiate(number, tensor)

    def active(self) -> AbstractContextManager[None]:
        """Let numbers carry their slopes, if they are to."""
        return _carrying(self) if self.carry else nullcontext()

    def of_item(self, tensor: Tensor) -> Slope | None:
        """Return the slope of a one-element tensor; None if it has none."""
        return self.slopes.get(self.log.tensors.number(tensor))

    def number_of(self, value: Dual) -> int:
        """Give a number computed in Python an id of its own."""
        number = next_number()
        self.slopes[number], self.values[number] = value.slope, float(value)
        self.computed.add(number)
        return number

    def _made(self, place: int, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        results = result if isinstance(result, (tuple, list)) else (result,)
        for which, tensor in enumerate(results):
            if not isinstance(tensor, Tensor):
                continue
            made = ("op", place, which)
            if made in self.places:
                self.tensors[self.places[made]] = tensor
            if tensor._array.dtype.kind == "b":
                margin = self._margin(name, args, kwargs)
                if margin is not None:
                    self.margins[tensor._trace] = margin
            if made in self.wanted:
                self._differentiate(tensor._trace, tensor, name)

    def _margin(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Tensor | None:
        """Return how far each element of a boolean result is from the other truth, if that can be told."""
        with grad_mode.enable_grad():
            if name in _COMPARE:
                floats = [isinstance(arg, Tensor) and arg._array.dtype.kind == "f" for arg in args]
                return _COMPARE[name](*args) if any(floats) else None
            known = [self.margins.get(arg._trace) if isinstance(arg, Tensor) else None for arg in args[:2]]
            first = known[0] if known else None
            if first is None:
                return None
            if name in ("logical_not", "bitwise_not"):
                return -first
            if name in ("logical_and", "bitwise_and", "logical_or", "bitwise_or") and known[1] is not None:
                pick = "minimum" if name.endswith("and") else "maximum"
                return _call(pick, first, known[1])
            if name in ("any", "all"):
                return _call("amax" if name == "any" else "amin", first, *args[1:], **kwargs)
            if name in _SAME_ORDER:
                return _call(name, first, *args[1:], **kwargs)
        return None

    def _differentiate(self, number: int, tensor: Tensor, name: str = "") -> None:
        """Record the gradient of a tested tensor, or of its margin, by every input so far."""
        target = self.margins.get(number) if tensor._array.dtype.kind == "b" else tensor
        if target is None or target._array.dtype.kind != "f":
            self.why_not[number] = f"`{name}` has no derivative" if name else "it is no floating-point number"
        elif target._edge is None:
            self.why_not[number] = "no gradient is recorded there: `no_grad`, `detach`, or no input takes part"
        elif target._array.size > MOST_ELEMENTS:
            self.why_not[number] = f"only tensors of up to {MOST_ELEMENTS} elements are differentiated"
        elif len(self.slopes) >= MOST_SLOPES:
            self.why_not[number] = f"only the first {MOST_SLOPES:,} tested values are differentiated"
        else:
            decided = len(self.log.decisions)
            try:
                self._note_slopes(number, target)
            except Exception as error:
                self.why_not[number] = f"its derivative raises {type(error).__name__}"
            finally:
                del self.log.decisions[decided:]  # in hooks and autograd functions of the script

    def _note_slopes(self, number: int, target: Tensor) -> None:
        inputs = {key: each for key, each in self.tensors.items() if each._edge.__class__ is AccumulateGrad}
        elements: list[Slope] = []
        with grad_mode.enable_grad(), np.errstate(all="ignore"):
            flat = target.reshape(-1)
            for index in range(target._array.size):
                found = autograd.grad(flat[index], list(inputs.values()), retain_graph=True, allow_unused=True)
                pairs = zip(inputs, found, strict=True)
                elements.append({key: g._array.astype(np.float64) for key, g in pairs if g is not None and g.numel()})
        if len(elements) == 1:
            self.slopes[number], self.values[number] = elements[0], float(target._array.reshape(()))
        self.elements[number] = elements


def _call(name: str, *args: Any, **kwargs: Any) -> Tensor:
    made: Tensor = TABLE[name].entry(*args, **kwargs)
    return made


_COMPARE: dict[str, Callable[[Any, Any], Tensor]] = {
    "gt": lambda a, b: a - b,
    "ge": lambda a, b: a - b,
    "lt": lambda a, b: b - a,
    "le": lambda a, b: b - a,
    "eq": lambda a, b: -(a - b).abs(),
    "ne": lambda a, b: (a - b).abs(),
}


def _with_slopes(value: Any, slopes: Iterator[Slope]) -> Any:
    """Attach the slopes to the floats of a nested list, in order."""
    if type(value) is list:
        return [_with_slopes(each, slopes) for each in value]
    slope = next(slopes, None)
    return value if slope is None or type(value) is not float else Dual(value, slope)


@contextmanager
def _carrying(slopes: Slopes) -> Iterator[None]:
    """Make `item()` and `tolist()` return numbers with slopes."""
    item, tolist = Tensor.item, Tensor.tolist

    def carried(self: Tensor) -> Any:
        value = item(self)
        slope = slopes.of_item(self) if type(value) is float else None
        return value if slope is None else Dual(value, slope)

    def listed(self: Tensor) -> Any:
        value = tolist(self)
        elements = iter(slopes.elements.get(slopes.log.tensors.number(self), ()))
        return _with_slopes(value, elements)

    Tensor.item, Tensor.tolist = carried, listed  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        Tensor.item, Tensor.tolist = item, tolist  # type: ignore[method-assign]
