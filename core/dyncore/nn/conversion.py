"""Conversions of all parameters and buffers of a Module: dtype, requires_grad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from dyncore.creation.factory import empty_like
from dyncore.dtypes import dtypes
from dyncore.graph.known_shape import forget_known_shape
from dyncore.mutation.setitem import clear_gradient
from dyncore.tensors.meta_array import no_elements
from dyncore.tensors.parameter import _Uninitialized
from dyncore.tensors.size import check_device, device, on_meta
from dyncore.tensors.tensor import Tensor, storage, wrap

__capture__ = "engine"

M = TypeVar("M", bound="Conversion")


def _values(parameter: Tensor) -> Tensor:
    """Return the parameter's memory without its history.

    Also that of a lazy parameter without a shape.
    """
    return parameter.data if isinstance(parameter, _Uninitialized) else wrap(storage(parameter), None)


class Conversion:
    """Part of Module that converts its parameters and buffers in place."""

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    children: Any
    parameters: Any
    buffers: Any

    def apply(self: M, fn: Callable[[Any], Any]) -> M:
        """Call `fn` on every module below this one, then on this one, and return it."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self: M, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> M:
        """Replace the memory of each parameter, gradient and buffer by `fn` of it."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is not None:
                parameter._array = storage(fn(_values(parameter)))
                forget_known_shape(parameter)
                if parameter._edge is not None:
                    parameter._edge.memory = parameter._array
                if parameter.grad is not None:
                    parameter.grad._array = fn(wrap(parameter.grad._array, None))._array
        for name, buffer in list(self._buffers.items()):
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self: M, *args: Any, **kwargs: Any) -> M:
        """Convert all floating parameters and buffers to another dtype, in place.

        `device` is the CPU, or "meta" to drop all elements.
        """
        target, where = kwargs.get("dtype"), kwargs.get("device")
        for each in args:
            if each.__class__ is dtypes.dtype:
                target = each
            elif isinstance(each, Tensor):
                target = each.dtype
            elif isinstance(each, (str, device)):
                where = each
        if where is not None:
            self._move(on_meta(where))
        self._lay_out(kwargs.get("memory_format"))
        if target is None:
            return self
        if target.category not in (dtypes.FLOATING, dtypes.COMPLEX):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={target}"
            )
        return self._cast(target)

    def _move(self, meta: bool) -> None:
        """Drop all elements, or raise the error that there are none to move to the CPU."""
        if meta:
            self._apply(lambda tensor: tensor.to("meta"))
        elif any(tensor.is_meta for tensor in [*self.parameters(), *self.buffers()]):
            raise no_elements(
                "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
                "torch.nn.Module.to() when moving module from meta to a different device."
            )

    def _lay_out(self: M, memory_format: Any) -> None:
        """Convert tensors of four or five dimensions to the memory format."""
        if memory_format is not None:
            self._apply(lambda each: each.to(memory_format=memory_format) if each.dim() in (4, 5) else each)

    def _cast(self: M, target: dtypes.dtype) -> M:
        def cast(tensor: Tensor) -> Tensor:
            if tensor.is_sparse:
                return tensor.to(target) if tensor.is_floating_point() else tensor
            array = tensor._array
            return wrap(array.astype(target.numpy), None) if array.dtype.kind in "fc" else tensor

        return self._apply(cast)

    def type(self: M, dst_type: Any) -> M:
        """Convert all parameters and buffers to another dtype, in place."""
        target = dtypes.to_numpy(dst_type)
        return self._apply(lambda tensor: wrap(tensor._array.astype(target), None))

    def float(self: M) -> M:
        """Convert all floating parameters and buffers to float32, in place."""
        return self._cast(dtypes.float32)

    def double(self: M) -> M:
        """Convert all floating parameters and buffers to float64, in place."""
        return self._cast(dtypes.float64)

    def half(self: M) -> M:
        """Convert all floating parameters and buffers to float16, in place."""
        return self._cast(dtypes.float16)

    def cpu(self: M) -> M:
        """Return this module: everything is on the CPU."""
        self._move(meta=False)
        return self

    def cuda(self: M, device: Any = None) -> M:
        """Raise the error that there is no GPU here."""
        check_device("cuda" if device is None else f"cuda:{device}" if isinstance(device, int) else device)
        return self

    def to_empty(self: M, *, device: Any, recurse: bool = True) -> M:
        """Replace the memory of all parameters and buffers by zeros, or by none on the meta device."""
        return self._apply(lambda tensor: empty_like(tensor, device=device), recurse)

    def share_memory(self: M) -> M:
        """Return this module: threads share memory anyway."""
        return self

    def requires_grad_(self: M, requires_grad: bool = True) -> M:
        """Set `requires_grad` of all parameters, in place."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients of all parameters, or set them to zero."""
        for parameter in self.parameters():
            if parameter.grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                clear_gradient(parameter.grad)
