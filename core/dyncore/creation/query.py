"""Functions of tensors with a Python value: `is_tensor`, `equal`, ..."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.tensors.lazy_conj import bits
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor
from dyncore.tensors.to_python import _escaped

__capture__ = "replayed"


def is_tensor(obj: Any, /) -> bool:
    """Return True if `obj` is a Tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj: Any, /) -> bool:
    """Return True if `obj` is a `TypedStorage` or an `UntypedStorage`."""
    from .interop import UntypedStorage
    from .storage import TypedStorage

    return isinstance(obj, (UntypedStorage, TypedStorage))


def numel(input: Tensor) -> int:
    """Return the number of elements."""
    return _tensor(input, "numel").numel()


def is_floating_point(input: Tensor) -> bool:
    """Return True if the dtype is float16, float32 or float64."""
    return _tensor(input, "is_floating_point").is_floating_point()


def is_complex(input: Tensor) -> bool:
    """Return True if the dtype is complex64 or complex128."""
    return _tensor(input, "is_complex").is_complex()


def is_signed(input: Tensor) -> bool:
    """Return True if the dtype can hold negative numbers."""
    return _tensor(input, "is_signed").is_signed()


def is_nonzero(input: Tensor) -> bool:
    """Return True if the only element is not zero.

    Raises RuntimeError for more or fewer than one element.
    """
    return bool(_tensor(input, "is_nonzero"))


def is_inference(input: Tensor) -> bool:
    """Return True if the tensor was created under `inference_mode`."""
    return input.is_inference()


def is_conj(input: Tensor) -> bool:
    """Return True if the tensor is a view that conjugates its base."""
    return bits(_tensor(input, "is_conj"))[0]


def is_neg(input: Tensor) -> bool:
    """Return True if the tensor is a view that negates its base.

    The imaginary part of a conjugate is one.
    """
    return bits(_tensor(input, "is_neg"))[1]


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Return True if the shapes are equal."""
    return bool(input._array.shape == other._array.shape)


def equal(input: Tensor, other: Tensor) -> bool:
    """Return True if both have the same shape and equal elements.

    NaN equals nothing.
    """
    first, second = _tensor(input, "equal")._array, _tensor(other, "equal", 2, "other")._array
    value = first.shape == second.shape and bool(np.equal(first, second).all())
    _escaped(input, "equal", value, other)
    return value


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Return True if |input - other| <= atol + rtol |other| everywhere.

    Raises RuntimeError for different dtypes.
    """
    kinds = _tensor(input, "allclose").dtype, _tensor(other, "allclose", 2, "other").dtype
    if kinds[0] is not kinds[1]:
        raise RuntimeError(f"{kinds[0].title} did not match {kinds[1].title}")
    close = TABLE["isclose"].entry(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan)
    value = bool(close._array.all())
    _escaped(close, "allclose", value)
    return value


def result_type(*operands: Any, **named: Any) -> dtypes.dtype:
    """Return the dtype of arithmetic with two tensors or Python numbers.

    By name they are `tensor` and `other`, `scalar` and `tensor`, `scalar1` and `scalar2`.
    """
    given = (
        *operands,
        *(named.pop(name) for name in ("tensor", "other", "scalar", "scalar1", "scalar2") if name in named),
    )
    if named or len(given) != 2:
        kinds = ", ".join(type(each).__name__ for each in (*given, *named.values()))
        raise TypeError(f"result_type() received an invalid combination of arguments - got ({kinds})")
    operands = tuple(each._alike() if isinstance(each, Tensor) else each for each in given)
    return dtypes.of(dtypes.result_type(*operands))


def broadcast_shapes(*shapes: Any) -> Size:
    """Return the shape that tensors of these shapes broadcast to.

    Raises RuntimeError if they do not.
    """
    sizes = [(each,) if isinstance(each, int) else tuple(each) for each in shapes]
    result = [1] * max(map(len, sizes), default=0)
    for number, shape in enumerate(sizes):
        for axis in range(-1, -1 - len(shape), -1):
            n = shape[axis]
            if n < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension ({n}): ({n})")
            if n == 1 or n == result[axis]:
                continue
            if result[axis] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {n} at {axis}! Mismatching argument at index "
                    f"{number} had {shape}; but expected shape should be broadcastable to {result}"
                )
            result[axis] = n
    return Size(result)


def get_device(input: Tensor) -> int:
    """Return -1, the number of the CPU."""
    return int(_tensor(input, "get_device").get_device())


def is_distributed(input: Tensor) -> bool:
    """Return False."""
    return False


def is_vulkan_available() -> bool:
    """Return False."""
    return False


def compiled_with_cxx11_abi() -> bool:
    """Return True: nothing is compiled."""
    return True


has_lapack, has_mkl, has_openmp, has_spectral = True, False, False, True


def _assert_async(input: Any, assert_msg: str = "Expected Tensor with single nonzero value, but got zero") -> None:
    """Raise RuntimeError with the message if the one element is zero."""
    if not input:
        raise RuntimeError(assert_msg)


def _assert(condition: Any, message: Any) -> None:
    """Raise AssertionError with the message unless the condition holds."""
    assert condition, message


def typename(obj: Any, /) -> str:
    """Return the name of the type with its module.

    `torch.FloatTensor` for a tensor of float32.
    """
    if isinstance(obj, Tensor):
        return str(obj.type())
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(named, "__module__", None) or ""
    return named.__qualname__ if module in ("", "builtins", "__builtin__") else f"{module}.{named.__qualname__}"


def _tensor(value: Any, function: str, position: int = 1, name: str = "input") -> Tensor:
    if not isinstance(value, Tensor):
        kind = type(value).__name__
        raise TypeError(f"{function}(): argument '{name}' (position {position}) must be Tensor, not {kind}")
    return value


METHODS = {
    "equal": equal, "allclose": allclose, "is_nonzero": is_nonzero, "is_same_size": is_same_size,
}  # fmt: skip

__all__ = [
    "_assert", "_assert_async", "allclose", "broadcast_shapes", "compiled_with_cxx11_abi", "equal", "get_device",
    "has_lapack", "has_mkl", "has_openmp", "has_spectral", "is_complex", "is_conj", "is_distributed",
    "is_floating_point", "is_inference", "is_neg", "is_nonzero", "is_same_size", "is_signed", "is_storage", "is_tensor",
    "is_vulkan_available", "numel", "result_type", "typename",
]  # fmt: skip
