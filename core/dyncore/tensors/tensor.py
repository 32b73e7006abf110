"""Tensor: an array, and the edge into the graph that made it.

`_array` is a NumPy array, or a NumPy scalar while a 0-d tensor shares its memory with nobody: scalars compute several
times faster than 0-d arrays (`storage` turns one into an array when something must alias it). `_edge` is None when the
tensor does not require grad. `_meta` holds what few tensors have. Methods for ops are bound by
`binding/bind.py` from the table.
There is no `__getattr__`: CPython finds the slots of a class that has one later (tests/bench, chain). Names of
PyTorch's that are missing are descriptors instead (`missing.py`), and misspelled ones Python itself corrects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.explain import no_dimension
from dyncore.graph import events, versions
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.graph.handlers import handlers
from dyncore.graph.modes import current
from dyncore.graph.names import titled
from dyncore.graph.node import DISCARD, AccumulateGrad, note_shape

from . import missing
from .meta_array import MetaArray
from .metadata import Meta, Shared, follow_base, own, storage as storage
from .size import META, Size, device, layout, strided
from .strides import inserted
from .to_python import Escapes, _escaped

cpu = device("cpu")


class Tensor(Escapes):
    """An n-dimensional array that remembers how it was computed.

    `Tensor(data)` makes a float tensor as PyTorch's old constructor does; `tensor(data)` is the usual way.
    """

    __slots__ = ("_array", "_edge", "_meta", "_trace", "__dict__", "__weakref__")
    __array_priority__ = 1000
    __array_ufunc__ = None

    _array: Any
    _edge: Any
    _meta: Meta | None
    _trace: int

    if TYPE_CHECKING:  # methods are bound from the table of ops and from the packages above, see `binding.bind`

        def __new__(cls, *data: Any, **kwargs: Any) -> Any: ...

        def __getattr__(self, name: str) -> Any: ...

    # -- what it is

    @property
    @capture_as(REPLAYED)
    def shape(self) -> Size:
        """The size of each dimension."""
        shape = Size(self._array.shape)
        if events.tapes or events.listener is not None:
            _escaped(self, "shape", shape)
        return shape

    @capture_as(REPLAYED)
    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the size of one dimension."""
        heard = events.tapes or events.listener is not None
        if dim.__class__ is int and not heard:
            try:
                return self._array.shape[dim]
            except IndexError:
                pass
        shape = self._array.shape if dim is not None and not heard else self.shape
        if dim is None:
            return shape
        if not shape:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        if not -len(shape) <= dim < len(shape):
            raise no_dimension(dim, len(shape))
        return shape[dim]

    @property
    @capture_as(REPLAYED)
    def ndim(self) -> int:
        """The number of dimensions."""
        ndim: int = self._array.ndim
        _escaped(self, "ndim", ndim)
        return ndim

    @capture_as(REPLAYED)
    def dim(self) -> int:
        """Return the number of dimensions."""
        return self.ndim

    ndimension = dim

    def _alike(self) -> Any:
        """Return an array of this shape, dtype and order; a lazy tensor has one without its value."""
        return self._array

    @capture_as(REPLAYED)
    def numel(self) -> int:
        """Return the number of elements."""
        size = int(self._array.size)
        _escaped(self, "numel", size)
        return size

    nelement = numel

    @property
    @capture_as(REPLAYED)
    def dtype(self) -> dtypes.dtype:
        """The element type."""
        return dtypes.of(self._array.dtype)

    @property
    @capture_as(REPLAYED)
    def device(self) -> device:
        """Return `device(type='cpu')`, or that of a tensor without elements, `device(type='meta')`."""
        return META if self._array.__class__ is MetaArray else cpu

    @property
    @capture_as(REPLAYED)
    def layout(self) -> layout:
        """Always `torch.strided`."""
        return strided

    @property
    @capture_as(REPLAYED)
    def itemsize(self) -> int:
        return int(self._array.dtype.itemsize)

    @capture_as(REPLAYED)
    def element_size(self) -> int:
        """Return the bytes of one element."""
        return int(self._array.dtype.itemsize)

    @property
    @capture_as(REPLAYED)
    def nbytes(self) -> int:
        return int(self._array.nbytes)

    @capture_as(REPLAYED)
    def stride(self, dim: int | None = None) -> Any:
        """Return the distance in memory, in elements, of neighbours in each dimension."""
        array = self._array
        strides = tuple(s // array.dtype.itemsize for s in array.strides) if array.ndim else ()
        if 0 in strides:
            strides = inserted(array.shape, strides)
        return strides if dim is None else strides[dim]

    def storage_offset(self) -> int:
        """Return the position of the first element in its memory, in elements."""
        array = storage(self)
        root = versions.owner(array)
        return int((array.__array_interface__["data"][0] - root.__array_interface__["data"][0]) // array.dtype.itemsize)

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        from .lazy_conj import located

        return located(storage(self))[0]

    @capture_as(REPLAYED)
    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Return whether the elements lie in C order, or as another format of memory says, without gaps."""
        array = np.asarray(self._array)
        if memory_format is None:
            return bool(array.flags.c_contiguous)
        from .strides import in_format

        return in_format(array, memory_format)

    @property
    def is_meta(self) -> bool:
        """Return whether the tensor has a shape and no elements."""
        return self._array.__class__ is MetaArray

    is_cuda = is_sparse = is_quantized = is_mkldnn = is_mps = is_nested = False
    is_sparse_csr = is_ipu = is_maia = is_mtia = is_vulkan = is_xla = is_xpu = False

    @capture_as(REPLAYED)
    def is_floating_point(self) -> bool:
        kind = self._array.dtype.kind
        return bool(kind == "f" or (kind == "V" and self.dtype.is_floating_point))

    @capture_as(REPLAYED)
    def is_complex(self) -> bool:
        return bool(self._array.dtype.kind == "c")

    @capture_as(REPLAYED)
    def is_signed(self) -> bool:
        return self.dtype.is_signed

    # -- autograd

    @property
    @capture_as(REPLAYED)
    def requires_grad(self) -> bool:
        """Return whether gradients are computed for this tensor, or for the one it is a view of."""
        if self._edge is not None:
            return True
        meta = self._meta
        return meta is not None and meta.base is not None and meta.base._edge is not None and not meta.untracked

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if value and not self.is_leaf:
            raise RuntimeError("you can only change requires_grad flags of leaf variables.")
        if value and self._array.dtype.kind not in "fc":
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        self.requires_grad_(value)

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Make a leaf require grad, or not, in place.  Raises RuntimeError for a non-leaf or an integer tensor."""
        edge = self._edge
        if edge is not None and edge.__class__ is not AccumulateGrad:
            if requires_grad:
                return self
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in "
                "a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        if not requires_grad:
            if edge is not None:
                versions.before_change(self)
                _meta(self).grad = edge.grad
                self._edge = None
                lead_views(self)
        elif edge is None:
            if self._array.dtype.kind not in "fc":
                raise RuntimeError("only Tensors of floating point dtype can require gradients")
            if self._meta is not None and self._meta.inference:
                from dyncore.graph.modes import be_careful, is_inference_mode_enabled

                if not is_inference_mode_enabled():
                    raise RuntimeError(
                        "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
                    )
                be_careful(self)
            versions.before_change(self)
            self._edge = AccumulateGrad(self, self._meta.grad if self._meta else None)
            if self._meta is not None and self._meta.grad_dtype is not False:
                self.grad_dtype = self._meta.grad_dtype
            lead_views(self)
        return self

    @property
    @capture_as(REPLAYED)
    def is_leaf(self) -> bool:
        """Return whether it was not computed from others that require grad.  Raises for a view that cannot know it."""
        edge = self._edge
        if self._meta is not None and self._meta.seen is not None:
            _check_history(self)
        return edge is None or edge.__class__ is AccumulateGrad or edge.node is None

    @property
    def grad_fn(self) -> Any:
        """The node that made this tensor, or None for a leaf.  Raises RuntimeError for a view that cannot know it."""
        edge = self._edge
        if self._meta is not None and self._meta.seen is not None:
            _check_history(self)
        if edge is None or edge.__class__ is AccumulateGrad:
            return None
        node = edge.node
        if not node.outputs_known:
            note_shape(node, self._array)
        return titled(node)

    @grad_fn.deleter
    def grad_fn(self) -> None:
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    _grad_fn = grad_fn

    @property
    def output_nr(self) -> int:
        edge = self._edge
        return 0 if edge is None else int(edge.index)

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward accumulated here, or None."""
        edge = self._edge
        if edge.__class__ is AccumulateGrad and edge is not DISCARD:
            return edge.grad
        meta = self._meta
        if edge is not None and edge is not DISCARD and (meta is None or not meta.retains):
            from dyncore.errors.explain import warn_non_leaf_grad

            warn_non_leaf_grad()
        return None if meta is None else meta.grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            _check_assigned_grad(self, value)
        edge = self._edge
        if edge.__class__ is AccumulateGrad and edge is not DISCARD:
            edge.grad = value
        else:
            _meta(self).grad = value

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    _grad = grad

    @property
    def data(self) -> Tensor:
        """The same memory without history, whose writes count apart from this tensor's; prefer `detach()`."""
        made = wrap(storage(self).view(), None)
        _meta(made).untracked = versions.apart(made._array)
        if events.listener is not None:
            events.listener.data(self, made)
        return made

    @data.setter
    def data(self, value: Tensor) -> None:
        from .set_data import replace_data

        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        replace_data(self, value)

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    @property
    def _version(self) -> int:
        if self._meta is not None:
            if self._meta.inference:
                raise RuntimeError("Inference tensors do not track version counter.")
            if self._meta.untracked:
                return int(self._meta.untracked.count())
        return versions.version(self._array)

    @property
    def _cdata(self) -> int:
        return id(self)

    @property
    def _base(self) -> Tensor | None:
        return None if self._meta is None else self._meta.base

    def _is_view(self) -> bool:
        return self._base is not None

    def is_inference(self) -> bool:
        """Return whether the tensor was made under `inference_mode`."""
        return self._meta is not None and self._meta.inference

    @property
    def name(self) -> str | None:
        return None if self._meta is None else self._meta.name

    def __dir__(self) -> list[str]:
        return sorted(set(object.__dir__(self)).difference(missing.NAMES, ("_trace",)))


def wrap(array: Any, edge: Any) -> Tensor:
    """Return a Tensor of `array`, which is an ndarray or a NumPy scalar and is not copied."""
    made: Tensor = object.__new__(Tensor)
    made._array = array
    made._edge = edge
    made._meta = None
    return made


def steady(array: Any) -> Tensor:
    """Return a tensor of a fresh array that follows from shapes and numbers alone: a constant of a recording."""
    made = wrap(array, None)
    tape = current().tape
    if tape is not None:
        tape.created(made, False, "steady", (), None)
    return made


def _meta(tensor: Tensor) -> Meta:
    """Return the tensor's own `Meta`, to write into; made when first asked for."""
    if tensor._meta is None or tensor._meta.__class__ is Shared:
        tensor._meta = own(tensor._meta)
    return tensor._meta


def lead_views(base: Tensor) -> None:
    """Let views that were made before `base` required grad, or no longer does, require it like the base."""
    if base._meta is not None and base._meta.views:
        follow_base(base)


def _check_assigned_grad(tensor: Any, value: Any) -> None:
    """Raise as PyTorch does for a `.grad`, not None, that does not fit its tensor."""
    from dyncore.errors.explain import WORDS

    if not isinstance(value, Tensor):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
    if value is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    wanted = tensor.grad_dtype if tensor.is_leaf else tensor.dtype
    if wanted is not None and value.dtype != wanted:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{WORDS[str(value._array.dtype)]}' to a tensor with "
            f"grad_dtype '{wanted.title}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
            "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. "
            "Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream "
            "systems that assume they match."
        )
    if value._array.shape != tensor._array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(value._array.shape)}' to a tensor of size "
            f"'{list(tensor._array.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )


def _check_history(view: Tensor) -> None:
    """Raise RuntimeError for a view made under no_grad whose memory was written since, if its base requires grad."""
    meta = view._meta
    assert meta is not None and meta.seen is not None
    found = versions.stamps(view._array)
    if found is not None and found.ranks and found.ranks[-1] < meta.seen and meta.base.requires_grad:
        raise RuntimeError(handlers.forbidden(view, "its base or another view of its base has been"))
