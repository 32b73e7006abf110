"""Operators written out for floats give what the functions of their names give, which take the long way."""

from __future__ import annotations

import operator
from typing import Any

import pytest

import dyncore as torch

OPERATORS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "lt": operator.lt, "ge": operator.ge}


def operands(dtype: Any) -> dict[str, Any]:
    """Vectors, a row, a scalar, a view of one element and a parameter, with a history and without; numbers."""
    leaf = torch.tensor([1.5, -2.0, 0.5], dtype=dtype, requires_grad=True)
    matrix = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=dtype, requires_grad=True)
    return {
        "leaf": leaf, "made": leaf * 2.5, "constant": torch.tensor([3.0, 0.0, -1.0], dtype=dtype), "matrix": matrix,
        "scalar": leaf.sum(), "view": leaf[1], "constant view": torch.tensor([2.0, 3.0], dtype=dtype)[1],
        "parameter": torch.nn.Parameter(torch.tensor([2.0, 4.0, 8.0], dtype=dtype)),
        "other dtype": torch.tensor([1.0, 2.0, 3.0], dtype=torch.float16, requires_grad=True),
        "integers": torch.tensor([1, 2, 3]), "2.5": 2.5, "3": 3, "0": 0, "0.0": 0.0, "True": True, "inf": float("inf"),
    }  # fmt: skip


def told(function: Any, one: Any, two: Any) -> Any:
    """Everything about a result: its numbers, its node, where that leads, the gradients."""
    try:
        result = function(one, two)
    except Exception as error:
        return type(error), str(error)
    found = [result.dtype, result.shape, repr(result.tolist()), result.requires_grad]
    if not result.requires_grad:
        return found
    node = result.grad_fn
    given = [each for each in (one, two) if isinstance(each, torch.Tensor) and each.requires_grad]
    grads = torch.autograd.grad(result.sum(), given, retain_graph=True)
    leads = [None if each is None else each.name() for each, _ in node.next_functions]
    return [*found, node.name(), leads, [(g.dtype, repr(g.tolist())) for g in grads]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_an_operator_gives_what_its_function_gives(name: str, dtype: Any) -> None:
    """Numbers to the bit, dtype, node, the nodes behind it, gradients, errors; of every pair of operands."""
    values = operands(dtype)
    for first, one in values.items():
        for second, two in values.items():
            if isinstance(one, torch.Tensor):
                expected = told(getattr(torch, name), one, two)
                assert expected == told(OPERATORS[name], one, two), f"{first} {name} {second}"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_its_node_knows_the_line(dtype: Any) -> None:
    """Of arrays, scalars, views, numbers and operands that broadcast, each time it runs."""
    values = operands(dtype)
    for _ in range(3):
        made = [values["made"] + values["leaf"], values["scalar"] * 2.0, values["scalar"] * values["view"],
                values["matrix"] - values["leaf"], 1 - values["leaf"], values["made"] * values["constant"]]  # fmt: skip
        for each in made:
            assert each.grad_fn.place.function == "test_its_node_knows_the_line"
            assert "made = [" in each.grad_fn.place.source or "values[" in each.grad_fn.place.source


def test_what_a_product_saved_may_not_change() -> None:
    """Backward refuses an operand that was written since, array or scalar beside a view."""
    leaf = torch.ones(3, requires_grad=True)
    for one, two in ((leaf * 2.0, torch.ones(3)), (leaf.sum(), torch.ones(2)[0])):
        product = one * two
        two.add_(1.0)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            product.sum().backward()


def test_inference_tensors_are_not_saved() -> None:
    """By a product with something that requires grad, on either side."""
    with torch.inference_mode():
        constant = torch.ones(3)
    made = torch.ones(3, requires_grad=True) * 2.0
    for one, two in ((made, constant), (constant, made)):
        with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
            one * two
    assert (made + constant).requires_grad


def test_modes_hold_for_operators() -> None:
    """Nothing is recorded under `no_grad`; a graph of the gradient is, under `create_graph`."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        assert not (x + x).requires_grad
        assert not (x * 2.0).requires_grad
    (slope,) = torch.autograd.grad((x * x * x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad((slope * 1.0).sum(), x)
    assert [6.0, 12.0] == second.tolist()


@pytest.mark.parametrize("shape", [(4,), (1, 4), (4, 1), (1, 1, 4), (2, 2), (1,)])
def test_softmax_of_one_row_is_that_of_rows(shape: tuple[int, ...]) -> None:
    """Along every dimension, large numbers and NaN too, after it was called often."""
    for scale in (1.0, 200.0, float("nan")):
        x = (torch.arange(4.0)[: 4 if shape != (1,) else 1] * scale).reshape(shape)
        for dim in range(-len(shape), len(shape)):
            for _ in range(40):
                found = torch.softmax(x, dim)
            wide = torch.softmax(x.double(), dim)
            assert torch.allclose(found.double(), wide, atol=1e-6, equal_nan=True), (shape, dim, scale)
