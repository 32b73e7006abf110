"""Ops on sparse tensors: one function an op, for those whose result PyTorch keeps sparse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.compat.sparse_tensor import SparseTensor, product, sparse as made
from dyncore.dispatch.registry import TABLE
from dyncore.dispatch.row_gradient import merged
from dyncore.graph.names import named
from dyncore.tensors.tensor import Tensor, wrap

RULES: dict[str, Callable[..., Any]] = {}


def rule(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a function answer for ops of these names; it returns NotImplemented for the dense result."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        RULES.update(dict.fromkeys(names, function))
        return function

    return add


def run(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an op on sparse operands by its rule, or on the dense tensors where it has none.

    Return NotImplemented where no operand is sparse.
    """
    if not any(_holds_sparse(each) for each in (*args, *kwargs.values())):
        return NotImplemented
    if op.name in RULES:
        result = RULES[op.name](*args, **kwargs)
        if result is not NotImplemented:
            return result
    args, kwargs = tuple(_dense(each) for each in args), {name: _dense(value) for name, value in kwargs.items()}
    return op.entry(*args, **kwargs)


def _holds_sparse(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(isinstance(each, SparseTensor) for each in value)
    return isinstance(value, SparseTensor)


def _dense(value: Any) -> Any:
    if isinstance(value, SparseTensor):
        return value.densified()
    if isinstance(value, (list, tuple)) and value.__class__ in (list, tuple):
        return value.__class__(_dense(each) for each in value)
    return value


def _elementwise(name: str) -> Callable[..., Any]:
    """Return the rule of an op that leaves zeros as they are."""

    def on_values(input: SparseTensor, *args: Any) -> Any:
        if any(isinstance(each, Tensor) and each.dim() for each in args) or not isinstance(input, SparseTensor):
            return NotImplemented
        here = input.coalesce()
        values = TABLE[name].entry(here._vals, *args)
        return here.like(values, TABLE[name].default_title)

    return on_values


_ZERO_AT_ZERO = (
    "abs", "asin", "asinh", "atan", "atanh", "ceil", "deg2rad", "erf", "erfinv", "expm1", "floor", "frac", "isinf",
    "isnan", "log1p", "neg", "positive", "pow", "rad2deg", "relu", "round", "sgn", "sign", "sin", "sinh", "sqrt",
    "square", "tan", "tanh", "trunc",
)  # fmt: skip
RULES.update({name: _elementwise(name) for name in _ZERO_AT_ZERO})


@rule("add", "add_scaled")
def _add(input: Any, other: Any, alpha: Any = 1) -> Any:
    if not isinstance(input, SparseTensor):
        return TABLE["add"].entry(input, _dense_with_gradient(other if alpha == 1 else other * alpha))
    if not isinstance(other, SparseTensor):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if input._sizes != other._sizes or input.sparse_dim() != other.sparse_dim():
        return NotImplemented
    return _merged(input, other, alpha)


def _merged(input: SparseTensor, other: SparseTensor, alpha: Any) -> SparseTensor:
    """Return the sum of two sparse tensors of one size: equal heads of the two lists of places are one place."""
    sizes = input._sizes[: input.sparse_dim()]
    flat = [np.ravel_multi_index(tuple(each._coords), sizes) if sizes else each._coords[0] for each in (input, other)]
    at, other_at = merged(*flat)
    count = max([0, *at[-1:] + 1, *other_at[-1:] + 1])
    coords = np.empty((len(sizes), count), np.int64)
    coords[:, at], coords[:, other_at] = input._coords, other._coords
    values = other._vals if alpha == 1 else other._vals * alpha
    zeros = values.new_zeros((count, *values.shape[1:]), dtype=TABLE["add"].entry(input._vals[:0], values[:0]).dtype)
    values = zeros.index_add(0, wrap(at, None), input._vals.to(zeros.dtype)).index_add(
        0, wrap(other_at, None), values.to(zeros.dtype)
    )
    return made(coords, values, input._sizes, "AddBackward0", coalesced=input._sorted and other._sorted)


@rule("sub", "sub_scaled")
def _sub(input: Any, other: Any, alpha: Any = 1) -> Any:
    if not isinstance(input, SparseTensor) or not isinstance(other, SparseTensor):
        return NotImplemented
    difference = _add(input, other, -alpha)
    return difference.like(difference._vals, "SubBackward0")


@rule("mul")
def _mul(input: Any, other: Any) -> Any:
    if not isinstance(input, SparseTensor):
        return _mul(other, input)
    if isinstance(other, SparseTensor):
        here = input.coalesce()
        return here.like(here._vals * _values_at(other, here), "MulBackward0")
    if isinstance(other, Tensor) and other.dim():
        other = _at(other.expand(input._sizes), input._coords)
        return input.like(input._vals * other, "MulBackward0")
    return input.like(input._vals * other, "MulBackward0").with_full(input, lambda full: full * other)


@rule("div")
def _div(input: Any, other: Any) -> Any:
    if isinstance(input, SparseTensor) and isinstance(other, Tensor) and other.dim():
        raise RuntimeError(
            "Sparse division requires a scalar or zero-dim dense tensor divisor (got shape "
            f"{list(other.shape)} for divisor)"
        )
    if isinstance(other, SparseTensor):
        return NotImplemented
    return input.like(input._vals / other, "DivBackward0").with_full(input, lambda full: full / other)


@rule("clone", "dropout")
def _clone(input: SparseTensor, p: Any = None, training: bool = True, **options: Any) -> Any:
    return input.clone() if p is None or (p == 0 or not training) else NotImplemented


@rule("mm", "matmul", "mv")
def _product(input: Any, other: Any) -> Any:
    return product(input, other) if isinstance(input, SparseTensor) and input.dim() == 2 else NotImplemented


@rule("addmm")
def _addmm(input: Any, mat1: Any, mat2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    if not isinstance(mat1, SparseTensor) or isinstance(input, SparseTensor):
        return NotImplemented
    added = product(mat1, mat2)
    result = (input if beta == 1 else beta * input) + (added if alpha == 1 else alpha * added)
    return named(result, "AddmmBackward0")


@rule("sum")
def _sum(input: SparseTensor, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    if dim is None and input.has_dense_gradient():
        return TABLE["sum"].entry(_dense_with_gradient(input))
    result = summed(input, dim, dtype)
    if keepdim and isinstance(result, SparseTensor):
        for each in sorted(each % input.dim() for each in ([dim] if isinstance(dim, int) else dim)):
            result = _unsqueeze(result, each)
    return result if dim is None or not isinstance(result, SparseTensor) else result.like(result._vals, "SumBackward1")


def summed(input: SparseTensor, dim: Any = None, dtype: Any = None) -> Any:
    """Return the sum of all elements, or a sparse tensor of the sums along dimensions."""
    values = input._vals if dtype is None else input._vals.to(dtype)
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    gone = {each % input.dim() for each in dims}
    count = input.sparse_dim()
    inner = [each - count + 1 for each in gone if each >= count]
    values = values.sum(inner) if inner else values
    left = [each for each in range(count) if each not in gone]
    sizes = tuple(size for number, size in enumerate(input._sizes) if number not in gone)
    if not left:
        return values.sum() if values.dim() == 1 else values.sum(0)
    result = made(input._coords[left], values, sizes).coalesce()
    return result.like(result._vals, "SparseSumBackward0")


def _dense_with_gradient(input: Any) -> Any:
    """Return the dense tensor of an operand; a leaf's gradient by it is dense."""
    if not isinstance(input, SparseTensor) or not input.has_dense_gradient():
        return _dense(input)
    return TABLE["sparse_to_dense"].entry(input._vals.detach(), wrap(input._coords, None), input._sizes, input.full())


@rule("T")
def _reversed(input: SparseTensor) -> Any:
    return _permute(input, *reversed(range(input.dim())))


@rule("mT", "H")
def _last_two(input: SparseTensor) -> Any:
    return NotImplemented if input.is_complex() else input.transposed(-2, -1, "TransposeBackward0")


@rule("transpose")
def _transpose(input: SparseTensor, dim0: int, dim1: int) -> Any:
    return input.transposed(dim0, dim1, "TransposeBackward0")


@rule("t")
def _t(input: SparseTensor) -> Any:
    return input.transposed(0, 1, "TBackward0") if input.dim() == 2 else NotImplemented


@rule("permute")
def _permute(input: SparseTensor, *dims: Any) -> Any:
    order = list(dims[0]) if dims and isinstance(dims[0], (list, tuple)) else list(dims)
    if input.dense_dim():
        return NotImplemented
    sizes = tuple(input._sizes[each] for each in order)
    return made(input._coords[order], input._vals, sizes, "PermuteBackward0")


@rule("unsqueeze")
def _unsqueeze(input: SparseTensor, dim: int, node: str = "UnsqueezeBackward0") -> Any:
    at = dim % (input.dim() + 1)
    if at > input.sparse_dim():
        return NotImplemented
    coords = np.insert(input._coords, at, 0, axis=0)
    sizes = (*input._sizes[:at], 1, *input._sizes[at:])
    return made(coords, input._vals, sizes, node, coalesced=input._sorted)


@rule("cat", "concat", "concatenate")
def _cat(tensors: Any, dim: int = 0, node: str = "CatBackward0") -> Any:
    for position, each in enumerate(tensors):
        if not isinstance(each, SparseTensor):
            raise RuntimeError(f"Concatenating sparse tensors, but a dense tensor was found at position {position}.")
    first = tensors[0]
    dim %= first.dim()
    if dim >= first.sparse_dim() or len({(*each._sizes[:dim], *each._sizes[dim + 1 :]) for each in tensors}) > 1:
        return NotImplemented
    starts = np.cumsum([0, *(each._sizes[dim] for each in tensors)]).tolist()
    coords = [each._coords.copy() for each in tensors]
    for each, start in zip(coords, starts, strict=False):
        each[dim] += start
    sizes = (*first._sizes[:dim], starts[-1], *first._sizes[dim + 1 :])
    return made(np.concatenate(coords, 1), TABLE["cat"].entry([each._vals for each in tensors]), sizes, node)


@rule("stack")
def _stack(tensors: Any, dim: int = 0) -> Any:
    if not all(isinstance(each, SparseTensor) for each in tensors):
        return NotImplemented
    return _cat([_unsqueeze(each, dim % (each.dim() + 1)) for each in tensors], dim, "StackBackward0")


@rule("index_select")
def _index_select(input: Any, dim: int, index: Tensor) -> Any:
    if not isinstance(input, SparseTensor) or dim % input.dim() >= input.sparse_dim():
        return NotImplemented
    dim %= input.dim()
    asked, rows = np.atleast_1d(index._array), input._coords[dim]
    if asked.size and (asked.min() < 0 or asked.max() >= input._sizes[dim]):
        raise IndexError(
            f"index_select(): index contains {asked.max()} that is out of range for tensor of size "
            f"{list(input._sizes)} at dimension {dim}"
        )
    order = np.argsort(rows, kind="stable")
    starts, ends = (np.searchsorted(rows[order], asked, side) for side in ("left", "right"))
    counts = ends - starts
    chosen = order[np.concatenate([np.arange(a, b) for a, b in zip(starts, ends, strict=True)] or [order[:0]])]
    coords = input._coords[:, chosen]
    coords[dim] = np.repeat(np.arange(len(asked)), counts)
    sizes = (*input._sizes[:dim], len(asked), *input._sizes[dim + 1 :])
    return made(coords, _at(input._vals, chosen[None]), sizes, "IndexSelectBackward0")


@rule("select")
def _select(input: SparseTensor, dim: int, index: int, node: str = "SelectBackward0") -> Any:
    dim %= input.dim()
    if dim >= input.sparse_dim() or not -input._sizes[dim] <= index < input._sizes[dim]:
        return NotImplemented
    chosen = np.flatnonzero(input._coords[dim] == index % input._sizes[dim])
    if input.sparse_dim() == 1 and len(chosen) == 1:
        return input._vals[int(chosen[0])]
    values = _at(input._vals, chosen[None])
    if input.sparse_dim() == 1:
        return values.sum(0)
    coords = np.delete(input._coords, dim, 0)[:, chosen]
    return made(coords, values, (*input._sizes[:dim], *input._sizes[dim + 1 :]), node, coalesced=input._sorted)


@rule("unbind")
def _unbind(input: SparseTensor, dim: int = 0) -> Any:
    rows = [_select(input, dim, index, "UnbindBackward0") for index in range(input._sizes[dim])]
    return NotImplemented if any(each is NotImplemented for each in rows) else tuple(rows)


@rule("__getitem__")
def _getitem(input: Any, index: Any) -> Any:
    if not isinstance(input, SparseTensor):
        return NotImplemented
    parts = index if isinstance(index, tuple) else (index,)
    if not all(type(each) is int or each == slice(None) for each in parts if not isinstance(each, Tensor)):
        return NotImplemented
    dim, found = 0, input
    for each in parts:
        if isinstance(each, Tensor):
            return NotImplemented
        if type(each) is int:
            found = _select(found, dim, each)
            if not isinstance(found, SparseTensor):
                return found if dim == 0 and each is parts[-1] else NotImplemented
        else:
            dim += 1
    return found


def _at(values: Tensor, coords: Any) -> Any:
    """Return the elements of a dense tensor at places (dims, count)."""
    return values[tuple(wrap(each, None) for each in coords)]


def _values_at(input: SparseTensor, mask: SparseTensor) -> Any:
    """Return the elements of a sparse tensor at the places of another, zeros where it has none."""
    here, count = input.coalesce(), mask.sparse_dim()
    own, asked = (
        np.ravel_multi_index(tuple(each._coords), input._sizes[:count]) if each._nnz() else each._coords[0]
        for each in (here, mask)
    )
    place = np.searchsorted(own, asked).clip(0, max(len(own) - 1, 0))
    there = own[place] == asked if len(own) else np.zeros(len(asked), bool)
    if not len(own):
        return here._vals.new_zeros((len(asked), *here._vals.shape[1:]))
    there = there.reshape(-1, *(1,) * (here._vals.dim() - 1))
    return _at(here._vals, place[None]) * wrap(there.astype(here._vals._array.dtype), None)


def sparse_mask(input: Any, mask: Any) -> Any:
    """Return the elements at the places of a sparse tensor, as a sparse one.  Raises RuntimeError for other sizes."""
    if not isinstance(mask, SparseTensor):
        raise RuntimeError("sparse_mask expected sparse mask but got Strided")
    if tuple(input.shape) != mask._sizes:
        raise RuntimeError(
            f"sparse_mask(): operands have incompatible sizes; self has size {list(input.shape)} but mask has size "
            f"{list(mask._sizes)}"
        )
    values = _values_at(input, mask) if isinstance(input, SparseTensor) else _at(input, mask._coords)
    return mask.like(values, "SparseMaskBackward0")


def hspmm(mat1: Any, mat2: Any, *, out: Any = None) -> Any:
    """Return the product of a sparse and a dense matrix as a sparse tensor of its rows that have elements."""
    if not isinstance(mat1, SparseTensor) or isinstance(mat2, SparseTensor):
        raise RuntimeError("hspmm: expected a sparse and a dense matrix")
    rows = np.unique(mat1._coords[0])
    values = product(mat1, mat2)[wrap(rows, None)]
    node = "torch::autograd::NotImplemented"
    return made(rows[None], values.detach(), (mat1._sizes[0], mat2.shape[1]), node, coalesced=True)
