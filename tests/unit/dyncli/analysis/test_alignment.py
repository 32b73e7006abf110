"""Pairs of two runs in one order."""

from __future__ import annotations

import pytest

from dyncli.analysis.diff.align import _merged
from dyncli.analysis.diff.model import Pair


@pytest.mark.parametrize(
    ("partner", "count_a", "count_b", "expected"),
    [
        ({}, 2, 1, [(0, None), (1, None), (None, 0)]),
        ({0: 0, 1: 1}, 2, 2, [(0, 0), (1, 1)]),
        ({1: 1}, 2, 3, [(0, None), (None, 0), (1, 1), (None, 2)]),
        ({0: 2, 1: 0}, 2, 4, [(None, 1), (0, 2), (1, 0), (None, 3)]),
    ],
)
def test_every_item_stands_once_though_pairs_cross(
    partner: dict[int, int], count_a: int, count_b: int, expected: list[tuple[int | None, int | None]]
) -> None:
    """In the order of the first run; what only the second has stands before what it came before."""
    assert [Pair(*each) for each in expected] == _merged(partner, count_a, count_b)
