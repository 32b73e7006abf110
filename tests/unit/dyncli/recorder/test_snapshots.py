"""Snapshots of watched values: equal for equal values."""

import math

import numpy as np
import pytest

import dyncore as torch
from dyncli.recorder.debug.snapshots import same, snapshot


@pytest.mark.parametrize(
    "value",
    [math.nan, torch.tensor([1.0, math.nan]), np.array([math.nan]), [math.nan, 1], {"a": torch.tensor(math.nan)}],
    ids=["float", "tensor", "array", "list", "dict"],
)
def test_value_with_nan_that_stays_has_not_changed(value: object) -> None:
    """NaN is not equal to itself, and a watched name would be printed at each line."""
    assert same(snapshot(value), snapshot(value))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (torch.tensor([1.0]), torch.tensor([1.0, 1.0])),
        ([1], (1,)),
        ({"a": 1}, {"a": 2}),
        (np.ones(1), np.ones(1, int)),
        ([1], [1, 2]),
        (np.ones(1), 1.0),
    ],
    ids=["type", "bool", "shape", "container", "item", "dtype", "length", "array"],
)
def test_value_of_other_type_shape_or_item_has_changed(one: object, other: object) -> None:
    """Also where Python calls the two equal."""
    assert not same(snapshot(one), snapshot(other))


def test_write_into_a_watched_tensor_is_a_change() -> None:
    """The snapshot is a copy."""
    tensor = torch.zeros(3)
    before = snapshot(tensor)
    tensor[1] = 1
    assert not same(before, snapshot(tensor))
