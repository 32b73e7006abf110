"""Tensors from nothing or from numbers: `tensor`, `zeros`, `eye`, `full`, ..."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from dyncore.dispatch.registry import Op
from dyncore.dtypes import dtypes
from dyncore.dtypes.limits import check_scalar, fitted
from dyncore.errors.advice import advise
from dyncore.graph import events
from dyncore.graph.capture_marks import ENGINE, capture_as
from dyncore.graph.modes import current
from dyncore.tensors.meta_array import MetaArray
from dyncore.tensors.overrides import check_overrides
from dyncore.tensors.size import check_device, contiguous_format, defaults, on_meta
from dyncore.tensors.strides import dense_order, laid_out
from dyncore.tensors.tensor import Tensor, _meta, wrap

from .from_data import from_data

__capture__ = "replayed"

FACTORIES: dict[str, Op] = {}
NO_KEYWORDS: Mapping[str, Any] = MappingProxyType({})
_LEAST, _MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


def finish(
    array: Any, requires_grad: bool, name: str, args: tuple[Any, ...], source: Any = None, started: float = 0,
    kwargs: Mapping[str, Any] = NO_KEYWORDS,
) -> Tensor:  # fmt: skip
    """Return the Tensor of a new array; a 0-d one is stored as a scalar.

    source: the factory, with its args and kwargs.  started: when it began, if a listener is attached.
    """
    result = wrap(array[()] if array.__class__ is np.ndarray and not array.ndim else array, None)
    if events.listener is not None:
        ended = events.now()
        events.listener.op(FACTORIES[name], args, kwargs, result, started or ended, ended)
    mode = current()
    if mode.inference:
        _meta(result).inference = True
    if mode.tape is not None:
        mode.tape.created(result, requires_grad, name, args, source)
    if requires_grad:
        if array.dtype.kind not in "fc":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        result.requires_grad_()
    return result


def factory(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function that makes an array as one that makes a Tensor.

    The function takes `dtype` as a NumPy dtype or None.
    """
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
        meta = (device is not None or defaults.device is not None) and on_meta(device)
        kind = None if dtype is None else numpy_dtype(name, dtype)
        if meta and out is None:
            return finish(without_elements(name, function, args, kind, kwargs), requires_grad, name, args)
        if out is not None:
            return _into(name, function, args, kind, kwargs, out)
        started = 0 if events.listener is None else events.now()
        array = function(*args, dtype=kind, **kwargs)
        if memory_format is not None:
            array = laid_out(array, memory_format)
        return finish(array, requires_grad, name, args, (function, args, {"dtype": kind, **kwargs}), started, kwargs)

    made.__name__ = made.__qualname__ = name
    made.__doc__ = function.__doc__
    made.__module__ = "dyncore"
    made.__wrapped__ = function  # type: ignore[attr-defined]
    return made


def without_elements(
    name: str, function: Callable[..., Any], args: tuple[Any, ...], kind: Any, kwargs: dict[str, Any]
) -> MetaArray:
    """Return the shape and dtype of what a factory makes; only factories of large tensors are not run for it."""
    if name in ("empty", "zeros", "ones", "rand", "randn"):
        size = kwargs.get("size")
        return MetaArray(shape_of(args if size is None else (size,), name), _default(kind))
    if name == "full":
        size, value = (*args, *(kwargs[each] for each in ("size", "fill_value") if each in kwargs))
        return MetaArray(shape_of((size,), name), function((), value, dtype=kind).dtype)
    if name == "randint":
        return MetaArray(shape_of((kwargs.get("size", args[-1]),), name), dtypes.I64 if kind is None else kind)
    made = function(*args, dtype=kind, **kwargs)
    return MetaArray(made.shape, made.dtype)


def _into(name: str, function: Callable[..., Any], args: Any, kind: Any, kwargs: dict[str, Any], out: Tensor) -> Tensor:
    """Fill `out` with the array that `function` makes, and return it.

    Raises RuntimeError if a dtype other than that of `out` is asked for.
    """
    from dyncore.mutation.inplace import check_single, fill

    held = out._array.dtype
    if kind is not None and kind != held:
        raise RuntimeError(
            f"dtype {dtypes.of(kind).title} does not match dtype of out parameter ({dtypes.of(held).title})"
        )
    if out._edge is not None and current().grad:
        raise RuntimeError(
            f"aten::{name}(): functions with out=... arguments don't support automatic differentiation, but one of "
            "the arguments requires grad."
        )
    check_single(out._array)
    fill(out, np.asarray(function(*args, dtype=held, **kwargs)), name)
    return out


def numpy_dtype(name: str, dtype: Any) -> np.dtype[Any]:
    """Return the NumPy dtype of the `dtype=` argument of function `name`; of an absent one for `zeros` and its like."""
    if isinstance(dtype, dtypes.Absent):
        if name in ("empty", "zeros", "ones"):
            return dtype.numpy
        raise dtypes.refused(dtype)
    if dtype.__class__ is not dtypes.dtype and dtype not in (float, int, bool, complex):
        raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")
    return dtypes.to_numpy(dtype)


def shape_of(size: tuple[Any, ...], name: str = "zeros") -> tuple[int, ...]:
    """Return the shape given as `zeros(2, 3)` or `zeros((2, 3))`."""
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    elif not size:
        raise TypeError(f'{name}() missing 1 required positional arguments: "size"')
    elif isinstance(size[0], (tuple, list)):
        raise TypeError(f"{name}() takes 1 positional argument but {len(size)} were given")
    shape = []
    for position, n in enumerate(size, 1):
        if type(n) is not int:
            if isinstance(n, (float, str, bool)) or not hasattr(n, "__index__"):
                kind = type(n).__name__
                if position == 1:
                    raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {kind}")
                raise TypeError(
                    f"{name}(): argument 'size' failed to unpack the object at pos {position} with error "
                    f'"type must be tuple of ints,but got {kind}"'
                )
            n = n.__index__()
        shape.append(n)
    for n in shape:
        if n < 0:
            if name == "zeros":
                raise RuntimeError("zeros: Dimension size must be non-negative.")
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {shape}")
    return tuple(shape)


def _default(dtype: Any) -> Any:
    return dtypes.get_default_dtype().numpy if dtype is None else dtype


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """Return a new tensor that holds a copy of `data`.

    `data` is a number, a nested list of numbers, an array or a tensor.
    Floats become the default dtype (float32), integers int64, booleans bool.

    >>> tensor([[1., 2.], [3., 4.]])
    tensor([[1., 2.],
            [3., 4.]])
    """
    meta = (device is not None or defaults.device is not None) and on_meta(device)
    if isinstance(data, Tensor):
        advise("tensor")
    started = 0 if events.listener is None else events.now()
    if data.__class__ is int and dtype is None and _LEAST <= data <= _MOST:  # (tests/bench, batches)
        array: Any = np.int64(data)
    else:
        array = from_data(data, None if dtype is None else numpy_dtype("tensor", dtype))
    if meta:
        array = MetaArray(array.shape, array.dtype)
    return finish(array, requires_grad, "tensor", (data,), None, started)


FACTORIES["tensor"] = Op(tensor, {}, name="tensor")


def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Return a 0-d tensor of `dtype`, or else of the default float dtype."""
    kind = numpy_dtype("scalar_tensor", dtype or dtypes.get_default_dtype())
    if isinstance(s, (int, float, complex)):
        check_scalar(s, kind)
        s = s if kind.kind in "bc" else s.real
    return tensor(s, dtype=dtypes.of(kind), device=device, requires_grad=requires_grad)


def _filled(name: str, make: Callable[..., Any], doc: str) -> Callable[..., Any]:
    def function(*args: Any, size: Any = None, dtype: Any = None) -> Any:
        shape = shape_of(args if size is None else (size,), name)
        if dtype is not None and dtype.kind == "V" and math.prod(shape):
            raise dtypes.refused(dtypes.of(dtype))
        return make(shape, _default(dtype))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return factory(function)


zeros = _filled("zeros", np.zeros, "Return a tensor of zeros.")
ones = _filled("ones", np.ones, "Return a tensor of ones.")
empty = _filled("empty", np.zeros, "Return a tensor whose elements are not set: zeros, so that runs repeat.")


@factory
def full(size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """Return a tensor filled with one value, of the value's dtype without `dtype`."""
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {type(size).__name__}")
    value = fill_value._array if isinstance(fill_value, Tensor) else fill_value
    if not isinstance(value, (int, float, complex, np.generic, np.ndarray)):
        raise TypeError(f"full(): argument 'fill_value' (position 2) must be Number, not {type(value).__name__}")
    kind = dtype or (value.dtype if isinstance(value, (np.ndarray, np.generic)) else dtypes.of_number(value).numpy)
    array = np.empty(shape_of((size,), "full"), kind)
    array[...] = fitted(value if isinstance(value, (int, float, complex)) else value.item(), array.dtype)
    return array


@factory
def empty_strided(size: Any, stride: Any, *, dtype: Any = None) -> Any:
    """Return zeros with `stride` elements from one to the next along each dimension."""
    shape, steps = tuple(map(int, size)), tuple(map(int, stride))
    if len(shape) != len(steps):
        raise RuntimeError(
            f"dimensionality of sizes ({len(shape)}) must match dimensionality of strides ({len(steps)})"
        )
    kind = np.dtype(_default(dtype))
    reach = 1 + sum((n - 1) * step for n, step in zip(shape, steps, strict=True)) if 0 not in shape else 0
    return np.ndarray(shape, kind, np.zeros(max(reach, 1), kind), 0, [step * kind.itemsize for step in steps])


@factory
def empty_permuted(size: Any, physical_layout: Any, *, dtype: Any = None) -> Any:
    """Return zeros whose dimensions lie in memory in the given order.

    physical_layout: the dimensions, outermost first.
    """
    order = [int(axis) for axis in physical_layout]
    if len(order) != len(size):
        raise RuntimeError(f"Number of dimensions in size does not match the length of the physical_layout; i.e. "
                           f"len(size) = {len(size)} is not equal to len(physical_layout) = {len(order)}")  # fmt: skip
    for position, axis in enumerate(order):
        if not 0 <= axis < len(size):
            raise RuntimeError(
                f"Dimension out of range (expected to be between 0 and {len(size) - 1}, but got {axis} at index "
                f"{position}).  NB: negative dims not currently supported; file an issue if you want it."
            )
    if len(set(order)) < len(order):
        raise RuntimeError("Duplicate dim not allowed")
    return np.zeros([size[axis] for axis in order], _default(dtype)).transpose(np.argsort(order))


@factory
def eye(n: int, m: int | None = None, *, dtype: Any = None) -> Any:
    """Return an (n, m) matrix with ones on the diagonal and zeros elsewhere."""
    for name, value in (("n", n), ("m", n if m is None else m)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {value}")
    return np.eye(n, m, dtype=_default(dtype))


@factory
def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Any:
    """Return the indices of the lower triangle of a (row, col) matrix, as (2, n)."""
    return np.stack(np.tril_indices(row, offset, col)).astype(dtype or dtypes.I64)


@factory
def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Any:
    """Return the indices of the upper triangle of a (row, col) matrix, as (2, n)."""
    return np.stack(np.triu_indices(row, offset, col)).astype(dtype or dtypes.I64)


def like(make: Callable[..., Any], **permuted: Any) -> Callable[..., Any]:
    """Return `make` with the shape, dtype and memory order of a given tensor.

    permuted: keyword arguments of `make` for a tensor whose dimensions are permuted in memory.
    """
    name = f"{make.__name__}_like"

    def function(input: Tensor, *args: Any, dtype: Any = None, memory_format: Any = None, **kwargs: Any) -> Any:
        if not isinstance(input, Tensor):
            raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
        if input.is_sparse:
            if make is zeros:
                return input.without_elements()
            input = input.to_dense()
        array = input._alike()
        if array.__class__ is MetaArray or defaults.device is not None:
            kwargs["device"] = kwargs.get("device") or input.device
        dtype = dtype or dtypes.of(array.dtype)
        if memory_format is not None and str(memory_format) in ("torch.channels_last", "torch.channels_last_3d"):
            result = make(array.shape, *args, dtype=dtype, **kwargs)
            result._array = laid_out(result._array, memory_format)
            return result
        order = dense_order(array) if memory_format is not contiguous_format else None
        if order is None:
            return make(array.shape, *args, dtype=dtype, **kwargs)
        result = make(tuple(array.shape[axis] for axis in order), *args, dtype=dtype, **permuted, **kwargs)
        result._array = result._array.transpose(np.argsort(order))
        return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Return `{make.__name__}` with the shape, dtype and memory order of `input`."
    return function


zeros_like, ones_like, empty_like, full_like = (like(make) for make in (zeros, ones, empty, full))


def _new(make: Callable[..., Any]) -> Callable[..., Any]:
    def new(self: Tensor, *args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if self.is_meta or defaults.device is not None:
            kwargs["device"] = kwargs.get("device") or self.device
        return make(*args, dtype=dtype or self.dtype, **kwargs)

    new.__name__ = new.__qualname__ = f"new_{make.__name__}"
    new.__doc__ = f"Return `{make.__name__}` with the dtype of this tensor."
    return new


def _new_legacy(self: Tensor, *data: Any, device: Any = None) -> Tensor:
    """Construct a tensor of this dtype from sizes or data, as PyTorch once did."""
    from .from_data import legacy_array

    check_device(device)
    return wrap(legacy_array(data, self._array.dtype), None)


@capture_as(ENGINE)
def _new_tensor(cls: type[Tensor], *data: Any, **kwargs: Any) -> Tensor:
    if cls is not Tensor:
        check_overrides(cls)
    made = object.__new__(cls)
    made._edge = None
    made._meta = None
    made._array = legacy(data, kwargs)
    return made


METHODS: dict[str, Any] = {
    "__new__": staticmethod(_new_tensor),
    "new": _new_legacy,
    **{f"new_{f.__name__}": _new(f) for f in (zeros, ones, empty, full, tensor, empty_strided)},
}


def legacy(data: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the array of `torch.Tensor(...)`: sizes, or data, in the default dtype."""
    from dyncore.tensors.tensor import storage

    from .from_data import legacy_array

    check_device(kwargs.get("device"))
    if len(data) == 1 and isinstance(data[0], Tensor):
        return storage(data[0])
    return legacy_array(data, dtypes.get_default_dtype().numpy)


__all__ = [
    "empty", "empty_like", "empty_permuted", "empty_strided", "eye", "full", "full_like", "ones", "ones_like",
    "scalar_tensor", "tensor", "tril_indices", "triu_indices", "zeros", "zeros_like",
]  # fmt: skip
