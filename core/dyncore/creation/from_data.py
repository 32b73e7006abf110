"""Arrays from numbers, nested lists, arrays and tensors.

In the dtype PyTorch infers, and with its errors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.explain import missing_in
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor, storage

_PLAIN = frozenset((float, int, bool, complex))


def from_data(data: Any, dtype: np.dtype[Any] | None = None) -> Any:
    """Return a new array of `data` in `dtype`, or in the dtype PyTorch infers.

    Raises ValueError for ragged lists, TypeError or RuntimeError for what is no number or does not fit the dtype.
    """
    kind = type(data)
    if kind in _PLAIN:
        return _of_numbers(np.array(data), {kind}, dtype)
    if kind is list or kind is tuple:
        kinds = _kinds(data)
        if kinds is not None and kinds <= _PLAIN:
            try:
                array = np.array(data)
            except ValueError:
                raise _ragged(data) from None
            return _of_numbers(array, kinds, dtype)
        return _general(data, dtype)
    if isinstance(data, Tensor):
        return data._array.astype(dtype or data._array.dtype)
    if isinstance(data, np.ndarray):
        check_array(data)
        return np.array(data, dtype=dtype or data.dtype)
    if isinstance(data, np.generic):
        dtypes.of(data.dtype)
        return np.array(data, dtype=dtype or data.dtype)
    if isinstance(data, (int, float, complex)):
        return from_data(dtypes.builtin(data), dtype)
    if hasattr(data, "__array__"):
        return np.array(data.__array__(), dtype=dtype)
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if hasattr(data, "__len__") and hasattr(data, "__getitem__") and not hasattr(data, "keys"):
        return from_data(list(data), dtype)
    raise RuntimeError(f"Could not infer dtype of {kind.__name__}")


def check_array(array: np.ndarray[Any, Any]) -> None:
    """Raise as PyTorch does for an array that no tensor can share.

    That is one with negative strides, foreign byte order or an unknown dtype.
    """
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion between byte orders is "
            "currently not supported."
        )
    dtypes.of(array.dtype)
    if any(stride < 0 for stride in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently supported. (You can probably work around this by making a copy of your array  "
            "with array.copy().) "
        )


def _kinds(data: Any) -> set[type] | None:
    """Return the types of the innermost elements of nested lists.

    None if not all of them are numbers.
    """
    kinds = set(map(type, data))
    if not (list in kinds or tuple in kinds):
        return kinds
    if kinds - {list, tuple}:
        return None
    inner: set[type] = set()
    for each in data:
        below = _kinds(each)
        if below is None:
            return None
        inner |= below
    return inner


def _of_numbers(array: Any, kinds: set[type], dtype: np.dtype[Any] | None) -> Any:
    """Cast `array`, made from Python numbers, to `dtype` or to PyTorch's."""
    if dtype is None:
        if complex in kinds:
            return array.astype(dtypes.default_complex().numpy)
        if float in kinds or not kinds:
            return array.astype(dtypes.get_default_dtype().numpy)
        if array.dtype.kind in "uO":
            raise ValueError("Overflow when unpacking long long")
        return array
    if complex in kinds and dtype.kind not in "bc":
        if dtype.kind != "f":
            raise TypeError("'complex' object cannot be interpreted as an integer")
        raise TypeError("must be real number, not complex")
    if dtype.kind in "iu" and array.size:
        _check_fits(array, dtype)
        if dtype.kind == "u" and array.dtype.kind == "O":
            return np.array([int(n) % (1 << 8 * dtype.itemsize) for n in array.flat], dtype).reshape(array.shape)
    return array.astype(dtype)


def _check_fits(array: Any, dtype: np.dtype[Any]) -> None:
    limits = np.iinfo(dtype)
    least, most = (-int(limits.max) if dtype.kind == "u" else int(limits.min)), int(limits.max)
    low, high = (value.item() if isinstance(value, np.generic) else value for value in (array.min(), array.max()))
    if not (low >= least and high <= most):
        raise RuntimeError(f"value cannot be converted to type {dtype.name} without overflow")


# -- data that is not all Python numbers: tensors, arrays, NumPy scalars, mistakes


def _general(data: Any, dtype: np.dtype[Any] | None) -> Any:
    if len(data) == 1 and isinstance(data[0], Tensor) and data[0]._array.size == 1:
        return np.array([data[0]._array.item()], dtype or data[0]._array.dtype)
    _check_nested(data, 1)
    widest = _widest(data)
    wide = widest if widest.kind not in "fc" else np.result_type(widest, np.float64)
    array = np.array(_raw(data), wide)
    return _of_numbers(array, set(), dtype) if dtype is not None else array.astype(widest)


def _raw(data: Any) -> Any:
    if isinstance(data, (list, tuple, range)):
        return [_raw(each) for each in data]
    return data._array.item() if isinstance(data, Tensor) else data


def _widest(data: Any) -> np.dtype[Any]:
    """Return the dtype that holds every number in the nested list.

    The default dtype if there is none.
    """
    widest = None
    stack = [data]
    while stack:
        each = stack.pop()
        if isinstance(each, (list, tuple, range)):
            stack.extend(each)
            continue
        if isinstance(each, Tensor):
            kind = each._array.dtype
        elif isinstance(each, (np.ndarray, np.generic)):
            kind = each.dtype
        elif isinstance(each, (int, float, complex)):
            kind = dtypes.of_number(each).numpy
        elif isinstance(each, str):
            raise (
                ValueError("too many dimensions 'str'")
                if each is data[0]
                else TypeError("new(): invalid data type 'str'")
            )
        else:
            raise RuntimeError(f"Could not infer dtype of {type(each).__name__}")
        dtypes.of(kind)
        widest = kind if widest is None else dtypes._join(widest, kind)
    return dtypes.get_default_dtype().numpy if widest is None else widest


def _check_nested(data: Any, depth: int) -> None:
    """Raise as PyTorch does for ragged lists, or numbers beside lists."""
    lists = [isinstance(each, (list, tuple, range)) for each in data]
    if not any(lists):
        if len(data) > 1 and any(isinstance(each, Tensor) and each._array.size != 1 for each in data):
            raise ValueError("only one element tensors can be converted to Python scalars")
        return
    if not all(lists):
        raise TypeError("not a sequence" if lists[0] else "'list' object cannot be interpreted as an integer")
    length = len(data[0])
    for each in data:
        if len(each) != length:
            raise ValueError(f"expected sequence of length {length} at dim {depth} (got {len(each)})")
    for each in data:
        _check_nested(each, depth + 1)


def _ragged(data: Any) -> Exception:
    try:
        _check_nested(data, 1)
    except (ValueError, TypeError) as error:
        return error
    return ValueError("these lists do not make a tensor")


__getattr__ = missing_in(__name__)


def legacy_array(data: tuple[Any, ...], dtype: np.dtype[Any]) -> Any:
    """Return the array of `FloatTensor()` called with sizes, a list or a tensor."""
    if not data:
        return np.zeros(0, dtype)
    first = data[0]
    if isinstance(first, Size) or all(isinstance(each, (int, np.integer)) for each in data):
        return np.zeros(tuple(first) if isinstance(first, Size) else data, dtype)
    if len(data) > 1:
        kinds = ", ".join(type(each).__name__ for each in data)
        raise TypeError(f"new() received an invalid combination of arguments - got ({kinds})")
    if isinstance(first, Tensor):
        if first._array.dtype != dtype:
            error = TypeError(f"expected {dtypes.of(dtype)} (got {first.dtype})")
            error.add_note("hint: the constructor shares memory; `.to(dtype)` converts")
            raise error
        return storage(first)
    if isinstance(first, (float, complex)):
        raise TypeError(f"new(): data must be a sequence (got {type(first).__name__})")
    return from_data(first, dtype)
