"""Columns read as the rows that they stand for."""

import pytest

from dyncli.records.columns import Gradients, ScopeRows, integers
from dyncli.records.model import Gradient, Scope, Site

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


def _scopes():
    site = Site("0123456789ab", "model.py", 3, 4, 3, 9, "for", "x in xs", "f")
    rows = ScopeRows()
    rows.append(None, "root", "f", None, None, None)
    rows.append(0, "iteration", "x in xs", site, 0, 2)
    rows.append(0, "iteration", "x in xs", site, 1, 5)
    root, first = Scope(0, None, "root", "f"), Scope(1, 0, "iteration", "x in xs", site, 0, 2)
    return rows, (root, first, Scope(2, 0, "iteration", "x in xs", site, 1, 5))


def test_scopes_read_as_the_rows_that_were_appended():
    rows, expected = _scopes()
    assert expected == rows
    assert expected[1:] == rows[1:]
    assert expected[-1] == rows[-1]
    assert [*reversed(expected)] == [*reversed(rows)]


def test_scopes_past_the_last_raise_index_error():
    with pytest.raises(IndexError):
        _scopes()[0][3]


def test_scopes_whose_first_decisions_are_dropped_lead_to_the_others():
    rows, _ = _scopes()
    rows.drop_decisions(3)
    assert [None, None, 2] == [scope.decision for scope in rows]


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
