"""Tensors from nothing or from data: `tensor`, `zeros`, `arange`, ... with dtype, device and requires_grad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import dispatch, dtypes, events
from .registry import Op
from .size import check_device
from .tensor import Tensor, wrap


def _finish(array: Any, requires_grad: bool, name: str, args: tuple[Any, ...]) -> Tensor:
    """The Tensor of a fresh array; a 0-d one is held as a scalar."""
    made = wrap(array[()] if array.__class__ is np.ndarray and not array.ndim else array, None)
    if events.listener is not None:
        moment = dispatch.now()
        events.listener.op(FACTORIES[name], args, {}, made, moment, moment)
    return made.requires_grad_() if requires_grad else made


FACTORIES: dict[str, Op] = {}


def factory(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that makes a fresh array, given `dtype` as a NumPy dtype or None, as a function that makes a Tensor."""
    name = function.__name__
    FACTORIES[name] = Op(function, {}, name=name)

    def made(
        *args: Any,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
        memory_format: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Tensor:
        check_device(device)
        array = function(*args, dtype=None if dtype is None else dtypes.to_numpy(dtype), **kwargs)
        if out is not None:
            out._array = array.astype(out._array.dtype)
            return out  # type: ignore[no-any-return]
        return _finish(array, requires_grad, name, args)

    made.__name__ = made.__qualname__ = name
    made.__doc__ = function.__doc__
    made.__module__ = "dyncore"
    return made


def shape_of(size: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape in `zeros(2, 3)`, `zeros((2, 3))` or `zeros(torch.Size([2, 3]))`."""
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    shape = tuple(int(n) for n in size)
    for n in shape:
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(shape)}")
    return shape


def _default(dtype: Any) -> Any:
    return dtypes.get_default_dtype().numpy if dtype is None else dtype


def from_data(data: Any, dtype: Any = None) -> Any:
    """An array from nested lists of numbers, arrays or tensors, in the dtype PyTorch infers.

    Raises ValueError for ragged lists, TypeError for what is no number.
    """
    if isinstance(data, Tensor):
        return data._array.astype(dtype or data._array.dtype)
    if isinstance(data, (np.ndarray, np.generic)):
        dtypes.of(data.dtype)
        return np.array(data, dtype=dtype or data.dtype)
    if isinstance(data, (list, tuple)):
        plain = _plain_numbers(data)
        if plain is not None:
            return plain.astype(dtype or (dtypes.get_default_dtype().numpy if plain.dtype == dtypes.F64 else plain.dtype))
        _check_nested(data)
        flat_kind = _widest(data)
        if flat_kind is None:
            array = np.array(data, dtype=dtype or dtypes.get_default_dtype().numpy)
        else:
            array = np.array(_plain(data), dtype=_wide(flat_kind)).astype(dtype or flat_kind)
        return array
    if isinstance(data, (bool, int, float, complex)):
        kind = dtypes.of_number(data).numpy
        if dtype is None and type(data) is int and not -(2**63) <= data < 2**63:
            raise RuntimeError("Overflow when unpacking long long")
        return np.array(data, _wide(kind) if type(data) is not int else None).astype(dtype or kind)
    if hasattr(data, "__array__"):
        return np.array(data.__array__(), dtype=dtype)
    if data is None:
        raise RuntimeError("Could not infer dtype of NoneType")
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")


def _plain_numbers(data: Any) -> Any:
    """The array of nested lists whose first number is Python's own and which NumPy reads at once, else None.

    8x faster than looking at each number, on 64 x 64 floats (tests/bench, creation).
    """
    first = data
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    if type(first) not in (float, int, bool):
        return None
    try:
        array = np.array(data)
    except (ValueError, TypeError, OverflowError, RuntimeError):
        return None
    return array if array.dtype in (dtypes.F64, dtypes.I64, dtypes.BOOL) else None


def _wide(kind: Any) -> Any:
    return {"f": np.float64, "c": np.complex128}.get(kind.kind, kind)


def _plain(data: Any) -> Any:
    if isinstance(data, (list, tuple)):
        return [_plain(each) for each in data]
    return data._array if isinstance(data, Tensor) else data


def _widest(data: Any) -> Any:
    """The dtype that holds every number in the nested list, or None if there is no number."""
    found = None
    stack = [data]
    while stack:
        each = stack.pop()
        if isinstance(each, (list, tuple)):
            if each and all(type(v) is float for v in each):
                kind = dtypes.get_default_dtype().numpy
            else:
                stack.extend(each)
                continue
        elif isinstance(each, Tensor):
            kind = each._array.dtype
        elif isinstance(each, (np.ndarray, np.generic)):
            kind = each.dtype
        elif isinstance(each, (bool, int, float, complex)):
            kind = dtypes.of_number(each).numpy
        elif isinstance(each, str):
            raise TypeError("new(): invalid data type 'str'")
        else:
            raise RuntimeError(f"Could not infer dtype of {type(each).__name__}")
        found = kind if found is None else dtypes._join(found, kind)
    return found


def _check_nested(data: Any, depth: int = 0) -> None:
    """Raises ValueError unless every list at one depth has the same length."""
    length = None
    for position, each in enumerate(data):
        if not isinstance(each, (list, tuple)):
            if length is not None:
                raise TypeError(f"not a sequence: {type(each).__name__}")
            continue
        if length is None:
            if position:
                raise TypeError("only one element tensors can be converted to Python scalars")
            length = len(each)
        elif len(each) != length:
            raise ValueError(f"expected sequence of length {length} at dim {depth + 1} (got {len(each)})")
    if length is not None:
        for each in data:
            _check_nested(each, depth + 1)


@factory
def tensor(data: Any, *, dtype: Any = None) -> Any:
    """A new tensor holding a copy of `data`: numbers, nested lists of numbers, arrays or tensors.

    Floats become the default dtype (float32), integers int64, booleans bool.

    >>> tensor([[1., 2.], [3., 4.]])
    tensor([[1., 2.],
            [3., 4.]])
    """
    return from_data(data, dtype)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """`data` itself if it is a tensor of this dtype; an array's memory shared; else a new tensor."""
    check_device(device)
    if isinstance(data, Tensor):
        return data if dtype is None or data.dtype is dtype else data.to(dtype)  # type: ignore[attr-defined, no-any-return]
    if isinstance(data, np.ndarray) and (dtype is None or dtypes.to_numpy(dtype) == data.dtype):
        return from_numpy(data)
    return tensor(data, dtype=dtype)  # type: ignore[no-any-return]


asarray = as_tensor


def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """A tensor that shares memory with the array.  Raises TypeError for anything but an array of a known dtype."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    dtypes.of(ndarray.dtype)
    if any(s < 0 for s in ndarray.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently supported. (You can probably work around this by making a copy of your array  with array.copy().) "
        )
    return wrap(ndarray if type(ndarray) is np.ndarray else np.asarray(ndarray), None)


def scalar_tensor(value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A 0-d tensor of the default float dtype unless `dtype` says otherwise."""
    return tensor(value, dtype=dtype or dtypes.get_default_dtype(), requires_grad=requires_grad)  # type: ignore[no-any-return]


@factory
def zeros(*size: Any, dtype: Any = None) -> Any:
    """A tensor of zeros."""
    return np.zeros(shape_of(size), _default(dtype))


@factory
def ones(*size: Any, dtype: Any = None) -> Any:
    """A tensor of ones."""
    return np.ones(shape_of(size), _default(dtype))


@factory
def empty(*size: Any, dtype: Any = None) -> Any:
    """A tensor whose elements are not set; they happen to be zero, so that every run is the same."""
    return np.zeros(shape_of(size), _default(dtype))


@factory
def full(size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """A tensor filled with one value, of the value's dtype unless `dtype` is given."""
    value = fill_value._array if isinstance(fill_value, Tensor) else fill_value
    kind = dtype or (value.dtype if isinstance(value, (np.ndarray, np.generic)) else dtypes.of_number(value).numpy)
    return np.full(shape_of((size,)), value, kind)


@factory
def arange(start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """Numbers from `start` (0 if one argument is given) up to, not including, `end`.

    int64 when all arguments are integers, else the default float.
    """
    if end is None:
        start, end = 0, start
    start, end, step = (v.item() if isinstance(v, (Tensor, np.generic)) else v for v in (start, end, step))
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if dtype is None:
        dtype = dtypes.I64 if all(isinstance(v, int) for v in (start, end, step)) else _default(None)
    if np.dtype(dtype).kind in "iu" and all(isinstance(v, int) for v in (start, end, step)):
        return np.arange(start, end, step, dtype=dtype)
    count = int(np.ceil((end - start) / step))
    return (start + np.arange(count, dtype=np.float64) * step).astype(dtype)


@factory
def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None) -> Any:
    """`steps` evenly spaced numbers from `start` to `end`, both included."""
    start, end = (v.item() if isinstance(v, Tensor) else v for v in (start, end))
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    return np.linspace(start, end, int(steps)).astype(_default(dtype))


@factory
def logspace(start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None) -> Any:
    """`steps` numbers from `base**start` to `base**end`, evenly spaced on a logarithmic scale."""
    return np.power(base, np.linspace(start, end, int(steps))).astype(_default(dtype))


@factory
def eye(n: int, m: int | None = None, *, dtype: Any = None) -> Any:
    """A matrix with ones on the diagonal and zeros elsewhere."""
    return np.eye(n, m, dtype=_default(dtype))


@factory
def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Any:
    """The indices of the lower triangle of a (row, col) matrix, as a (2, n) tensor."""
    return np.stack(np.tril_indices(row, offset, col)).astype(dtype or dtypes.I64)


@factory
def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Any:
    """The indices of the upper triangle of a (row, col) matrix, as a (2, n) tensor."""
    return np.stack(np.triu_indices(row, offset, col)).astype(dtype or dtypes.I64)


def _like(make: Callable[..., Any]) -> Callable[..., Any]:
    def like(input: Tensor, *args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        kwargs.pop("memory_format", None)
        return make(tuple(input._array.shape), *args, dtype=dtype or dtypes.of(input._array.dtype), **kwargs)

    like.__name__ = like.__qualname__ = f"{make.__name__}_like"
    like.__doc__ = f"`{make.__name__}` with the shape and dtype of `input`."
    return like


zeros_like, ones_like, empty_like, full_like = (_like(make) for make in (zeros, ones, empty, full))


def _new(make: Callable[..., Any]) -> Callable[..., Any]:
    def new(self: Tensor, *args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        return make(*args, dtype=dtype or dtypes.of(self._array.dtype), **kwargs)

    new.__name__ = new.__qualname__ = f"new_{make.__name__}"
    new.__doc__ = f"`{make.__name__}` with the dtype of this tensor."
    return new


METHODS: dict[str, Callable[..., Any]] = {f"new_{f.__name__}": _new(f) for f in (zeros, ones, empty, full, tensor)}


def legacy(data: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The array of `torch.Tensor(...)`: sizes, or data, always in the default float dtype."""
    dtype = dtypes.to_numpy(kwargs.get("dtype") or dtypes.get_default_dtype())
    if not data:
        return np.zeros(0, dtype)
    if all(type(each) is int for each in data):
        return np.zeros(data, dtype)
    if isinstance(data[0], Tensor):
        return data[0]._array
    return from_data(data[0], dtype)


__all__ = [
    "arange", "as_tensor", "asarray", "empty", "empty_like", "eye", "from_numpy", "full", "full_like", "linspace",
    "logspace", "ones", "ones_like", "scalar_tensor", "tensor", "tril_indices", "triu_indices", "zeros", "zeros_like",
]  # fmt: skip
