"""Which numbers and statistics agree."""

from __future__ import annotations

import math

import pytest

from dyncli.analysis.diff import EXACT, Tolerance
from dyncli.records.model import Stats, TensorSummary

CLOSE = Tolerance(rtol=0.1)


@pytest.mark.parametrize(
    ("a", "b", "exact", "close"),
    [
        (1.0, 1.0, True, True),
        (1.0, 1.05, False, True),
        (1.0, 1.105, False, True),  # within a tenth of the larger number alone
        (1.0, 1.2, False, False),
        (math.nan, math.nan, True, True),
        (math.nan, 1.0, False, False),
        (math.inf, math.inf, True, True),
        (math.inf, 1.0, False, False),
        (math.inf, -math.inf, False, False),
        (0.0, -0.0, True, True),
    ],
)
def test_numbers_agree_within_the_tolerance(a: float, b: float, exact: bool, close: bool) -> None:
    """Infinity is near nothing but itself; neither number comes first."""
    for one, other in ((a, b), (b, a)):
        assert (exact, close) == (EXACT.numbers(one, other), CLOSE.numbers(one, other))


def test_dtype_counts_unless_it_is_left_out() -> None:
    """Values are compared then, whatever they were kept as."""
    one, other = (TensorSummary(0, (2,), dtype, values=(1.0, 2.0)) for dtype in ("float32", "float64"))
    assert (False, True) == (EXACT.tensors(one, other), Tolerance(dtypes=False).tensors(one, other))
    assert not Tolerance(dtypes=False).tensors(one, other._replace(shape=(2, 1)))


def summarised(**stats: object) -> TensorSummary:
    """Return a large tensor of which only statistics are known."""
    known = {"min": -1.0, "max": 1.0, "mean": 0.0, "norm": 2.0, "zeros": 3}
    return TensorSummary(0, (50,), "float32", stats=Stats(**{**known, **stats}))


@pytest.mark.parametrize(
    ("stats", "exact", "close"),
    [
        ({}, True, True),
        ({"zeros": 4}, False, True),
        ({"max": 1.05}, False, True),
        ({"norm": 3.0}, False, False),
        ({"nan": 1}, False, False),
        ({"inf": 1}, False, False),
    ],
)
def test_statistics_agree_within_the_tolerance(stats: dict[str, object], exact: bool, close: bool) -> None:
    """The count of zeros matters only where everything has to be equal; NaN and infinity always do."""
    one, other = summarised(), summarised(**stats)
    assert (exact, close) == (EXACT.tensors(one, other), CLOSE.tensors(one, other))
