"""The benchmark's floor computes what the engine computes: without that its times would say nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyncore
from tests.bench.floor import namespace
from tests.bench.floor.by_hand import ROWS
from tests.bench.suite import WORKLOADS

SMALL = [each for each in WORKLOADS.values() if each.group == "small"]


def same(found: list[Any], expected: list[Any]) -> bool:
    """Whether gradients agree to 1e-12 of the largest element."""
    pairs = zip(arrays(found), arrays(expected), strict=True)
    return all(np.max(np.abs(a - b)) <= 1e-12 * np.max(np.abs(b)) for a, b in pairs)


def arrays(found: list[Any]) -> list[Any]:
    return [np.array(each.numpy() if hasattr(each, "numpy") else each) for each in found]


@pytest.mark.parametrize("row", SMALL, ids=[each.name for each in SMALL])
def test_the_same_gradients(row: Any) -> None:
    """Of an engine without features, and of NumPy by hand."""
    expected = row.make(dyncore, dyncore.float64)()
    assert same(row.make(namespace, namespace.float64)(), expected)
    if row.name in ROWS:
        assert same(ROWS[row.name](True)(), expected)


def test_rows_by_hand_are_rows_of_the_suite() -> None:
    """None is compared with nothing."""
    assert set(ROWS) <= {each.name for each in SMALL}
