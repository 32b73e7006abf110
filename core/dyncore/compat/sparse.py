"""`torch.sparse`: tensors given by their elements and the places of these, as far as scripts use them.

`compat/sparse_tensor.py` has the tensors, `compat/sparse_rules.py` what ops do with them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.compat.sparse_rules import hspmm as hspmm, run, sparse_mask as sparse_mask, summed
from dyncore.compat.sparse_tensor import MADE, SparseTensor, grouped, product, sparse, to_sparse as to_sparse
from dyncore.creation.interop import as_tensor
from dyncore.dispatch.registry import TABLE
from dyncore.dispatch.row_gradient import plain, summed as summed_rows
from dyncore.dtypes import dtypes
from dyncore.errors.explain import missing_name
from dyncore.graph.handlers import handlers
from dyncore.graph.modes import no_grad
from dyncore.tensors.size import Size, check_device
from dyncore.tensors.tensor import Tensor, wrap

__path__: list[str] = []

__all__ = [
    "addmm", "log_softmax", "mm", "softmax", "sparse_coo_tensor", "sum",
]  # fmt: skip


def sparse_coo_tensor(
    indices: Any = None, values: Any = None, size: Any = None, *, dtype: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False, check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> SparseTensor:  # fmt: skip
    """Make a tensor of `values` (nnz, *) at `indices` (sparse_dim, nnz); without size, the smallest that holds them.

    `sparse_coo_tensor(size)` has no elements.  Raises RuntimeError where indices, values and size do not fit.
    """
    check_device(device)
    if values is None:
        sizes = tuple(indices if size is None else size)
        kind = dtypes.get_default_dtype() if dtype is None else dtype
        values = wrap(np.zeros(0, dtypes.to_numpy(kind)), None)
        return sparse(np.zeros((len(sizes), 0), np.int64), values.requires_grad_(requires_grad), sizes)
    coords = np.asarray(indices._array if isinstance(indices, Tensor) else indices).astype(np.int64)
    given = values if isinstance(values, Tensor) else as_tensor(values)
    if dtype is not None:
        given = given.to(dtype)
    if coords.ndim != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(coords.shape)}")
    if given.dim() == 0 or coords.shape[1] != given.shape[0]:
        nnz = given.shape[0] if given.dim() else 1
        raise RuntimeError(
            f"indices and values must have same nnz, but got nnz from indices: {coords.shape[1]}, nnz from values: "
            f"{nnz}"
        )
    if size is None:
        least = coords.max(1) + 1 if coords.size else np.zeros(len(coords), np.int64)
        size = (*least.tolist(), *given.shape[1:])
    _check_places(coords, given, tuple(size))
    if requires_grad:
        return sparse(coords, given.detach().requires_grad_(), tuple(size))
    return sparse(coords, given, tuple(size), MADE if given.requires_grad else None)


def _check_places(coords: Any, values: Tensor, sizes: tuple[int, ...]) -> None:
    """Raise RuntimeError where a place lies outside the size."""
    if len(sizes) != len(coords) + values.dim() - 1:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(sizes)}, sparse_dim = "
            f"{len(coords)}, dense_dim = {values.dim() - 1}"
        )
    if coords.size and (coords.min() < 0):
        raise RuntimeError(f"found negative index {coords.min()} for dim {int(coords.min(1).argmin())}")
    for dim, row in enumerate(coords):
        if row.size and row.max() >= sizes[dim]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {dim}, size is {sizes[dim]} but found index {row.max()}"
            )


def to_sparse_coo(self: Tensor) -> SparseTensor:
    """Return `to_sparse()`."""
    return to_sparse(self)


def _no_coo(name: str, sentence: str) -> Callable[..., Any]:
    def method(self: Tensor) -> Any:
        raise RuntimeError(sentence)

    method.__name__ = name
    return method


coalesce = _no_coo("coalesce", "coalesce expected sparse coordinate tensor layout but got Strided")
is_coalesced = _no_coo("is_coalesced", "is_coalesced expected sparse coordinate tensor layout but got Strided")
indices = _no_coo("indices", "indices expected sparse coordinate tensor layout but got Strided")
values = _no_coo("values", "values expected sparse tensor layout but got Strided")


def mm(mat1: Any, mat2: Any, reduce: str | None = None) -> Any:
    """Return the product of a sparse or dense matrix and a dense one."""
    if reduce not in (None, "sum"):
        raise NotImplementedError(f"torch.sparse.mm(reduce={reduce!r}) is not part of dyncore")
    return product(mat1, mat2, adding=True) if isinstance(mat1, SparseTensor) else TABLE["mm"].entry(mat1, mat2)


def spmm(input: Any, mat2: Any) -> Any:
    """Return the product of a sparse or dense matrix and a dense one."""
    return product(input, mat2) if isinstance(input, SparseTensor) else TABLE["mm"].entry(input, mat2)


dsmm = spmm


def smm(input: Any, mat: Any) -> Any:
    """Return the product of a sparse matrix and a dense one, as a sparse tensor."""
    return to_sparse(spmm(input, mat))


def addmm(mat: Any, mat1: Any, mat2: Any, *, beta: float = 1.0, alpha: float = 1.0) -> Any:
    """Return `beta mat + alpha mat1 @ mat2`."""
    if not isinstance(mat1, SparseTensor):
        return TABLE["addmm"].entry(mat, mat1, mat2, beta=beta, alpha=alpha)
    added = product(mat1, mat2, adding=True)
    return (mat if beta == 1 else beta * mat) + (added if alpha == 1 else alpha * added)


def sum(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """Return the sum of all elements, or a sparse tensor of the sums along dimensions."""
    options = {} if dtype is None else {"dtype": dtype}
    if not isinstance(input, SparseTensor):
        return TABLE["sum"].entry(input, **options) if dim is None else TABLE["sum"].entry(input, dim, **options)
    return summed(input, dim, dtype)


def _soft(input: Any, dim: int, dtype: Any, name: str) -> Any:
    """Return softmax or its logarithm along a dimension; places that are zero have no part in it."""
    if not isinstance(input, SparseTensor):
        return TABLE[name].entry(input, dim, dtype=dtype)
    here = input.coalesce()
    values = here._vals if dtype is None else here._vals.to(dtype)
    others = [each for each in range(here.sparse_dim()) if each != dim % here.dim()]
    _, group = np.unique(here._coords[others], axis=1, return_inverse=True)
    group = group.reshape(-1)
    count = int(group.max()) + 1 if group.size else 0
    highest = np.full((count, *values.shape[1:]), -np.inf, values._array.dtype)
    with no_grad():
        np.maximum.at(highest, group, values._array)
    number = wrap(group, None)
    shifted = values - wrap(highest, None)[number]
    total = grouped(shifted.exp(), group, count)
    if name == "softmax":
        return here.like(shifted.exp() / total[number], "SparseSoftmaxBackward0")
    return here.like(shifted - total.log()[number], "SparseLogSoftmaxBackward0")


def softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Return softmax along a dimension."""
    return _soft(input, dim, dtype, "softmax")


def log_softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Return the logarithm of softmax along a dimension."""
    return _soft(input, dim, dtype, "log_softmax")


def with_rows(held: Any, grad: Any) -> Any:
    """Return a gradient by rows as a sparse tensor, added to what a leaf holds; dense if that is."""
    if held is not None and not held.is_sparse:
        return held + wrap(plain(grad), None)
    if held is None:
        return sparse(grad.numbers[None], wrap(grad.values.copy(), None), grad.shape)
    numbers, values = summed_rows(held._coords[0], held._vals._array, grad.numbers, grad.values)
    return sparse(numbers[None], wrap(values, None), grad.shape)


handlers.on_sparse = run


class _Kind(type):
    """The type of `torch.sparse.FloatTensor` and its siblings: calling one makes a sparse tensor."""

    kind: dtypes.dtype

    def __call__(cls, *given: Any, **options: Any) -> Any:
        if not given or isinstance(given[0], int):
            return sparse_coo_tensor(given, dtype=cls.kind)
        if isinstance(given[0], Size):
            return sparse_coo_tensor(given[0], dtype=cls.kind)
        made = sparse_coo_tensor(*given, **options)
        if made.dtype != cls.kind:
            raise RuntimeError(f"expected scalar type {cls.kind.title} but found {made.dtype.title}")
        return made

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, SparseTensor) and instance.dtype == cls.kind


def __getattr__(name: str) -> Any:
    kind = next((each for each in dtypes.ALL if name == f"{each.title}Tensor"), None)
    if kind is None:
        raise missing_name("torch.sparse", name, sys.modules[__name__])
    made = globals()[name] = _Kind(name, (), {"kind": kind, "__module__": "torch.sparse"})
    return made
