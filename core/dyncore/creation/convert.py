"""Conversions of a tensor: `to`, `type`, `float`, `cpu`, ...

Each returns the tensor itself when nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.errors.explain import warn_once
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.tensors.lazy_conj import bits
from dyncore.tensors.meta_array import MetaArray, no_elements
from dyncore.tensors.size import META, on_meta, unavailable
from dyncore.tensors.strides import suits
from dyncore.tensors.tensor import Tensor, storage, wrap
from dyncore.tensors.to_python import _escaped


@capture_as(REPLAYED)
def to(
    self: Tensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    other: Tensor | None = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """Return the tensor with another dtype, device or memory format.

    Called as `to(dtype)`, `to(device)`, `to(device, dtype)` or `to(other)`, then `non_blocking`, `copy`.
    Returns the tensor itself if nothing changes, unless `copy` is True.
    """
    flags: list[Any] = []
    for position, value in enumerate(args):
        if value.__class__ is dtypes.dtype or value.__class__ is type:
            dtype = value
        elif isinstance(value, Tensor) and not position:
            other = value
        elif isinstance(value, bool):
            flags.append(value)
        elif value is not None and (position == 0 or (position == 1 and dtype is None)):
            device = value
    if len(flags) == 2:
        copy = flags[1]
    if other is not None:
        dtype, device = other.dtype, META if other.is_meta else device
    if device is not None and on_meta(device) is not self.is_meta:
        return _without_elements(self, dtype)
    if memory_format is not None:
        return cast(self, dtype, copy, memory_format)
    return self if dtype is None and not copy else cast(self, dtype, copy)


def _without_elements(tensor: Tensor, dtype: Any) -> Tensor:
    """Return a tensor of the meta device like this one.  Raises NotImplementedError for one that is there."""
    if tensor.is_meta:
        raise no_elements()
    return wrap(MetaArray(tensor.shape, tensor._array.dtype if dtype is None else dtypes.to_numpy(dtype)), None)


@capture_as(REPLAYED)
def cast(tensor: Tensor, dtype: Any, copy: bool = False, memory_format: Any = None) -> Tensor:
    """Return the tensor in `dtype` and memory format, as a recorded op.

    dtype: None is the tensor's own.  Returns the tensor itself if nothing changes and `copy` is False.
    """
    own = tensor.dtype.numpy
    target = own if dtype is None else dtypes.to_numpy(dtype)
    if target == own and not copy and (memory_format is None or suits(storage(tensor), memory_format)):
        return tensor
    if own.kind == "c" and target.kind not in "cb":
        warn_once("casting", "Casting complex values to real discards the imaginary part")
    if memory_format is None:
        return TABLE["_to_copy"].entry(tensor, dtypes.of(target))
    return TABLE["_to_copy"].entry(tensor, dtypes.of(target), memory_format)


def type_(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Return the name of the tensor's type, or the tensor in another type.

    dtype: a name such as `'torch.FloatTensor'`, a dtype or a class.
    """
    if dtype is None:
        return f"torch.{dtypes.of(self._array.dtype).title}Tensor"
    if isinstance(dtype, (str, type)) and dtype not in (bool, int, float, complex):
        from .legacy import dtype_of

        dtype = dtype_of(dtype)
    return cast(self, dtype)


@capture_as(REPLAYED)
def type_as(self: Tensor, other: Tensor) -> Tensor:
    """Return the tensor in the dtype of `other`."""
    if not isinstance(other, Tensor):
        raise TypeError(f"type_as(): argument 'other' (position 1) must be Tensor, not {type(other).__name__}")
    return cast(self, other.dtype)


def _caster(name: str, dtype: dtypes.dtype) -> Callable[..., Tensor]:
    @capture_as(REPLAYED)
    def convert(self: Tensor, memory_format: Any = None) -> Tensor:
        return self if self.dtype is dtype and memory_format is None else cast(self, dtype, False, memory_format)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"Return the tensor in {dtype}; itself if it has that dtype already."
    return convert


@capture_as(REPLAYED)
def cpu(self: Tensor, memory_format: Any = None) -> Tensor:
    """Return the tensor itself, which is on the CPU already."""
    if self.is_meta:
        raise no_elements()
    return self if memory_format is None else cast(self, None, False, memory_format)


def cuda(self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Tensor:
    """Raise AssertionError: there is no GPU here."""
    raise unavailable("cuda")


def pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """Raise RuntimeError, as PyTorch does without a GPU."""
    raise RuntimeError("Cannot access accelerator device when none is available.")


def is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Return True if both share memory, shape and strides."""
    first, second = storage(self), storage(tensor)
    return first.__array_interface__ == second.__array_interface__


def apply_(self: Tensor, callable: Callable[[Any], Any]) -> Tensor:
    """Replace each element by `callable(element)`, slowly.

    Raises RuntimeError for a tensor that requires grad.
    """
    if self._edge is not None:
        raise RuntimeError("Can't call apply_() on Variable that requires grad. Use var.detach().apply_() instead.")
    from dyncore.graph import versions
    from dyncore.mutation.inplace import touched

    array = storage(self)
    versions.before_write(array, silent=True)
    values = array.ravel().tolist()
    _escaped(self, "tolist", values)
    for index, value in enumerate(values):
        array.flat[index] = callable(value)
    touched(self)
    return self


def map_(self: Tensor, tensor: Tensor, callable: Callable[[Any, Any], Any]) -> Tensor:
    """Replace each element by `callable(element, element of the other tensor)`.

    Raises RuntimeError for a tensor that requires grad.
    """
    if self._edge is not None:
        raise RuntimeError("Can't call map_() on Variable that requires grad. Use var.detach().map_() instead.")
    import numpy as np

    from dyncore.graph import versions
    from dyncore.mutation.inplace import touched

    array = storage(self)
    versions.before_write(array, silent=True)
    values, others = array.ravel().tolist(), np.broadcast_to(tensor._array, array.shape).ravel().tolist()
    _escaped(self, "tolist", values)
    _escaped(tensor, "tolist", others)
    for index, pair in enumerate(zip(values, others, strict=True)):
        array.flat[index] = callable(*pair)
    touched(self)
    return self


def dim_order(self: Tensor, ambiguity_check: Any = False) -> tuple[int, ...]:
    """Return the dimensions from the largest to the smallest stride."""
    steps = self.stride()
    return tuple(sorted(range(len(steps)), key=lambda dim: -steps[dim]))


def module_load(self: Tensor, other: Tensor, assign: bool = False) -> Tensor:
    """Return the tensor that a module's state takes from `other`.

    assign: True is `other` itself, False this tensor with the values of `other` copied to it.
    """
    return other.detach() if assign else self.copy_(other).detach()


def storage_(self: Tensor) -> Any:
    """Return the memory of the tensor as elements of its dtype."""
    from .memory import TypedStorage

    return TypedStorage(self)


CASTS = {
    "float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "int": dtypes.int32,
    "long": dtypes.int64, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8, "bool": dtypes.bool_,
    "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}  # fmt: skip

_ANSWERS: dict[str, Callable[..., Any]] = {
    "is_pinned": lambda self, device=None: False,
    "is_shared": lambda self: False,
    "share_memory_": lambda self: self,
    "get_device": lambda self: -1,
    "dense_dim": lambda self: self.dim(),
    "sparse_dim": lambda self: 0,
    "const_data_ptr": lambda self: self.data_ptr(),
    "is_conj": lambda self: bits(self)[0],
    "is_neg": lambda self: bits(self)[1],
}


def deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """Implement `copy.deepcopy`.

    Raises RuntimeError for a tensor with a history.
    """
    from .copies import deepcopy_tensor

    return deepcopy_tensor(self, memo)


def reduce_ex(self: Tensor, protocol: Any) -> Any:
    """Return the constructor and the arguments that `pickle` and `copy.copy` use."""
    from .copies import reduce_tensor

    return reduce_tensor(self)


def represent(self: Tensor, *, tensor_contents: Any = None) -> str:
    """Return the tensor's text as PyTorch prints it."""
    from .printing import tensor_text

    return tensor_text(self)


METHODS: dict[str, Any] = {
    "to": to, "type": type_, "type_as": type_as, "cpu": cpu, "cuda": cuda, "pin_memory": pin_memory,
    "storage": storage_, "is_set_to": is_set_to, "apply_": apply_, "map_": map_,
    "dim_order": dim_order,
    "__deepcopy__": deepcopy, "__reduce_ex__": reduce_ex, "__repr__": represent,
    "module_load": module_load,
    **{name: capture_as(REPLAYED)(answer) for name, answer in _ANSWERS.items()},
    **{name: _caster(name, dtype) for name, dtype in CASTS.items()},
}  # fmt: skip
