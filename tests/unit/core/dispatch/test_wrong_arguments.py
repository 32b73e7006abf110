"""Errors for arguments that an op does not have, or lacks: the same in its first calls and once it is compiled."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore.dispatch.entries import entry
from dyncore.dispatch.registry import TABLE


@pytest.fixture(params=["sigmoid", "add", "matmul", "linear", "softmax"])
def op(request: pytest.FixtureRequest) -> tuple[str, Any, tuple[Any, ...]]:
    """An op's name, a function of its own that nobody has called, and arguments for it."""
    x = torch.ones(3)
    given = {"sigmoid": (x,), "softmax": (x, 0)}.get(request.param, (x, x))
    return request.param, entry(TABLE[request.param]), given


@pytest.mark.parametrize("calls", [0, 100])
def test_argument_of_no_such_name_is_an_error_that_names_the_op(op: Any, calls: int) -> None:
    name, function, given = op
    for _ in range(calls):
        function(*given)
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'foo'"):
        function(*given, foo=1)


@pytest.mark.parametrize("calls", [0, 100])
def test_missing_argument_is_named(op: Any, calls: int) -> None:
    name, function, given = op
    for _ in range(calls):
        function(*given)
    lacking = {"sigmoid": "input", "add": "other", "matmul": "other", "linear": "weight", "softmax": "dim"}[name]
    with pytest.raises(TypeError, match=rf'^{name}\(\) missing 1 required positional arguments: "{lacking}"'):
        function(*given[:-1])


def test_too_many_arguments_are_counted_alike_once_compiled(op: Any) -> None:
    name, function, given = op
    errors = []
    for calls in (0, 100):
        for _ in range(calls):
            function(*given)
        with pytest.raises(TypeError) as error:
            function(*given, *(given[:1] * {"linear": 2, "softmax": 3}.get(name, 1)))
        errors.append(str(error.value))
    assert errors[0] == errors[1] and errors[0].startswith(f"{name}() takes ") and "from 0" not in errors[0]


def test_missing_tensor_of_an_op_on_floats_is_named() -> None:
    with pytest.raises(TypeError, match=r'^logit\(\) missing 1 required positional arguments: "input"'):
        torch.logit()


@pytest.mark.parametrize("count", [1, 3])
def test_lists_of_other_lengths_are_an_error_of_a_function_over_lists(count: int) -> None:
    x = torch.ones(2)
    with pytest.raises(RuntimeError, match=f"must have the same number of tensors, got 2 and {count}"):
        torch._foreach_add([x, x], [x] * count)
