"""Tensors given by their elements and the places of these, as `torch.sparse` makes them.

A `SparseTensor` has `_coords` (sparse_dim, nnz), an array, and `_vals` (nnz, *dense dims), a tensor with its history.
`compat/sparse_rules.py` has the ops whose result is sparse; any other op sees the dense tensor, which is made when it
is first asked for and cannot be written into.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.creation.printing import Layout, joined
from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.graph.modes import is_grad_enabled
from dyncore.tensors.size import Size, check_device, sparse_coo
from dyncore.tensors.tensor import Tensor, cpu, wrap

MADE = "SparseCooTensorWithDimsAndTensorsBackward0"


def _cast(dtype: dtypes.dtype) -> Any:
    return lambda self: self.to(dtype)


class SparseTensor(Tensor):
    """A tensor whose elements are zero but at some places."""

    _coords: Any
    _vals: Tensor
    _sizes: tuple[int, ...]
    _node: str | None  # the name of the node that made it
    _sorted: bool  # whether it is coalesced
    is_sparse = True
    is_meta = False
    device = cpu
    _meta = None

    @property
    def _array(self) -> Any:
        if sys._getframe(1).f_code.co_filename == "<dyncore>":  # a function written for an op takes the general path
            raise AttributeError("_array")
        return self.densified()._array

    @property
    def _edge(self) -> Any:
        return self.densified()._edge if self._vals.requires_grad else None

    def densified(self) -> Tensor:
        """Return the dense tensor, which cannot be written into."""
        version, dense = self.__dict__.get("_dense", (None, None))
        if version != self._vals._version:
            dense = self.to_dense()
            self.__dict__["_dense"] = self._vals._version, dense
            dense._array.flags.writeable = False  # a write would be lost
        return dense

    # -- in place

    def _written(self, result: Any) -> SparseTensor:
        """Become `result`, in place."""
        if self.is_leaf and self.requires_grad and is_grad_enabled():
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        if result.dtype != self.dtype:
            raise RuntimeError(
                f"result type {result.dtype.title} can't be cast to the desired output type {self.dtype.title}"
            )
        for name in ("_dense", "_full"):
            self.__dict__.pop(name, None)
        self.__dict__.update(result.__dict__)
        return self

    def add_(self, other: Any, *, alpha: Any = 1) -> SparseTensor:
        """Add a sparse tensor in place."""
        return self._written(self.add(other, alpha=alpha))

    def sub_(self, other: Any, *, alpha: Any = 1) -> SparseTensor:
        """Subtract a sparse tensor in place."""
        return self._written(self.sub(other, alpha=alpha))

    def mul_(self, other: Any) -> SparseTensor:
        """Multiply in place."""
        self._written(self * other)
        self._sorted = False  # as PyTorch leaves it
        return self

    def div_(self, other: Any) -> SparseTensor:
        """Divide in place."""
        return self._written(self / other)

    def neg_(self) -> SparseTensor:
        """Negate in place."""
        return self._written(self.like(-self._vals, "NegBackward0"))

    def zero_(self) -> SparseTensor:
        """Drop all elements."""
        return self._written(self.without_elements())

    def copy_(self, source: Any, non_blocking: bool = False) -> SparseTensor:
        """Take the places and the elements of a sparse tensor."""
        if not isinstance(source, SparseTensor):
            raise RuntimeError("copy_() between dense and sparse Tensors is not implemented!")
        return self._written(source.clone().to(self.dtype))

    __iadd__, __isub__, __imul__, __itruediv__ = add_, sub_, mul_, div_

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
        return len(self._sizes)

    def dim(self) -> int:
        """Return the number of dimensions."""
        return len(self._sizes)

    def numel(self) -> int:
        """Return the number of elements, zeros too."""
        return math.prod(self._sizes)

    nelement = numel

    def element_size(self) -> int:
        """Return the bytes of an element."""
        return self._vals.element_size()

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Return False: there is no memory for all elements."""
        return False

    def __len__(self) -> int:
        return int(self._sizes[0])

    def __iter__(self) -> Any:
        return iter(self.unbind(0))

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
        return f"torch.sparse.{self.dtype.title}Tensor" if dtype is None else self.like(self._vals.type(dtype))

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
        if len(places) == len(flat):
            values = self._vals[wrap(first, None)]
        else:
            values = grouped(self._vals, group.reshape(-1), len(places))
        made = sparse(self._coords[:, first], values, self._sizes, "CoalesceBackward0", coalesced=True)
        return made.with_full(self, lambda full: full)

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
    def grad_fn(self) -> Any:
        """The node that made it, as the dense tensor has it; None for a leaf."""
        return None if self.is_leaf else self.densified().grad_fn

    @property
    def is_leaf(self) -> bool:
        """True if its elements come from no op."""
        return not self._vals.requires_grad or (self._node is None and self._vals.is_leaf)

    @property
    def grad(self) -> Any:
        """The gradient of a leaf: dense by `mm`, `mv`, `sum` and the sum with a dense tensor, else sparse."""
        own = None if self._vals.grad is None else sparse(self._coords, self._vals.grad, self._sizes)
        full = self.__dict__["_full"].grad if "_full" in self.__dict__ else None
        return own if full is None else full if own is None else full + own.to_dense()

    @grad.setter
    def grad(self, value: Any) -> None:
        self.__dict__.pop("_full", None)
        self._vals.grad = None
        if isinstance(value, SparseTensor):
            self._vals.grad = value._vals
        elif value is not None:
            self.full().grad = value

    def has_dense_gradient(self) -> bool:
        """Return whether its gradient by a product with a dense matrix is dense: that of a leaf or linear in one."""
        return self._vals.requires_grad and is_grad_enabled() and (self.is_leaf or "_full" in self.__dict__)

    def full(self) -> Tensor:
        """Return zeros of its size, without memory of their own, that collect the dense gradient of a leaf."""
        zeros: Tensor | None = self.__dict__.get("_full")
        if zeros is None:
            array = np.broadcast_to(np.zeros((), self._vals._array.dtype), self._sizes)
            zeros = self.__dict__["_full"] = wrap(array, None).requires_grad_()
        return zeros

    def with_full(self, source: SparseTensor, linear: Callable[[Tensor], Tensor]) -> SparseTensor:
        """Return the tensor, which `linear` makes of `source`, with zeros that lead a dense gradient back to it."""
        if source.has_dense_gradient():
            self.__dict__["_full"] = linear(source.full())
        return self

    def detach(self) -> SparseTensor:
        """Return the tensor without its history."""
        return self.like(self._vals.detach(), None)

    data = property(detach)

    # -- other dtypes, copies

    def like(self, values: Any, node: str | None = "") -> SparseTensor:
        """Return a tensor with other elements at the same places; node: its name, "" for the same as before."""
        node = self._node if node == "" else node
        return sparse(self._coords, values, self._sizes, node, coalesced=self._sorted)

    def without_elements(self) -> SparseTensor:
        """Return zeros of the same size and dtype."""
        return sparse(self._coords[:, :0], self._vals[:0].detach(), self._sizes, coalesced=True)

    def to(self, *args: Any, **kwargs: Any) -> SparseTensor:
        """Return the tensor in another dtype."""
        values = self._vals.to(*args, **kwargs)
        return self if values is self._vals else self.like(values, "ToCopyBackward0")

    def clone(self, *, memory_format: Any = None) -> SparseTensor:
        """Return a copy."""
        return self.like(self._vals.clone(), "CloneBackward0")

    def __deepcopy__(self, memo: Any) -> SparseTensor:
        return self.like(self._vals.__deepcopy__(memo))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return sparse, (self._coords, self._vals, self._sizes, None, self._sorted)

    # -- what it is computed with

    def transposed(self, dim0: int, dim1: int, node: str) -> SparseTensor:
        """Return the tensor with two of its sparse dimensions exchanged."""
        order, sizes = list(range(self.sparse_dim())), list(self._sizes)
        order[dim0], order[dim1] = order[dim1], order[dim0]
        sizes[dim0], sizes[dim1] = sizes[dim1], sizes[dim0]
        made = sparse(self._coords[order], self._vals, tuple(sizes), node)
        return made.with_full(self, lambda full: full.transpose(dim0, dim1))

    def __repr__(self, **options: Any) -> str:
        return _text(self)

    __str__ = __repr__

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


for _name, _dtype in {**dtypes.ALIASES, "bool": dtypes.bool_}.items():
    if _name in ("float", "double", "half", "int", "long", "bool"):
        setattr(SparseTensor, _name, _cast(_dtype))


def sparse(
    coords: Any, values: Tensor, sizes: tuple[int, ...], node: str | None = None, coalesced: bool = False
) -> SparseTensor:
    """Return a sparse tensor of its parts; node: the name that its `grad_fn` is printed as."""
    made: SparseTensor = object.__new__(SparseTensor)
    made.__dict__.update(
        _coords=coords,
        _vals=values,
        _sizes=tuple(sizes),
        _node=node if values.requires_grad else None,
        _sorted=coalesced,
    )
    return made


def grouped(values: Tensor, group: Any, count: int) -> Tensor:
    """Return the sums of the values by the numbers of their groups."""
    return values.new_zeros((count, *values.shape[1:])).index_add(0, wrap(group, None), values)


def to_sparse(self: Tensor, sparse_dim: Any = None, *, layout: Any = None, **options: Any) -> SparseTensor:
    """Return the elements of a dense tensor that are not zero, as a sparse one."""
    if layout not in (None, sparse_coo):
        raise NotImplementedError(f"dyncore has sparse tensors of layout torch.sparse_coo alone, not {layout}")
    array = np.asarray(self._array)
    dims = array.ndim if sparse_dim is None else int(sparse_dim)
    coords = np.stack(np.nonzero(array.any(axis=tuple(range(dims, array.ndim)))))
    values = self[tuple(wrap(each, None) for each in coords)]
    return sparse(coords, values, array.shape, "ToSparseBackward0", coalesced=True)


def product(mat1: SparseTensor, mat2: Any, adding: bool = False) -> Any:
    """Return the product of a sparse matrix and a dense matrix or vector.  Raises RuntimeError for other sizes."""
    if isinstance(mat2, SparseTensor):
        both = to_sparse(product(mat1, mat2.to_dense(), adding=True))
        return both.like(both._vals, "SparseSparseMatmulBackward0" if adding else "MmBackward0")
    rows, inner = mat1._sizes
    if mat2.dim() not in (1, 2) or mat2.shape[0] != inner:
        if mat2.dim() == 1:
            raise RuntimeError(f"size mismatch, got input ({rows}x{inner}) and vec ({mat2.shape[0]})")
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {inner}, got {mat2.shape[0]}")
    if mat1.dtype != mat2.dtype:
        raise RuntimeError(f"expected scalar type {mat1.dtype.title} but found {mat2.dtype.title}")
    coords = wrap(mat1._coords[0], None), wrap(mat1._coords[1], None)
    if not adding and mat1.has_dense_gradient():
        return TABLE["sparse_product"].entry(mat1._vals.detach(), mat2, *coords, rows, adding, mat1.full())
    return TABLE["sparse_product"].entry(mat1._vals, mat2, *coords, rows, adding)


def _text(tensor: SparseTensor) -> str:
    """Return the `repr`: places, elements, then size, count, dtype, layout and history."""
    parts = []
    for title, array in (("indices", tensor._coords), ("values", np.asarray(tensor._vals._array))):
        start = ("tensor(" if title == "indices" else " " * 7) + f"{title}=tensor("
        if array.size:
            text = Layout(array).text(array, len(start))
        else:
            text = f"[], size={tuple(array.shape)}"
        parts.append(f"{start}{text})")
    suffixes = [f"size={tensor._sizes}", f"nnz={tensor._nnz()}", f"layout={sparse_coo}"]
    if tensor.dtype not in (dtypes.get_default_dtype(), dtypes.default_complex(), dtypes.int64, dtypes.bool_):
        suffixes.insert(2, f"dtype={tensor.dtype}")
    if tensor.requires_grad:
        leaf = tensor.is_leaf
        suffixes.append("requires_grad=True" if leaf else f"grad_fn=<{tensor._node or MADE}>")
    return joined(",\n".join(parts), suffixes, 7, apart=True)
