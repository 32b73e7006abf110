"""Products of matrices and vectors, which keep nothing but their operands for backward."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore.dispatch.general import call
from dyncore.dispatch.registry import TABLE

SHAPES = {(2, 1): ((4, 3), (3,)), (2, 2): ((4, 3), (3, 5))}


def operands(shapes: Any, wanted: tuple[bool, bool], dtype: Any = torch.float64) -> list[Any]:
    torch.manual_seed(3)
    return [torch.randn(*shape, dtype=dtype).requires_grad_(on) for shape, on in zip(shapes, wanted, strict=True)]


@pytest.mark.parametrize("wanted", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("shapes", SHAPES.values(), ids=str)
@pytest.mark.parametrize("computed", [False, True])
def test_flat_product_equals_general_product(shapes: Any, wanted: tuple[bool, bool], computed: bool) -> None:
    """Values, first and second gradients, of leaves and of what was computed, where no outer product may stay one."""
    found = []
    for product in (lambda a, b: a @ b, lambda a, b: call(TABLE["matmul"], (a, b), {})):
        leaves = operands(shapes, wanted)
        a, b = (each * 2.0 if computed else each for each in leaves)
        result = product(a, b)
        inputs = [each for each in leaves if each.requires_grad]
        first = torch.autograd.grad((result * result).sum(), inputs, create_graph=True)
        second = torch.autograd.grad(sum((g * g).sum() for g in first), inputs)
        found.append([result, *first, *second])
    for flat, general in zip(*found, strict=True):
        assert flat.dtype == general.dtype and flat.shape == general.shape
        assert torch.allclose(flat, general, rtol=1e-12, atol=1e-12)


def test_the_node_is_that_of_the_product_it_was() -> None:
    a, b = operands(SHAPES[2, 2], (True, True))
    v = operands(((3,),), (True,))[0]
    for result, title, name, shape in ((a @ b, "Mm", "mat2", [4, 5]), (torch.matmul(a, v), "Mv", "vec", [4])):
        node = result.grad_fn
        assert node.name() == f"{title}Backward0"
        assert getattr(node, f"_saved_{name}").shape == (b if name == "mat2" else v).shape
        assert [each.shape for each in node._input_metadata] == [shape]
        assert [each[0].name() for each in node.next_functions] == ["torch::autograd::AccumulateGrad"] * 2
        assert node.place.function == "test_the_node_is_that_of_the_product_it_was"


def test_what_is_saved_is_freed_and_guarded() -> None:
    a, v = operands(SHAPES[2, 1], (True, True))
    result = a @ v
    result.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        result.sum().backward()
    inner = v * 1
    result = a @ inner
    inner.add_(1)
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation: \[torch.DoubleTensor \[3\]\]"):
        result.sum().backward()


@pytest.mark.parametrize(("a", "b", "sentence"), [
    ((4, 3), (4, 3), "mat1 and mat2 shapes cannot be multiplied (4x3 and 4x3)"),
    ((4, 3), (4,), "size mismatch, got input (4), mat (4x3), vec (4)"),
])  # fmt: skip
def test_product_of_mismatched_sizes_raises_as_pytorch(a: Any, b: Any, sentence: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.randn(*a) @ torch.randn(*b)
    assert str(caught.value) == sentence


def test_a_split_hands_its_gradients_to_the_node_before() -> None:
    """Each piece used several times, one not at all, hooks on one: all reach the tensor that was split."""
    seen: list[Any] = []
    x = torch.arange(8.0, requires_grad=True)
    first, second, third, _ = (x * 1).chunk(4)
    third.register_hook(lambda g: seen.append(g.tolist()))
    (first * second + first + third * third).sum().backward()
    assert x.grad.tolist() == [3.0, 4.0, 0.0, 1.0, 8.0, 10.0, 0.0, 0.0]
    assert seen == [[8.0, 10.0]]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("rows", [None, 1, 3, 40])
@pytest.mark.parametrize("computed", [False, True])
def test_linear_equals_general_product(rows: int | None, bias: bool, computed: bool) -> None:
    """One vector, one row (whose bias is added in place), few rows and many; weights that are no leaves too."""
    found = []
    for general in (False, True):
        shapes = [(3,) if rows is None else (rows, 3), (4, 3)] + [(4,)] * bias
        leaves = operands(shapes, (True,) * len(shapes))
        given = [each * 2.0 if computed else each for each in leaves]
        result = call(TABLE["linear"], tuple(given), {}) if general else torch.nn.functional.linear(*given)
        first = torch.autograd.grad((result * result).sum(), leaves, create_graph=True)
        second = torch.autograd.grad(sum((g * g).sum() for g in first), leaves, retain_graph=True)
        (result.sum() * 1).backward()
        found.append([result, *first, *second, *(each.grad for each in leaves)])
        title = "MmBackward0" if rows else "SqueezeBackward4"
        assert result.grad_fn.name() == (("AddmmBackward0" if rows else "ViewBackward0") if bias else title)
    for flat, usual in zip(*found, strict=True):
        assert flat.dtype == usual.dtype and flat.shape == usual.shape
        assert torch.allclose(flat, usual, rtol=1e-12, atol=1e-12)


def test_linear_keeps_what_its_gradients_need() -> None:
    """Only the weight for a frozen layer, only the input for the first layer."""
    x, w, b = operands(((2, 3), (4, 3), (4,)), (True, False, True))
    assert torch.nn.functional.linear(x, w, b).grad_fn._saved_mat1 is None
    x, w, b = operands(((2, 3), (4, 3), (4,)), (False, True, True))
    result = torch.nn.functional.linear(x, w, b)
    assert result.grad_fn._saved_mat2 is None
    result.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        result.sum().backward()
    assert w.grad.tolist() == [x.sum(0).tolist()] * 4 and b.grad.tolist() == [2.0] * 4


def test_what_single_ops_save_is_found_under_pytorch_s_names() -> None:
    matrix = operands(((3, 3),), (True,))[0]
    q, r = torch.linalg.qr(matrix)
    assert q.grad_fn._saved_Q.tolist() == q.tolist() and q.grad_fn._saved_R.tolist() == r.tolist()
