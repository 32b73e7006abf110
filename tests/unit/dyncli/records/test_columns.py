"""Columns read as the rows that they stand for."""

import pytest

from dyncli.records.columns import Gradients, integers
from dyncli.records.model import Gradient

LEAF = Gradient("w", 1, "parameter", 9)


def test_gradients_read_as_rows_of_leaves_and_then_of_intermediate_values():
    found = Gradients([LEAF], [(700, 10), (800, 11)], {800: "h"})
    rows = (LEAF, Gradient("t700", 700, "intermediate", 10), Gradient("h", 800, "intermediate", 11))
    assert rows == found
    assert rows == (*found,)
    assert rows[1:] == found[1:]
    assert rows[-1] == found[-1]
    assert hash(rows) == hash(found)
    assert found != rows[:2]
    assert 3 == len(found)


def test_gradients_without_any_are_false():
    assert not Gradients([], [], {})


@pytest.mark.parametrize(
    ("numbers", "size"), [([0, 2**32 - 1], 4), ([-1, 5], 8), ([2**32], 8), ([-(2**63), 2**63 - 1], 8)]
)
def test_integers_take_four_bytes_where_they_fit(numbers, size):
    found = integers(numbers)
    assert numbers == list(found)
    assert size == found.itemsize


@pytest.mark.parametrize("numbers", [[2**63], [-1, 2**63], [-(2**63) - 1]])
def test_integers_that_fit_nowhere_raise_overflow_error(numbers):
    with pytest.raises(OverflowError):
        integers(numbers)
