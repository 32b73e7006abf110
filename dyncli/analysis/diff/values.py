"""Comparison of two values, with a tolerance.

NaN agrees with NaN.  The tolerance takes the larger of both magnitudes, so that neither run comes first.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dyncli.analysis.changes import Change
from dyncli.analysis.values import stats_of
from dyncli.records.model import Stats, TensorSummary, Value

MEASURED = ("min", "max", "mean", "norm")
ROUGHLY = 1e-3  # how near a norm taken on the way, in the tensor's own precision, is to one taken in float64


class Tolerance(NamedTuple):
    """Numbers agree where |a - b| <= atol + rtol max(|a|, |b|).  dtypes: whether a dtype that differs counts."""

    rtol: float = 0.0
    atol: float = 0.0
    dtypes: bool = True

    @property
    def is_exact(self) -> bool:
        """True if only equal numbers agree."""
        return self.rtol == 0 and self.atol == 0

    def numbers(self, a: float, b: float) -> bool:
        """Return True if two numbers agree."""
        if a == b or (a != a and b != b):
            return True
        if self.is_exact or math.isinf(a) or math.isinf(b):
            return False
        try:
            return abs(a - b) <= self.atol + self.rtol * max(abs(a), abs(b))
        except OverflowError:
            return False

    def values(self, a: Value, b: Value) -> bool:
        """Return True if two plain values agree, number by number."""
        if _is_number(a) and _is_number(b):
            return self.numbers(a, b)  # type: ignore[arg-type]
        if isinstance(a, tuple) and isinstance(b, tuple):
            return a == b or (len(a) == len(b) and all(map(self.values, a, b)))
        if isinstance(a, dict) and isinstance(b, dict):
            return a.keys() == b.keys() and all(self.values(a[key], b[key]) for key in a)
        return type(a) is type(b) and a == b

    def tensors(self, a: TensorSummary, b: TensorSummary) -> bool:
        """Return True if two tensors agree, as far as they were kept.

        By their values or else by their statistics.
        """
        if a.shape != b.shape or (self.dtypes and a.dtype != b.dtype):
            return False
        if a.values is not None and b.values is not None:
            return self.values(elements(a), elements(b))
        if a.digest is not None and b.digest is not None and a.dtype == b.dtype:
            if a.digest == b.digest:
                return True
            if self.is_exact:
                return False
        first, second = stats_of(a), stats_of(b)
        return first is None or second is None or self._stats(first, second)

    def _stats(self, a: Stats, b: Stats) -> bool:
        if (a.nan, a.inf) != (b.nan, b.inf):
            return False
        if (a.min is None) != (b.min is None) and a.norm is not None and b.norm is not None:
            return math.isclose(a.norm, b.norm, rel_tol=max(self.rtol, ROUGHLY), abs_tol=self.atol)
        if a.min is not None and a.zeros != b.zeros and self.is_exact:
            return False
        pairs = [(getattr(a, name), getattr(b, name)) for name in MEASURED]
        return all(self.values(x, y) for x, y in pairs if x is not None and y is not None)

    def changes(self, change: Change) -> bool:
        """Return True if an output or gradient agrees in both runs.

        Two that are missing agree, whatever the reasons.
        """
        a, b = change.before, change.after
        if a is None or b is None:
            return False
        if a.tensor is not None and b.tensor is not None:
            return self.tensors(a.tensor, b.tensor)
        return a.tensor is b.tensor and self.values(a.value, b.value)


def is_known(a: TensorSummary, b: TensorSummary) -> bool:
    """Return True if agreeing tensors were compared element by element.

    Otherwise only their statistics were.
    """
    if a.values is not None and b.values is not None:
        return True
    return 0 in a.shape or (a.digest is not None and (a.dtype, a.digest) == (b.dtype, b.digest))


def elements(tensor: TensorSummary) -> tuple[Value, ...]:
    """Return the elements of a tensor; of complex numbers, which a record holds as text, both parts of each."""
    values = tuple(tensor.values or ())
    if not tensor.dtype.startswith("complex"):
        return values
    parts: list[Value] = []
    for value in values:
        try:
            number = complex(value) if isinstance(value, str) else value
        except ValueError:
            return values
        parts += [number.real, number.imag] if isinstance(number, complex) else [number]
    return tuple(parts)


def largest_difference(a: TensorSummary, b: TensorSummary) -> float | None:
    """Return the largest difference between two elements, or else two statistics.

    None if that says nothing.
    """
    if a.shape != b.shape:
        return None
    if a.values is not None and b.values is not None:
        return _largest(list(zip(elements(a), elements(b))))
    first, second = stats_of(a), stats_of(b)
    if first is None or second is None:
        return None
    pairs = [(getattr(first, name), getattr(second, name)) for name in ("min", "max", "mean")]
    return _largest([(x, y) for x, y in pairs if x is not None and y is not None]) or None


def _largest(pairs: list[tuple[Value, Value]]) -> float | None:
    largest = 0.0
    for a, b in pairs:
        if not _is_number(a) or not _is_number(b):
            return None
        if a == b or (a != a and b != b):
            continue
        try:
            gap = abs(float(a) - float(b))  # type: ignore[arg-type]
        except OverflowError:
            gap = math.inf
        if math.isnan(gap):
            return gap
        largest = max(largest, gap)
    return largest


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and type(value) is not bool
