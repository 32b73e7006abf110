"""Memory shared with NumPy arrays, DLPack and buffers; NumPy ufuncs of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.graph.versions import owner
from dyncore.tensors.size import check_device, defaults, device as Device, on_meta
from dyncore.tensors.tensor import Tensor, storage, wrap

from .from_data import check_array, from_data

__capture__ = "refused"


def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """Return a tensor that shares memory with the array.

    Raises TypeError for anything but an array of a known dtype.
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    check_array(ndarray)
    return wrap(ndarray if type(ndarray) is np.ndarray else np.asarray(ndarray), None)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Return `data` itself if it is a tensor of this dtype, else convert it.

    An array's memory is shared.
    """
    if (device is not None or defaults.device is not None) and on_meta(device):
        with Device("cpu"):
            return as_tensor(data, dtype).to("meta")
    if isinstance(data, Tensor):
        return data.to(dtype)
    if isinstance(data, np.ndarray):
        return from_numpy(data).to(dtype)
    array = from_data(data, None if dtype is None else dtypes.to_numpy(dtype))
    return wrap(array if array.ndim else array[()], None)


def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:  # fmt: skip
    """Return a tensor of `obj`.

    Memory of tensors, arrays, DLPack objects and buffers is shared unless `copy`.
    copy: None shares where that is possible, True never, False raises ValueError where it is not.
    requires_grad: None for what a tensor `obj` has, with its history.
    """
    check_device(device)
    if isinstance(obj, Tensor):
        tensor = obj
    elif isinstance(obj, np.ndarray):
        tensor = from_numpy(obj)
    elif not isinstance(obj, (list, tuple, np.generic)) and hasattr(obj, "__dlpack__"):
        tensor = from_dlpack(obj)
    elif isinstance(obj, (bytes, bytearray, memoryview)):
        tensor = frombuffer(obj, dtype=dtypes.get_default_dtype() if dtype is None else dtype)
    else:
        if copy is False:
            raise ValueError("can't alias arbitrary sequence into a tensor.")
        tensor, copy = as_tensor(obj, dtype), None
    changes = dtype is not None and tensor._array.dtype != dtypes.to_numpy(dtype)
    if copy is False and changes:
        raise ValueError(f"can't alias tensor with dtype '{tensor.dtype.title}' into dtype '{dtype.title}'.")
    tensor = tensor.to(dtype, copy=bool(copy))
    if requires_grad is False:
        tensor = tensor.detach()
    if requires_grad:
        tensor.requires_grad_()
    result: Tensor = tensor
    return result


def frombuffer(buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """Return a 1-d tensor that shares memory with a buffer, such as a bytearray."""
    kind = dtypes.to_numpy(dtype)
    length = memoryview(buffer).nbytes
    if length == 0 or count == 0:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
        )
    if count < 0 and (length - offset) % kind.itemsize:
        raise ValueError(
            f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a multiple of element size "
            f"({kind.itemsize})"
        )
    if count > 0 and offset + count * kind.itemsize > length:
        raise ValueError(
            f"requested buffer length ({count} * {kind.itemsize} bytes) after offset ({offset} bytes) must not be "
            f"greater than actual buffer length ({length} bytes)"
        )
    tensor = wrap(np.frombuffer(buffer, kind, count, offset), None)
    return tensor.requires_grad_() if requires_grad else tensor


class _Capsule:
    """DLPack capsule in an object with the methods that NumPy calls."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """Return a tensor that shares memory with an object that supports DLPack."""
    check_device(device)
    if isinstance(ext_tensor, Tensor):
        return ext_tensor.clone() if copy else ext_tensor.detach()
    if type(ext_tensor).__name__ == "PyCapsule":
        ext_tensor = _Capsule(ext_tensor)
    array = np.from_dlpack(ext_tensor)
    return from_numpy(array.copy() if copy else array)


def _dlpack(self: Tensor, *, stream: Any = None, **options: Any) -> Any:
    """Return a DLPack capsule of the memory.

    Raises BufferError for a tensor that requires grad.
    """
    if self._edge is not None:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    return storage(self).__dlpack__(stream=stream, **options)


def _dlpack_device(self: Tensor) -> tuple[int, int]:
    """Return the CPU as DLPack numbers it."""
    return storage(self).__dlpack_device__()


class UntypedStorage:
    """Memory of a tensor, as a size and an address; views of one tensor share it."""

    __slots__ = ("_owner",)

    def __init__(self, tensor: Tensor) -> None:
        self._owner = owner(storage(tensor))

    def data_ptr(self) -> int:
        """Return the address of the first byte."""
        return int(self._owner.__array_interface__["data"][0])

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return int(self._owner.nbytes)

    size = __len__ = nbytes


_UFUNCS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div", "power": "pow",
    "floor_divide": "floor_divide", "remainder": "remainder", "matmul": "matmul", "negative": "neg", "absolute": "abs",
    "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "invert": "bitwise_not",
}  # fmt: skip


def _array_ufunc(self: Tensor, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Run the op that corresponds to a NumPy ufunc, recorded; else NumPy's ufunc.

    NumPy calls it for `np.sin(tensor)` and `array * tensor`.
    """
    op = TABLE.get(_UFUNCS.get(ufunc.__name__, ufunc.__name__))
    if method == "__call__" and op is not None and not options:
        operands = [_operand(each) for each in inputs]
        if not isinstance(operands[0], Tensor) and op.name != "remainder":
            operands[0] = as_tensor(operands[0])
        return op.entry(*operands)
    given = [each.numpy() if isinstance(each, Tensor) else each for each in inputs]
    result = getattr(ufunc, method)(*given, **options)
    return from_numpy(np.asarray(result)) if isinstance(result, (np.ndarray, np.generic)) else result


def _operand(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return from_numpy(value) if isinstance(value, np.ndarray) else value


METHODS: dict[str, Any] = {
    "untyped_storage": lambda self: UntypedStorage(self),
    "is_cpu": True,
    "to_dense": lambda self: self,
    "__dlpack__": _dlpack,
    "__dlpack_device__": _dlpack_device,
    "__array_ufunc__": _array_ufunc,
}

__all__ = ["as_tensor", "asarray", "from_dlpack", "from_numpy", "frombuffer"]
