"""`torch.testing`: `assert_close`, with PyTorch's tolerances and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dyncore.creation.factory import empty
from dyncore.creation.interop import as_tensor
from dyncore.creation.random import randint
from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import missing_in
from dyncore.tensors.tensor import Tensor

_RELATIVE = {"float16": 1e-3, "float32": 1.3e-6, "float64": 1e-7, "complex64": 1.3e-6, "complex128": 1e-7}
_ABSOLUTE = {"float16": 1e-5, "float32": 1e-5, "float64": 1e-7, "complex64": 1e-5, "complex128": 1e-7}


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: Any = None,
) -> None:
    """Raise AssertionError unless |actual - expected| <= atol + rtol |expected| everywhere, also inside containers."""
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.")
    for path, first, second in _pairs(actual, expected, ""):
        fault = _difference(first, second, rtol, atol, equal_nan, check_dtype, check_stride)
        if fault:
            fault += f"\n\nThe failure occurred for item {path}" if path else ""
            raise AssertionError(msg(fault) if callable(msg) else msg or fault)


def assert_allclose(
    actual: Any, expected: Any, rtol: Any = None, atol: Any = None, equal_nan: bool = True, msg: Any = ""
) -> None:
    """Return `assert_close` as it was called once: dtypes may differ, and NaN equals NaN."""
    actual, expected = as_tensor(actual), as_tensor(expected, dtype=getattr(actual, "dtype", None))
    assert_close(
        actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, check_stride=False,
        msg=msg or None,
    )  # fmt: skip


def _pairs(actual: Any, expected: Any, path: str) -> Any:
    """Return the numbers and tensors at equal places of two containers."""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if set(actual) != set(expected):
            missing, extra = sorted(set(expected) - set(actual)), sorted(set(actual) - set(expected))
            raise AssertionError(
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {missing}\nAdditional keys in the actual mapping: {extra}"
            )
        for key in expected:
            yield from _pairs(actual[key], expected[key], f"{path}[{key!r}]")
    elif _is_list(actual) and _is_list(expected):
        if len(actual) != len(expected):
            raise AssertionError(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
        for number, (first, second) in enumerate(zip(actual, expected, strict=True)):
            yield from _pairs(first, second, f"{path}[{number}]")
    else:
        yield path, actual, expected


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _difference(
    actual: Any, expected: Any, rtol: Any, atol: Any, equal_nan: bool, check_dtype: bool, check_stride: bool
) -> str | None:
    """Return the fault of `actual`, or None."""
    first, second = as_tensor(actual), as_tensor(expected)
    if first._array.shape != second._array.shape:
        return f"The values for attribute 'shape' do not match: {first.shape} != {second.shape}."
    if check_dtype and isinstance(actual, Tensor) and first.dtype is not second.dtype:
        return f"The values for attribute 'dtype' do not match: {first.dtype} != {second.dtype}."
    if check_stride and first.stride() != second.stride():
        return f"The values for attribute 'stride()' do not match: {first.stride()} != {second.stride()}."
    if rtol is None:
        names = first.dtype.name, second.dtype.name
        rtol, atol = max(_RELATIVE.get(n, 0.0) for n in names), max(_ABSOLUTE.get(n, 0.0) for n in names)
    return _mismatch(np.asarray(first._array), np.asarray(second._array), rtol, atol, equal_nan)


def _mismatch(actual: Any, expected: Any, rtol: float, atol: float, equal_nan: bool) -> str | None:
    close = np.isclose(actual, expected, rtol, atol, equal_nan)
    if close.all():
        return None
    if actual.dtype.kind == "b":
        actual, expected = actual.astype(np.int64), expected.astype(np.int64)
    absolute = np.abs(actual - expected)
    relative = absolute / np.abs(expected if expected.dtype.kind in "fc" else expected.astype(np.float32))
    if absolute.dtype.kind != "f":
        relative = relative.astype(np.float32)
    absolute, relative = (np.where(close, 0, each) for each in (absolute, relative))
    lines = []
    exact = not (rtol or atol)
    for kind, values, allowed in (("absolute", absolute, atol), ("relative", relative, rtol)):
        place = np.unravel_index(np.argmax(values), values.shape)
        where = f" at index {tuple(map(int, place))}" if values.ndim else ""
        limit = "" if exact else f" (up to {allowed} allowed)"
        lines.append(f"Greatest {kind} difference: {values[place].item()}{where}{limit}")
    count = int((~close).sum())
    total = f"Mismatched elements: {count} / {close.size} ({count / close.size:.1%})"
    title = "Tensor-likes" if actual.ndim else "Scalars"
    head = f"{title} are not {'equal' if exact else 'close'}!"
    return "\n".join([head, "", *([total] if actual.ndim else []), *lines])


def make_tensor(
    *shape: Any,
    dtype: Any,
    device: Any = "cpu",
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Any:
    """Return a random tensor of numbers from `low` to `high`.

    low: -9 unless given, or 0 for uint8 and bool.  high: 10 for integers, 9 for floats.
    """
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got noncontiguous=True and "
            f"memory_format={memory_format!r}"
        )
    sizes = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], Sequence) else shape
    kind = dtype.numpy.kind
    floating = kind in "fc"
    if requires_grad and not floating:
        raise ValueError(f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}")
    if kind == "b":
        least, most, defaults = 0, 2, (0, 2)
    elif floating:
        least, most, defaults = np.finfo(dtype.numpy).min, np.finfo(dtype.numpy).max, (-9, 9)
    else:
        limits = np.iinfo(dtype.numpy)
        least, most, defaults = limits.min, limits.max + (dtype.name != "int64"), (-9, 10)
    bottom, top = (default if each is None else each for each, default in zip((low, high), defaults, strict=True))
    if bottom != bottom or top != top:
        raise ValueError(f"`low` and `high` cannot be NaN, but got low={bottom!r} and high={top!r}")
    if bottom > top or (bottom == top and not floating):
        raise ValueError(f"`low` must be less than `high`, but got {bottom} >= {top}")
    if top < least or bottom >= most:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{bottom}, {top}), but {dtype} only supports "
            f"[{least}, {most})"
        )
    bottom, top = max(bottom, least), min(top, most)
    apart = noncontiguous and int(np.prod(sizes)) > 1
    wide = (*sizes[:-1], 2 * sizes[-1]) if apart else sizes
    if floating:
        made = empty(wide, dtype=dtype)
        (TABLE["view_as_real"].entry(made) if kind == "c" else made).uniform_(bottom, top)
    else:
        made = randint(int(np.ceil(bottom)), int(np.ceil(top)), wide, dtype=dtype)
    made = made[..., 1::2] if apart else made
    if exclude_zero:
        made[made == 0] = np.finfo(dtype.numpy).tiny if floating else 1
    return made.requires_grad_(requires_grad) if floating else made


__all__ = ["assert_close", "make_tensor"]
__getattr__ = missing_in(__name__)
