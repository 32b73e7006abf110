"""Tell recorded values apart: by bits, keys and plain trees."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

import dyncore as torch
from dyncore.capture import steps
from dyncore.capture.steps import Slot

Pair = namedtuple("Pair", "a b")
ROWS = np.arange(6.0).reshape(2, 3)
NUMBER = np.float32(1.0)


def test_arrays_are_alike_in_class_dtype_shape_order_and_bits() -> None:
    """Signs of zero and NaN count; strides of one element and of none do not."""
    assert [True] * 5 == [
        steps.same_bits(ROWS, ROWS.copy()),
        steps.same_bits(NUMBER, np.float32(1.0)),
        steps.same_bits(np.array([np.nan]), np.array([np.nan])),
        steps.same_bits(ROWS[:1], np.asfortranarray(ROWS[:1])),
        steps.same_bits(np.zeros((0, 3)), np.zeros((3, 0)).T),
    ]
    assert [False] * 8 == [
        steps.same_bits(ROWS, ROWS.tolist()),
        steps.same_bits(3, 3),
        steps.same_bits(NUMBER, np.array(NUMBER)),
        steps.same_bits(ROWS, ROWS.astype(np.float32)),
        steps.same_bits(ROWS, ROWS.reshape(3, 2)),
        steps.same_bits(ROWS, np.asfortranarray(ROWS)),
        steps.same_bits(np.array([0.0]), np.array([-0.0])),
        steps.same_bits(NUMBER, np.float32(2.0)),
    ]


def test_keys_of_trees_tell_types_values_and_slots_apart() -> None:
    """Arrays that are large by what they are, small ones by their bits."""
    slot, large = Slot(7, "made", ROWS, None), np.zeros(5000)
    trees: list[Any] = [
        1, 1.0, True, "1", 1j, None, 0.0, -0.0, (1,), [1], {"a": 1}, {"a": 1.0}, slice(1), slice(1, 2), slot, (slot,),
        ROWS, ROWS.astype(np.float32), ROWS.T, ROWS + 1, NUMBER, np.array(NUMBER), large, large.copy(), Pair(1, 2),
        np.add, np.multiply, Ellipsis,
    ]  # fmt: skip
    assert len(trees) == len({steps.mark(each) for each in trees})
    assert [steps.mark(each) for each in trees] == [steps.mark(each) for each in trees]
    assert steps.mark(ROWS) == steps.mark(ROWS.copy())


def test_slots_are_found_and_replaced_in_trees() -> None:
    """In tuples, lists, dicts, slices and tuples with names."""
    one, two = Slot(1, "made", ROWS, None), Slot(2, "made", NUMBER, None)
    tree = [one, (two, 3), {"a": one}, slice(two, None, one), Pair(one, "x")]
    assert [one, two, one, two, one, one] == steps.slots_in(tree)
    expected = [1, (2, 3), {"a": 1}, slice(2, None, 1), Pair(1, "x")]
    assert expected == steps.mapped(tree, Slot, lambda slot: slot.number)


def test_plain_trees_have_nothing_that_may_change() -> None:
    """Numbers, texts, dtypes and devices are plain, arrays and tensors are not."""
    plain: list[Any] = [1, 1.0, "a", None, (1, [2.0]), {"a": 1}, torch.float32, np.dtype("f4"), torch.device("cpu")]
    others: list[Any] = [ROWS, [ROWS], {"a": NUMBER}, torch.ones(1), object()]
    assert [True] * len(plain) + [False] * len(others) == [steps.numbers_only(each) for each in [*plain, *others]]
    saved: list[Any] = [1, (1, [2]), slice(1, 2), ..., np.dtype("f4"), float, torch.float32]
    assert [False] * len(saved) == [steps.has_array(each) for each in saved]
    assert [True] * 4 == [steps.has_array(each) for each in (ROWS, [1, NUMBER], slice(NUMBER), object())]


def test_slots_stand_for_the_arrays_that_a_node_holds() -> None:
    """The same array or the same bits, in trees of one form, beside equal plain values."""
    slot = Slot(1, "made", ROWS, None)
    pairs: list[Any] = [
        (slot, ROWS), (slot, ROWS.copy()), ((slot, 1), [ROWS, 1]), ([slot, None, (2,)], (ROWS, None, (2,))),
        ((slot, slice(1)), (ROWS, slice(1))), (("a", 1.5), ("a", 1.5)), (object, object),
    ]  # fmt: skip
    assert [True] * len(pairs) == [steps.matches(*each) for each in pairs]
    others: list[Any] = [
        (slot, ROWS + 1), (slot, 3), ((slot,), (ROWS, 1)), (slot, (ROWS,)), ((slot, 1), (ROWS, 2)), (1, ROWS),
        ((1,), (ROWS,)), (3, (3,)), ([], object()),
    ]  # fmt: skip
    assert [False] * len(others) == [bool(steps.matches(*each)) for each in others]


def test_arrays_that_may_share_memory_overlap() -> None:
    """Views do, copies and numbers do not; a number is itself."""
    assert [True, True, True] == [
        steps.overlap(ROWS, ROWS),
        steps.overlap(ROWS, ROWS[1:]),
        steps.overlap(NUMBER, NUMBER),
    ]
    assert [False, False] == [steps.overlap(ROWS, ROWS.copy()), steps.overlap(NUMBER, np.float32(1.0))]


def test_outcomes_are_told_apart_by_type_and_text() -> None:
    """But 1 and True, which Python compares alike, are one key: each decision asks one of them."""
    seen = [0.0, -0.0, float("nan"), 1.0, "1", 1, (1,), None]
    assert len(seen) == len({steps.outcome(each) for each in seen})
    assert steps.outcome(float("nan")) == steps.outcome(float("nan"))
