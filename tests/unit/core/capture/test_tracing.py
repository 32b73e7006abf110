"""Blocks that write over what they have made are looked into, and give the bits they give otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore.capture.steps import Slot, Trace
from dyncore.capture.tracing import Tracer, Untraceable
from dyncore.engine import sequence
from tests.unit.core.capture.check import bits


def traced(function: Callable[[Any], Any], array: Any) -> tuple[Any, int]:
    """What the function gives on symbols, and in how many steps."""
    program = Trace()
    found = Tracer(program).call(function, (program.slot(array, "external"),), {})
    return found.value, len(program.steps)


def softmax(x: Any) -> Any:
    e = x - x[x.argmax(), ...]
    np.exp(e, e)
    return np.divide(e, e.dot(np.ones(len(e), e.dtype)), e)


def by_row(x: Any) -> Any:
    y = x.reshape(1, -1) * 2
    row = y[0]
    np.add(row, x, row)
    return y


def through_a_name(x: Any) -> Any:
    return METHOD(x, x) + x.sum()


METHOD = np.ndarray.dot


def unpacked(x: Any) -> Any:
    first, *rest = x.reshape(3, -1)
    return first + rest[1]


@pytest.mark.parametrize("function", [softmax, by_row, through_a_name, unpacked], ids=lambda each: each.__name__)
def test_the_same_bits(function: Callable[[Any], Any]) -> None:
    """As on the array itself."""
    array = np.random.default_rng(0).standard_normal(6).astype("f4")
    expected = function(array.copy())
    value, steps = traced(function, array)
    assert expected.tobytes() == np.asarray(value).tobytes() and steps > 1


def over_its_argument(x: Any) -> Any:
    return np.add(x, 1, x)


def over_a_part(x: Any) -> Any:
    y = x * 2
    part = y[:2]
    np.add(part, 1, part)
    return y


def under_a_view(x: Any) -> Any:
    y = x * 2
    held = y[1:]
    np.add(y, 1, y)
    return held


def with_another_dtype(x: Any) -> Any:
    y = x * 2
    return np.add(y, np.ones(6), y)


def into_an_array_of_its_own(x: Any) -> Any:
    total = np.zeros((), x.dtype)
    np.sum(x, out=total)
    return x + total


WRITERS = [over_its_argument, over_a_part, under_a_view, with_another_dtype, into_an_array_of_its_own]


@pytest.mark.parametrize("function", WRITERS)
def test_what_others_may_see_is_not_looked_into(function: Callable[[Any], Any]) -> None:
    """An argument, a part of an array, an array that a part of is held: the block is one step then."""
    with pytest.raises(Untraceable):
        traced(function, np.ones(6, "f4"))


def test_a_refused_block_leaves_nothing_behind() -> None:
    """No steps, no slots."""
    program = Trace()
    slot = program.slot(np.ones(6, "f4"), "external")
    with pytest.raises(Untraceable):
        Tracer(program).call(under_a_view, (slot,), {})
    assert isinstance(slot, Slot) and (1, 0) == program.here()


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_a_row_added_to_few_rows_has_a_written_backward(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum over two or three rows is a product with ones, which kept the backward from being written down."""
    monkeypatch.setattr(sequence, "used", False)  # whatever tests ran before: numbered nodes have no such backward
    torch.manual_seed(0)
    x, b, w = torch.randn(rows, 4), torch.randn(1, 8).requires_grad_(), torch.randn(4, 8).requires_grad_()
    compiled = torch.compile(lambda x: (torch.tanh(x @ w + b).sum(0) * 2).sum())
    found = []
    for _ in range(4):
        b.grad = w.grad = None
        y = compiled(x)
        node = y._edge
        y.backward()
        found.append((bits(b.grad), bits(w.grad)))
    assert 1 == len(set(found))
    assert all(node.segment.straight.values()) and node.segment.straight, "the backward ran node by node"


def test_the_same_with_the_same_number_is_computed_once() -> None:
    """`x * 2` stands twice, each time with a number of its own; 0.0 and -0.0 are two numbers."""

    def twice(x: Any) -> Any:
        return (x * 2).sin() + (x * 2).cos() + x * 0.0 - x * -0.0

    x = torch.tensor([1.0, -3.0, 0.5])
    compiled = torch.compile(twice)
    for _ in range(3):
        assert bits(twice(x)) == bits(compiled(x))
    ((root,),) = compiled._roots.values()
    found = [step.function for step in root.text[0].steps]
    assert 3 == found.count(np.multiply), root.plan[0].text
