"""`torch.sparse`: tensors given by their elements and the places of these, as far as scripts use them.

A `SparseTensor` has `_coords` (sparse_dim, nnz), an array, and `_vals` (nnz, *dense dims), a tensor with its history.
Products, transposes, `coalesce`, sums and softmax work on these; any other op sees the dense tensor, which is made when
it is first asked for and cannot be written into.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.creation.interop import as_tensor
from dyncore.creation.printing import Layout, joined
from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.errors.explain import missing_name
from dyncore.graph.modes import no_grad
from dyncore.tensors.size import Size, check_device, sparse_coo
from dyncore.tensors.tensor import Tensor, wrap

__dyncore__ = True
__path__: list[str] = []

__all__ = [
    "addmm", "log_softmax", "mm", "softmax", "sparse_coo_tensor", "sum",
]  # fmt: skip

_MADE = "SparseCooTensorWithDimsAndTensors"
_sum, _len = sum, len


def _elementwise(name: str) -> Any:
    """Return the method of an op that leaves zeros as they are."""

    def method(self: SparseTensor, *args: Any) -> SparseTensor:
        here = self.coalesce()
        return here._with(TABLE[name].entry(here._vals, *args), name.title())

    method.__name__ = name
    return method


def _cast(dtype: dtypes.dtype) -> Any:
    return lambda self: self.to(dtype)


class SparseTensor(Tensor):
    """A tensor whose elements are zero but at some places."""

    _coords: Any
    _vals: Tensor
    _sizes: tuple[int, ...]
    _title: str | None  # of the op that made it
    _sorted: bool  # whether it is coalesced
    is_sparse = True
    _meta = None

    @property
    def _array(self) -> Any:
        return self._densified()._array

    @property
    def _edge(self) -> Any:
        return self._densified()._edge if self._vals.requires_grad else None

    def _densified(self) -> Tensor:
        dense: Tensor | None = self.__dict__.get("_dense")
        if dense is None:
            dense = self.__dict__["_dense"] = self.to_dense()
            dense._array.flags.writeable = False  # a write would be lost
        return dense

    # -- what it is

    @property
    def shape(self) -> Size:
        """The size of each dimension."""
        return Size(self._sizes)

    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the size of one dimension."""
        return self.shape if dim is None else self._sizes[dim]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return _len(self._sizes)

    def dim(self) -> int:
        """Return the number of dimensions."""
        return _len(self._sizes)

    def numel(self) -> int:
        """Return the number of elements, zeros too."""
        return math.prod(self._sizes)

    def __len__(self) -> int:
        return int(self._sizes[0])

    @property
    def dtype(self) -> dtypes.dtype:
        """The element type."""
        return self._vals.dtype

    @property
    def layout(self) -> Any:
        """`torch.sparse_coo`."""
        return sparse_coo

    def is_floating_point(self) -> bool:
        """Return whether the elements are floats."""
        return self._vals.is_floating_point()

    def is_complex(self) -> bool:
        """Return whether the elements are complex."""
        return self._vals.is_complex()

    def type(self, dtype: Any = None) -> Any:
        """Return the name of the type, or the tensor in another dtype."""
        return f"torch.sparse.{self.dtype.title}Tensor" if dtype is None else self._with(self._vals.type(dtype))

    # -- its parts

    def indices(self) -> Tensor:
        """Return the places, (sparse_dim, nnz).  Raises RuntimeError unless it is coalesced."""
        return wrap(self._checked("indices")._coords, None)

    def values(self) -> Tensor:
        """Return the elements.  Raises RuntimeError unless it is coalesced."""
        values: Tensor = self._checked("values")._vals.view_as(self._vals)
        return values

    def _checked(self, what: str) -> SparseTensor:
        if not self._sorted:
            raise RuntimeError(f"Cannot get {what} on an uncoalesced tensor, please call .coalesce() first")
        return self

    def _indices(self) -> Tensor:
        return wrap(self._coords, None)

    def _values(self) -> Tensor:
        return self._vals.detach()

    def _nnz(self) -> int:
        return int(self._coords.shape[1])

    def sparse_dim(self) -> int:
        """Return the number of dimensions that have indices."""
        return int(self._coords.shape[0])

    def dense_dim(self) -> int:
        """Return the number of dimensions of each element."""
        return self._vals.dim() - 1

    def is_coalesced(self) -> bool:
        """Return whether the places are in order and none occurs twice."""
        return self._sorted

    def coalesce(self) -> SparseTensor:
        """Return the tensor with its places in order and the elements of equal places summed."""
        if self._sorted:
            return self
        count = self.sparse_dim()
        flat = np.ravel_multi_index(tuple(self._coords), self._sizes[:count]) if count else self._coords[0]
        places, first, group = np.unique(flat, return_index=True, return_inverse=True)
        if _len(places) == _len(flat):
            values = self._vals[wrap(first, None)]
        else:
            values = _grouped(self._vals, group.reshape(-1), _len(places))
        return sparse(self._coords[:, first], values, self._sizes, "Coalesce", coalesced=True)

    def to_dense(self, dtype: Any = None, *, masked_grad: Any = None) -> Tensor:
        """Return the dense tensor."""
        dense: Tensor = TABLE["sparse_to_dense"].entry(self._vals, wrap(self._coords, None), self._sizes)
        return dense if dtype is None else dense.to(dtype)

    def to_sparse(self, *given: Any, **options: Any) -> SparseTensor:
        """Return the tensor itself."""
        return self

    to_sparse_coo = to_sparse

    # -- autograd

    @property
    def requires_grad(self) -> bool:
        """True if gradients are computed for its elements."""
        return self._vals.requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self._vals.requires_grad = value

    def requires_grad_(self, requires_grad: bool = True) -> SparseTensor:
        """Let gradients be computed for its elements, or not."""
        self._vals.requires_grad_(requires_grad)
        return self

    @property
    def is_leaf(self) -> bool:
        """True if its elements come from no op."""
        return not self._vals.requires_grad or (self._title is None and self._vals.is_leaf)

    @property
    def grad(self) -> Any:
        """The gradient of a leaf, sparse with the same places."""
        return None if self._vals.grad is None else sparse(self._coords, self._vals.grad, self._sizes)

    @grad.setter
    def grad(self, value: Any) -> None:
        self._vals.grad = None if value is None else value._vals

    def detach(self) -> SparseTensor:
        """Return the tensor without its history."""
        return self._with(self._vals.detach(), None)

    data = property(detach)

    # -- other dtypes, copies

    def _with(self, values: Any, title: str | None = "") -> SparseTensor:
        """Return a tensor with other elements at the same places; title: of the op, "" for the same as before."""
        title = self._title if title == "" else title
        return sparse(self._coords, values, self._sizes, title, coalesced=self._sorted)

    def to(self, *args: Any, **kwargs: Any) -> SparseTensor:
        """Return the tensor in another dtype."""
        values = self._vals.to(*args, **kwargs)
        return self if values is self._vals else self._with(values, "ToCopy")

    def clone(self, *, memory_format: Any = None) -> SparseTensor:
        """Return a copy."""
        return self._with(self._vals.clone(), "Clone")

    def __deepcopy__(self, memo: Any) -> SparseTensor:
        return self._with(self._vals.__deepcopy__(memo))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return sparse, (self._coords, self._vals, self._sizes, None, self._sorted)

    # -- what it is computed with

    def transpose(self, dim0: int, dim1: int) -> SparseTensor:
        """Return the tensor with two of its dimensions exchanged."""
        return self._transposed(dim0, dim1, "Transpose")

    def t(self) -> SparseTensor:
        """Return the transposed matrix."""
        return self._transposed(0, 1, "T")

    T = property(t)

    def _transposed(self, dim0: int, dim1: int, title: str) -> SparseTensor:
        order, sizes = list(range(self.sparse_dim())), list(self._sizes)
        order[dim0], order[dim1] = order[dim1], order[dim0]
        sizes[dim0], sizes[dim1] = sizes[dim1], sizes[dim0]
        return sparse(self._coords[order], self._vals, tuple(sizes), title)

    def matmul(self, other: Any) -> Any:
        """Return the product with a dense matrix or vector."""
        return product(self, other)

    mm = mv = spmm = __matmul__ = matmul

    def sum(self, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
        """Return the sum of all elements, or a sparse tensor of the sums along dimensions."""
        return sum(self, dim, dtype)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, SparseTensor):
            return self.to_dense() + other
        coords = np.concatenate((self._coords, other._coords), 1)
        values = TABLE["cat"].entry([self._vals, other._vals])
        added = sparse(coords, values, self._sizes).coalesce()
        return added._with(added._vals, "Add")

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, SparseTensor):
            return self.to_sparse_product(other)
        if isinstance(other, Tensor) and other.dim():
            other = other.expand(self._sizes)[tuple(wrap(each, None) for each in self._coords)]
        return self._with(self._vals * other, "Mul")

    __rmul__ = mul = __mul__
    add, sub = __add__, __sub__

    def to_sparse_product(self, other: SparseTensor) -> SparseTensor:
        """Return the product element by element, at the places of this tensor."""
        here = self.coalesce()
        dense = other.to_dense()[tuple(wrap(each, None) for each in here._coords)]
        return here._with(here._vals * dense, "Mul")

    def __truediv__(self, other: Any) -> SparseTensor:
        return self._with(self._vals / other, "Div")

    div = __truediv__

    def __repr__(self, **options: Any) -> str:
        return _text(self)

    __str__ = __repr__
    abs, neg, relu, sin, sqrt, square, tanh = (
        _elementwise(name) for name in ("abs", "neg", "relu", "sin", "sqrt", "square", "tanh")
    )
    __neg__, __abs__ = neg, abs
    pow = __pow__ = _elementwise("pow")

    def __format__(self, spec: str) -> str:
        return format(_text(self), spec)

    def cpu(self, memory_format: Any = None) -> SparseTensor:
        """Return the tensor itself."""
        return self

    def cuda(self, device: Any = None, **options: Any) -> None:
        """Raise the error that there is no GPU here."""
        check_device("cuda")

    def numpy(self, *, force: bool = False) -> Any:
        """Raise TypeError: call `to_dense` first."""
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")


for _name in ("float", "double", "half", "int", "long"):
    setattr(SparseTensor, _name, _cast(dtypes.ALIASES[_name]))


def sparse(
    coords: Any, values: Tensor, sizes: tuple[int, ...], title: str | None = None, coalesced: bool = False
) -> SparseTensor:
    """Return a sparse tensor of its parts; title: of the op that its `grad_fn` is printed as."""
    made: SparseTensor = object.__new__(SparseTensor)
    made.__dict__.update(_coords=coords, _vals=values, _sizes=tuple(sizes), _title=title, _sorted=coalesced)
    return made


def _grouped(values: Tensor, group: Any, count: int) -> Tensor:
    """Return the sums of the values by the numbers of their groups."""
    return values.new_zeros((count, *values.shape[1:])).index_add(0, wrap(group, None), values)  # type: ignore[no-any-return]


def sparse_coo_tensor(
    indices: Any, values: Any = None, size: Any = None, *, dtype: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False, check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> SparseTensor:  # fmt: skip
    """Make a tensor of `values` (nnz, *) at `indices` (sparse_dim, nnz); without size, the smallest that holds them.

    `sparse_coo_tensor(size)` has no elements.  Raises RuntimeError where indices, values and size do not fit.
    """
    check_device(device)
    if values is None:
        sizes = tuple(indices)
        kind = dtypes.get_default_dtype() if dtype is None else dtype
        values = wrap(np.zeros(0, dtypes.to_numpy(kind)), None)
        return sparse(np.zeros((_len(sizes), 0), np.int64), values.requires_grad_(requires_grad), sizes)
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
        least = coords.max(1) + 1 if coords.size else np.zeros(_len(coords), np.int64)
        size = (*least.tolist(), *given.shape[1:])
    _check_places(coords, given, tuple(size))
    if requires_grad:
        return sparse(coords, given.detach().requires_grad_(), tuple(size))
    return sparse(coords, given, tuple(size), _MADE if given.requires_grad else None)


def _check_places(coords: Any, values: Tensor, sizes: tuple[int, ...]) -> None:
    """Raise RuntimeError where a place lies outside the size."""
    if _len(sizes) != _len(coords) + values.dim() - 1:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {_len(sizes)}, sparse_dim = "
            f"{_len(coords)}, dense_dim = {values.dim() - 1}"
        )
    if coords.size and (coords.min() < 0):
        raise RuntimeError(f"found negative index {coords.min()} for dim {int(coords.min(1).argmin())}")
    for dim, row in enumerate(coords):
        if row.size and row.max() >= sizes[dim]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {dim}, size is {sizes[dim]} but found index {row.max()}"
            )


def to_sparse(self: Tensor, sparse_dim: Any = None, *, layout: Any = None, **options: Any) -> SparseTensor:
    """Return the elements of a dense tensor that are not zero, as a sparse one."""
    if layout not in (None, sparse_coo):
        raise NotImplementedError(f"dyncore has sparse tensors of layout torch.sparse_coo alone, not {layout}")
    array = np.asarray(self._array)
    dims = array.ndim if sparse_dim is None else int(sparse_dim)
    coords = np.stack(np.nonzero(array.any(axis=tuple(range(dims, array.ndim)))))
    values = self[tuple(wrap(each, None) for each in coords)]
    return sparse(coords, values, array.shape, "ToSparse", coalesced=True)


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


def product(mat1: SparseTensor, mat2: Any, adding: bool = False) -> Any:
    """Return the product of a sparse matrix and a dense matrix or vector.  Raises RuntimeError for other sizes."""
    if isinstance(mat2, SparseTensor):
        return to_sparse(product(mat1, mat2.to_dense()))
    rows, inner = mat1._sizes
    if mat2.dim() not in (1, 2) or mat2.shape[0] != inner:
        if mat2.dim() == 1:
            raise RuntimeError(f"size mismatch, got input ({rows}x{inner}) and vec ({mat2.shape[0]})")
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {inner}, got {mat2.shape[0]}")
    if mat1.dtype != mat2.dtype:
        raise RuntimeError(f"expected scalar type {mat1.dtype.title} but found {mat2.dtype.title}")
    coords = wrap(mat1._coords[0], None), wrap(mat1._coords[1], None)
    return TABLE["sparse_product"].entry(mat1._vals, mat2, *coords, rows, adding)


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
    summed = sparse(input._coords[left], values, sizes).coalesce()
    return summed._with(summed._vals, "SparseSum")


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
    total = _grouped(shifted.exp(), group, count)
    if name == "softmax":
        return here._with(shifted.exp() / total[number], "SparseSoftmax")
    return here._with(shifted - total.log()[number], "SparseLogSoftmax")


def softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Return softmax along a dimension."""
    return _soft(input, dim, dtype, "softmax")


def log_softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Return the logarithm of softmax along a dimension."""
    return _soft(input, dim, dtype, "log_softmax")


def _text(tensor: SparseTensor) -> str:
    """Return the `repr`: places, elements, then size, count, dtype, layout and history."""
    parts = []
    for title, array in (("indices", tensor._coords), ("values", np.asarray(tensor._vals._array))):
        start = ("tensor(" if title == "indices" else " " * 7) + f"{title}=tensor("
        if array.size:
            text = Layout(array).text(array, _len(start))
        else:
            text = f"[], size={tuple(array.shape)}"
        parts.append(f"{start}{text})")
    suffixes = [f"size={tensor._sizes}", f"nnz={tensor._nnz()}", f"layout={sparse_coo}"]
    if tensor.dtype not in (dtypes.get_default_dtype(), dtypes.default_complex(), dtypes.int64, dtypes.bool_):
        suffixes.insert(2, f"dtype={tensor.dtype}")
    if tensor.requires_grad:
        leaf = tensor.is_leaf
        suffixes.append("requires_grad=True" if leaf else f"grad_fn=<{tensor._title or _MADE}Backward0>")
    return joined(",\n".join(parts), suffixes, 7, apart=True)


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
