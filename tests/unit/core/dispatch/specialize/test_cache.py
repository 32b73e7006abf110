"""A function is compiled after it was called often, for a listener and for none, and stays the same object."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore.dispatch import entries as dispatch
from dyncore.dispatch.registry import TABLE
from dyncore.dispatch.specialize.cache import WARM, function_of
from dyncore.graph import events
from tests.unit.dyncli.recorder.logs import whole_log


def facts(function: Any, leaf: Any, *others: Any) -> Any:
    """Return values, node, edges, line and gradient of a call, or its error."""
    leaf.grad = None
    try:
        result = function(leaf, *others)
    except (TypeError, RuntimeError) as error:
        return type(error), str(error)
    result.sum().backward()
    edges = [(None if node is None else node.name(), place) for node, place in result.grad_fn.next_functions]
    return result.tolist(), result.grad_fn.name(), edges, result.grad_fn.place, leaf.grad.tolist()


@pytest.mark.parametrize("name", ["tanh", "exp", "relu", "neg"])
def test_unary_function_gives_the_same_once_compiled(name: str) -> None:
    """Values to the bit, node, edges, line and gradient."""
    function = dispatch.entry(TABLE[name])
    x = torch.tensor([0.5, -1.5], requires_grad=True)
    found = [facts(function, x) for _ in range(WARM + 2)]
    assert all(each == found[0] for each in found)
    assert "warm" not in function.__code__.co_names


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "maximum", "atan2", "hypot"])
@pytest.mark.parametrize("other", [2.0, 3, True, "leaf", "row", "scalar", "constant"])
def test_binary_function_gives_the_same_once_compiled(name: str, other: Any) -> None:
    """Of every kind of second operand: values to the bit, node, edges, line and gradient."""
    function = dispatch.entry(TABLE[name])
    x = torch.tensor([[0.5, -1.5]], requires_grad=True)
    made = {"leaf": x, "row": torch.tensor([2.0, 4.0]), "scalar": torch.tensor(3.0), "constant": torch.ones(1, 2)}
    second = made.get(other, other)
    found = [facts(function, x, second) for _ in range(WARM + 2)]
    assert all(each == found[0] for each in found)
    assert "warm" not in function.__code__.co_names


def test_function_is_compiled_after_warm_calls_of_each_variant() -> None:
    """The text for a listener is compiled when it has been called as often while one was attached."""
    function = dispatch.entry(TABLE["cos"])
    x = torch.ones(2, requires_grad=True)
    for number in range(WARM):
        assert "warm" in function.__code__.co_names, number
        function(x)
    quiet = function.__code__
    assert "warm" not in quiet.co_names
    with events.listen(whole_log([])) as log:
        for number in range(WARM):
            assert "warm" in function.__code__.co_names, number
            function(x)
        assert "warm" not in function.__code__.co_names
        function(x)
    assert ["cos"] * (WARM + 1) == [each.op.name for each in log.ops]
    function(x)
    assert quiet is function.__code__


def test_equal_texts_share_their_compiled_code() -> None:
    """Functions of one text differ in their globals alone."""
    one, two = ({"op": name} for name in ("one", "two"))
    text = "def entry(): return op"
    first, second = function_of(text, one), function_of(text, two)
    assert ("one", "two") == (first(), second())
    assert first.__code__ is second.__code__
