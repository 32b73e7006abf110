"""Products with Jacobians and Hessians: vjp, jvp, jacobian, hessian, vhp, hvp.

`create_graph` records the results too; `strict` raises where a result would be zero because something is independent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.errors.explain import missing_in
from dyncore.graph.modes import current, enable_grad, set_grad_enabled
from dyncore.tensors.tensor import Tensor, wrap

from . import grad as _gradients, strictness

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Tensors = tuple[Any, ...]


def _construct_standard_basis_for(tensors: Tensors, tensor_numels: tuple[int, ...]) -> Tensors:
    """Return the unit vectors of the space of all elements of the tensors.

    One block of rows for each tensor.
    """
    if len(tensors) != len(tensor_numels):
        raise AssertionError(
            f"Expected len(tensors) == len(tensor_numels), but got {len(tensors)} and {len(tensor_numels)}"
        )
    if not tensors:
        raise AssertionError("Expected at least one tensor")
    total, before = sum(tensor_numels), 0
    blocks = []
    for each, count in zip(tensors, tensor_numels, strict=True):
        block = np.zeros((total, count), each._array.dtype)
        block[before : before + count] = np.eye(count)
        blocks.append(wrap(block, None))
        before += count
    return tuple(blocks)


# The names of the next three are PyTorch's: scripts import them.
def _as_tuple(value: Any, what: str | None = None, name: str | None = None) -> Any:
    if what is None and name is None:
        return tuple(value) if isinstance(value, (tuple, list)) else (value,)
    several = isinstance(value, tuple)
    values = value if several else (value,)
    for number, each in enumerate(values):
        if not isinstance(each, Tensor):
            where = (
                f" value at index {number} has type {type(each)}."
                if several
                else f" given {what} has type {type(each)}."
            )
            raise TypeError(f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the{where}")
    return several, values


def _grad_preprocess(inputs: Tensors, create_graph: bool, need_graph: bool) -> Tensors:
    """Return inputs to differentiate by.

    They are views of the given ones under create_graph, else they have no history.
    """
    fresh = []
    for each in inputs:
        if create_graph:
            fresh.append(each.view_as(each) if each.requires_grad else each.detach().requires_grad_(need_graph))
        else:
            fresh.append(each.detach().requires_grad_(need_graph))
    return tuple(fresh)


def _grad_postprocess(values: Any, create_graph: bool) -> Any:
    if isinstance(values, tuple):
        return tuple(_grad_postprocess(each, create_graph) for each in values)
    return values if create_graph else values.detach()


def _given(v: Any, other: Tensors, several: bool, create_graph: bool, name: str) -> Tensors:
    _, vectors = _as_tuple(v, "v", name)
    vectors = _grad_preprocess(vectors, create_graph, False)
    if len(vectors) != len(other):
        if several:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(other)} but got {len(vectors)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for number, (one, like) in enumerate(zip(vectors, other, strict=True)):
        if one.shape != like.shape:
            entry = f"Entry {number} in " if several else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {like.size()} but got {one.size()}.")
    return vectors


def _check_single(tensors: Tensors, subject: str) -> None:
    """Raise RuntimeError for a product without a vector, unless with one tensor of one element."""
    if len(tensors) != 1 or tensors[0].numel() != 1:
        raise RuntimeError(f"The vector v can only be None if {subject} a single Tensor with a single element.")


def _derived(outputs: Tensors, inputs: Tensors, cotangents: Any = None, create_graph: bool = False) -> Tensors:
    """Return `autograd.grad`, with None for outputs that do not require grad."""
    pairs = [
        (out, g)
        for out, g in zip(outputs, cotangents or (None,) * len(outputs), strict=True)
        if out is not None and out.requires_grad
    ]
    if not pairs:
        return (None,) * len(inputs)
    outs, given = zip(*pairs, strict=True)
    active = [each for each in inputs if each.requires_grad]
    gradients = iter(
        _gradients(
            outs, active, given if cotangents else None, create_graph=create_graph, retain_graph=True, allow_unused=True
        )
    )
    return tuple(next(gradients) if each.requires_grad else None for each in inputs)


def _zeros(grads: Tensors, like: Tensors, strict: bool, create_graph: bool, stage: str) -> Tensors:
    filled = []
    for number, (g, ref) in enumerate(zip(grads, like, strict=True)):
        if g is None:
            if strict:
                raise RuntimeError(strictness.missing(stage, number))
            g = ref.new_zeros(ref.shape)
        elif strict and create_graph and not g.requires_grad:
            raise RuntimeError(strictness.constant(stage, number))
        filled.append(g)
    return tuple(filled)


def _one_or(values: Tensors, several: bool) -> Any:
    return values if several else values[0]


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return `func(*inputs)`, and the product of `v` with its Jacobian.

    The product has one tensor for each input.
    """
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "vjp")
        given = _grad_preprocess(given, create_graph, True)
        many_outputs, outputs = _as_tuple(func(*given), "outputs of the user-provided function", "vjp")
        strictness.require(outputs, "outputs", strict)
        if v is None:
            _check_single(outputs, "the user-provided function returns")
            vectors = None
        else:
            vectors = _given(v, outputs, many_outputs, create_graph, "vjp")
    with set_grad_enabled(True if create_graph else current().grad):
        gradients = _derived(outputs, given, vectors, create_graph)
        products = _zeros(gradients, given, strict, create_graph, "back")
    return (
        _one_or(_grad_postprocess(outputs, create_graph), many_outputs),
        _one_or(_grad_postprocess(products, create_graph), several),
    )


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return `func(*inputs)`, and the product of its Jacobian with `v`.

    It is a vjp differentiated by its cotangent.
    """
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "jvp")
        given = _grad_preprocess(given, create_graph, True)
        if v is None:
            _check_single(given, "the input to the user-provided function is")
            vectors: Any = (given[0].new_ones(given[0].shape),)
        else:
            vectors = _given(v, given, several, create_graph, "jvp")
        many_outputs, outputs = _as_tuple(func(*given), "outputs of the user-provided function", "jvp")
        strictness.require(outputs, "outputs", strict)
        cotangents = tuple(each.new_zeros(each.shape).requires_grad_() for each in outputs)
        first = _derived(outputs, given, cotangents, create_graph=True)
        strictness.require(first, "grad_inputs", strict)
    with set_grad_enabled(True if create_graph else current().grad):
        gradients = _derived(first, cotangents, vectors, create_graph)
        products = _zeros(gradients, outputs, strict, create_graph, "back_trick")
    return (
        _one_or(_grad_postprocess(outputs, create_graph), many_outputs),
        _one_or(_grad_postprocess(products, create_graph), many_outputs),
    )


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the Jacobian of `func` at `inputs`.

    It has a tensor of shape (*output, *input) for each output and input.
    vectorize: accepted; rows are computed one by one all the same.
    """
    strictness.check_strategy(strategy, strict, vectorize, create_graph)
    if strategy == "forward-mode":
        return _forward(func, inputs, current().grad and any(each.requires_grad for each in _leaves(inputs)))
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "jacobian")
        given = _grad_preprocess(given, create_graph, True)
        many_outputs, outputs = _as_tuple(func(*given), "outputs of the user-provided function", "jacobian")
        strictness.require(outputs, "outputs", strict)
        rows = tuple(_rows(out, number, given, strict, create_graph) for number, out in enumerate(outputs))
    finished = _grad_postprocess(rows, create_graph)
    if many_outputs:
        return tuple(_one_or(row, several) for row in finished)
    return _one_or(finished[0], several)


def _leaves(inputs: Any) -> list[Any]:
    return [each for each in (inputs if isinstance(inputs, tuple) else (inputs,)) if isinstance(each, Tensor)]


def _forward(func: Callable[..., Any], inputs: Any, recorded: bool) -> Any:
    """Return the Jacobian as PyTorch's forward mode does.

    That is in lists, in the dtypes of the outputs, with their history.
    """
    several, given = _as_tuple(inputs, "inputs", "jacobian")
    with enable_grad():
        given = _grad_preprocess(given, recorded, True)
        many_outputs, outputs = _as_tuple(func(*given), "outputs of the user-provided function", "jacobian")
        rows = [
            [each.to(out.dtype) for each in _rows(out, number, given, False, recorded)]
            for number, out in enumerate(outputs)
        ]
    if not recorded:
        rows = [[each.detach() for each in row] for row in rows]
    result = rows if several else tuple(row[0] for row in rows)
    return result if many_outputs else result[0]


def _rows(out: Any, number: int, inputs: Tensors, strict: bool, create_graph: bool) -> Tensors:
    """Return the Jacobian of one output by every input."""
    from dyncore.dispatch.registry import TABLE

    flat = out.reshape(-1)
    columns: list[list[Any]] = [[] for _ in inputs]
    for position in range(flat.numel()):
        grads = _derived((flat[position],), inputs, None, create_graph)
        for index, (g, each, column) in enumerate(zip(grads, inputs, columns, strict=True)):
            if g is None:
                if strict:
                    raise RuntimeError(strictness.independent(number, index))
                g = each.new_zeros(each.shape)
            elif strict and create_graph and not g.requires_grad:
                raise RuntimeError(strictness.constant_jacobian(index))
            column.append(g)
    stack = TABLE["stack"].entry
    return tuple(
        stack(column, 0).reshape(out.shape + each.shape) if column else out.new_zeros(out.shape + each.shape)
        for column, each in zip(columns, inputs, strict=True)
    )


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the Hessian of a scalar `func` at `inputs`.

    It has a tensor of shape (*first, *second) for each pair of inputs.
    """
    several, _ = _as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def reduced(*values: Any) -> Any:
        out = _scalar(func, "hessian")(*values)
        strictness.require((out,), "outputs", strict)
        return out.squeeze()

    def gradient(*values: Any) -> Any:
        with enable_grad():
            gradients = jacobian(reduced, values if several else values[0], create_graph=True)
            if strict:
                strictness.require(gradients if several else (gradients,), "jacobian", strict)
            return gradients

    if outer_jacobian_strategy == "forward-mode":
        strictness.check_strategy(outer_jacobian_strategy, strict, vectorize, create_graph)
        return _forward(gradient, inputs, True)
    return jacobian(gradient, inputs, create_graph, strict, vectorize)


def _scalar(func: Callable[..., Any], name: str) -> Callable[..., Any]:
    def checked(*values: Any) -> Any:
        out = func(*values)
        several, outputs = _as_tuple(out, "outputs of the user-provided function", name)
        strictness.check_scalar(several, outputs, name)
        return outputs[0]

    return checked


def _gradient(func: Any, inputs: Any, v: Any, create_graph: bool, strict: bool, name: str) -> Any:
    """Return inputs, vectors, output and recorded gradient, for vhp and hvp."""
    several, given = _as_tuple(inputs, "inputs", name)
    given = _grad_preprocess(given, create_graph, True)
    if v is None:
        _check_single(given, "the input to the user-provided function is")
        vectors: Any = None
    else:
        vectors = _given(v, given, several, create_graph, name)
    output = _scalar(func, name)(*given)
    strictness.require((output,), "outputs", strict)
    gradient = _derived((output,), given, None, create_graph=True)
    strictness.require(gradient, "jacobian", strict)
    return several, given, vectors, output, gradient


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return `func(*inputs)`, a scalar, and the product of `v` with its Hessian."""
    with enable_grad():
        several, given, vectors, output, gradient = _gradient(func, inputs, v, create_graph, strict, "vhp")
        if vectors is None:
            vectors = tuple(each.new_ones(each.shape) for each in given)
    with set_grad_enabled(True if create_graph else current().grad):
        gradients = _derived(gradient, given, vectors, create_graph)
        products = _zeros(gradients, given, strict, create_graph, "double_back")
    return _grad_postprocess(output, create_graph), _one_or(_grad_postprocess(products, create_graph), several)


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return `func(*inputs)`, a scalar, and the product of its Hessian with `v`."""
    with enable_grad():
        several, given, vectors, output, first = _gradient(func, inputs, v, create_graph, strict, "hvp")
        cotangents = tuple(each.new_zeros(each.shape).requires_grad_() for each in given)
        second = _derived(first, given, cotangents, create_graph=True)
        strictness.require(second, "hessian", strict)
        if vectors is None:
            vectors = tuple(each.new_ones(each.shape) for each in given)
    with set_grad_enabled(True if create_graph else current().grad):
        gradients = _derived(second, cotangents, vectors, create_graph)
        products = _zeros(gradients, given, strict, create_graph, "double_back_trick")
    return _grad_postprocess(output, create_graph), _one_or(_grad_postprocess(products, create_graph), several)


__getattr__ = missing_in(__name__)
