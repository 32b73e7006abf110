"""Writing into part of a tensor, and cutting a tensor off its history, in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dtypes.dtypes import F32, F64
from dyncore.dtypes.limits import check_scalar
from dyncore.errors.advice import advise
from dyncore.errors.explain import called, not_expanded, too_few_sizes
from dyncore.graph import events, versions
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.graph.known_shape import forget_known_shape
from dyncore.graph.modes import GRAD, NO_GRAD, current, is_inference_mode_enabled, plain
from dyncore.graph.node import AccumulateGrad
from dyncore.tensors.meta_array import MetaArray
from dyncore.tensors.overlap import check_apart
from dyncore.tensors.subscripts import in_steps_of_one, parts_of, split
from dyncore.tensors.tensor import Tensor, lead_views, steady, storage

from .inplace import check_writable, touched


@capture_as(REPLAYED)
def setitem(self: Tensor, index: Any, value: Any) -> None:
    """Compute `self[index] = value`, recorded.

    Through a view for integers and slices, by `index_put_` for tensors.
    """
    if _quickly(self, index, value):
        return
    given_parts = parts_of(index)
    if index.__class__ is list and given_parts[0] is not index:
        advise("list")
    parts = tuple(_plain(each) for each in given_parts)
    raw = tuple(each._array if isinstance(each, Tensor) else each for each in parts)
    basic, advanced = split(raw, self._array.shape)
    given = isinstance(value, Tensor)
    if not given:
        if not isinstance(value, (int, float, complex, np.number, np.bool_)):
            raise TypeError(f"can't assign a {called(value)} to a torch.{self.dtype.title}Tensor")
        if isinstance(value, (bool, int, float, complex)):
            check_scalar(value, self._array.dtype)
            value = np.asarray(value if self._array.dtype.kind in "bc" else value.real).astype(self._array.dtype)
        value = steady(np.asarray(value))
    recorded = current().grad and (self._edge is not None or value._edge is not None)
    if advanced is None:
        if recorded or events.listener is not None or _has_views(self) or not plain():
            if len(parts) == 1 and parts[0] is Ellipsis and self._array.ndim and not value._array.ndim:
                self.fill_(value)
                return
            view = self if len(parts) == 1 and parts[0] is Ellipsis else self[parts]
            trimmed = _trimmed(value, view._array.ndim)
            if trimmed._array.shape != view._array.shape:
                _check_fits(trimmed, view._array.shape)
            view.copy_(trimmed)
            return
        check_writable(self)
        _put(self, basic, value)
        return
    if value._array.dtype != self._array.dtype:
        if given and not _fills(raw, value):
            raise RuntimeError(
                "Index put requires the source and destination dtypes match, got "
                f"{self.dtype.title} for the destination and {value.dtype.title} for the source."
            )
        value = value.to(self.dtype)
    self.index_put_(parts, value)


def _quickly(self: Tensor, index: Any, value: Any) -> bool:
    """Write at once if nothing is recorded; return True if that was it.

    It asks less than `setitem` (tests/bench, calls: x[i] = 1.0).
    """
    mode = current()
    array = self._array
    if (
        self._edge is not None
        or self._meta is not None
        or array.__class__ is not np.ndarray
        or (array.dtype is not F32 and array.dtype is not F64)
        or (mode is not GRAD and mode is not NO_GRAD)
        or events.listener is not None
        or versions.guard is not None
        or not in_steps_of_one(index)
        or 0 in array.strides
    ):
        return False
    kind = value.__class__
    try:
        if kind is Tensor:
            if value._edge is not None or value._meta is not None or value._array.dtype is not array.dtype:
                return False
            value = value._array
            if value.__class__ is np.ndarray and (value is array or value.base is not None or array.base is not None):
                return False
            if array[index].shape != value.shape:
                return False
        elif kind is float:
            if (value > _MOST or value < -_MOST) and array.dtype is F32:
                return False
        elif kind is not int:
            return False
        array[index] = value
    except (IndexError, OverflowError):
        return False  # the long way says it in PyTorch's words
    versions.bump(array)
    return True


_MOST = float(np.finfo(F32).max)


def _check_fits(value: Tensor, shape: tuple[int, ...]) -> None:
    """Raise RuntimeError for a value that does not broadcast to what is written."""
    size = value._array.shape
    if len(size) > len(shape):
        raise too_few_sizes(value.dtype.title, size, shape)
    for back in range(1, len(size) + 1):
        if size[-back] not in (1, shape[-back]):
            raise not_expanded(size, shape, len(shape) - back)


def _fills(index: tuple[Any, ...], value: Tensor) -> bool:
    """Return True if one value is written where a mask is true, of any dtype."""
    picking = [each for each in index if each is not None and each is not Ellipsis and not isinstance(each, slice)]
    mask = np.asarray(picking[0]) if len(picking) == 1 else None
    if mask is None or mask.dtype != np.bool_ or value._array.size != 1:
        return False
    return mask.ndim > 0 or picking[0].__class__ is bool


def _put(self: Tensor, raw: Any, value: Tensor) -> None:
    target = storage(self)
    if target.__class__ is MetaArray:
        return
    part = target[raw]
    trimmed = _trimmed(value, part.ndim)
    source = trimmed._array
    if source.shape != part.shape:
        _check_fits(trimmed, part.shape)
    if source.__class__ is np.ndarray:
        check_apart(part, (trimmed,))
    versions.before_write(target)
    part[...] = source if part.dtype.kind == "c" or source.dtype.kind != "c" else source.real
    touched(self)


def _has_views(self: Tensor) -> bool:
    return self._meta is not None and (self._meta.base is not None or self._meta.inference)


def _plain(index: Any) -> Any:
    """Return a 0-d integer tensor as the integer it is; one of uint8 is a mask."""
    if (
        isinstance(index, Tensor)
        and index._array.ndim == 0
        and index._array.dtype.kind in "iu"
        and index._array.dtype != np.uint8
    ):
        number = int(index._array)
        tape = current().tape
        if tape is not None:
            tape.escape(index, "__index__", number)
        return number
    return index


def _trimmed(value: Tensor, ndim: int) -> Tensor:
    """Return `value` without leading dimensions of size 1 that the target has not."""
    while value._array.ndim > ndim and value._array.shape[0] == 1:
        value = value[0]
    return value


def detach_(self: Tensor) -> Tensor:
    """Remove the history of the tensor, in place.

    Raises RuntimeError for a view.
    """
    if self._meta is not None and self._meta.base is not None:
        raise RuntimeError(
            "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
            "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
            "detach_() cannot be called on these gradients. To fix this error, please refer to the "
            "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
        )
    if self._meta is not None:
        self._meta.retains = False
        self._meta.tangent = None
    if self._edge is not None and self._edge.__class__ is not AccumulateGrad:
        versions.note_detached(storage(self))
    self._edge = None
    lead_views(self)
    return self


def clear_gradient(grad: Any) -> None:
    """Set a gradient to zero in place, and remove its history."""
    if grad._edge is not None:
        grad.detach_()
    if grad.is_sparse:
        grad.zero_()
    else:
        target = storage(grad)
        target[...] = 0
        versions.bump(target)


def resize_(self: Tensor, *size: Any, memory_format: Any = None) -> Tensor:
    """Give the tensor another shape over its memory, which grows where it must.  Refused if it requires grad."""
    if self.requires_grad and not is_inference_mode_enabled():
        raise RuntimeError("cannot resize variables that require grad")
    shape = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
    array = storage(self)
    if shape == array.shape:
        return self
    count = int(np.prod(shape, dtype=np.int64))
    if count <= array.size and array.flags.c_contiguous:
        self._array = array.reshape(-1)[:count].reshape(shape)
    else:
        made = np.zeros(count, array.dtype)
        made[: min(count, array.size)] = array.reshape(-1)[:count]
        versions.carry(array, made, True)
        self._array = made.reshape(shape)
    forget_known_shape(self)
    touched(self)
    return self


def resize_as_(self: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    """Call `resize_` with the shape of another tensor."""
    return resize_(self, the_template._array.shape)


def set_(self: Tensor, source: Any = None, *rest: Any) -> Tensor:
    """Make the tensor look at the memory of `source`, or at none."""
    check_writable(self)
    self._array = np.zeros(0, self._array.dtype) if source is None else storage(source)
    forget_known_shape(self)
    versions.bump(storage(self))
    if self._edge.__class__ is AccumulateGrad:
        # What was computed before has nothing to do with the new memory.
        self._edge = self._edge.renewed(self)
    return self


METHODS: dict[str, Any] = {
    "__setitem__": setitem, "detach_": detach_, "resize_": resize_, "resize_as_": resize_as_, "set_": set_,
}  # fmt: skip
