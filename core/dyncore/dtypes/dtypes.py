"""PyTorch's dtypes over NumPy's, and PyTorch's promotion rules, which are not NumPy's.

A tensor holds a NumPy array; `dtype.numpy` is the NumPy side of a dtype and `of(array.dtype)` the way back.
Promotion goes by category (bool < int < float < complex): tensors with dimensions count first, 0-d tensors only if
their category is higher, Python numbers only if higher still (PyTorch's `ResultTypeState`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

__capture__ = "replayed"


class dtype:
    """An element type, printed as PyTorch prints it: `torch.float32`."""

    __slots__ = ("name", "numpy", "category", "itemsize", "title")

    def __init__(self, name: str, numpy: str, category: int, title: str) -> None:
        self.name = name
        self.numpy = np.dtype(numpy)
        self.category = category
        self.itemsize = self.numpy.itemsize
        self.title = title

    @property
    def is_floating_point(self) -> bool:
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        return self.category == COMPLEX

    @property
    def is_signed(self) -> bool:
        return self.numpy.kind != "u" and self.category != BOOLEAN

    def to_real(self) -> dtype:
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    def to_complex(self) -> dtype:
        return {"float32": complex64, "float64": complex128, "float16": complex64}.get(self.name, self)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


class Absent(dtype):
    """A dtype of PyTorch's that NumPy has not: it has a name and a size; tensors of it have no elements."""

    __slots__ = ()

    def to_complex(self) -> dtype:
        return complex64 if self.name == "bfloat16" else self


def refused(value: dtype) -> TypeError:
    """Return the error for a tensor of an absent dtype."""
    error = TypeError(f"dyncore has no {value}: NumPy has no such numbers")
    error.add_note("hint: `torch.float32` holds them all" if value.is_floating_point else "hint: see `torch.int8`")
    return error


BOOLEAN, INTEGRAL, FLOATING, COMPLEX = range(4)

bool_ = dtype("bool", "?", BOOLEAN, "Bool")
uint8 = dtype("uint8", "u1", INTEGRAL, "Byte")
int8 = dtype("int8", "i1", INTEGRAL, "Char")
int16 = dtype("int16", "i2", INTEGRAL, "Short")
int32 = dtype("int32", "i4", INTEGRAL, "Int")
int64 = dtype("int64", "i8", INTEGRAL, "Long")
uint16 = dtype("uint16", "u2", INTEGRAL, "UInt16")
uint32 = dtype("uint32", "u4", INTEGRAL, "UInt32")
uint64 = dtype("uint64", "u8", INTEGRAL, "UInt64")
float16 = dtype("float16", "f2", FLOATING, "Half")
float32 = dtype("float32", "f4", FLOATING, "Float")
float64 = dtype("float64", "f8", FLOATING, "Double")
complex64 = dtype("complex64", "c8", COMPLEX, "ComplexFloat")
complex128 = dtype("complex128", "c16", COMPLEX, "ComplexDouble")

ALIASES = {
    "half": float16, "float": float32, "double": float64, "short": int16, "int": int32, "long": int64,
    "cfloat": complex64, "cdouble": complex128,
}  # fmt: skip

ALL = (
    bool_, uint8, int8, int16, int32, int64, uint16, uint32, uint64,
    float16, float32, float64, complex64, complex128,
)  # fmt: skip
_FROM_NUMPY = {each.numpy: each for each in ALL}
_FROM_PYTHON: dict[Any, dtype] = {bool: bool_, int: int64, float: float64, complex: complex128}

BOOL, I64, F16, F32, F64 = (each.numpy for each in (bool_, int64, float16, float32, float64))
C64, C128 = complex64.numpy, complex128.numpy

_default = float32


def of(numpy_dtype: np.dtype[Any]) -> dtype:
    """Return the dtype of arrays with `numpy_dtype`.  Raises TypeError for what PyTorch has no name for."""
    found = _FROM_NUMPY.get(numpy_dtype)
    if found is None:
        raise TypeError(
            f"can't convert np.ndarray of type {numpy_dtype.type.__module__}.{numpy_dtype.type.__name__}. The only "
            "supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, "
            "uint64, uint32, uint16, uint8, and bool."
        )
    return found


def to_numpy(value: Any) -> np.dtype[Any]:
    """Return the NumPy dtype for a `dtype`, a NumPy dtype or type, or Python's bool, int, float and complex."""
    if value.__class__ is dtype:
        return value.numpy
    if value.__class__ is type and value in _FROM_PYTHON:
        return _FROM_PYTHON[value].numpy
    if isinstance(value, np.dtype):
        return value
    if isinstance(value, Absent):
        raise refused(value)
    raise TypeError(f"dtype must be torch.dtype, not {type(value).__name__}")


def get_default_dtype() -> dtype:
    """Return the dtype of tensors made from Python floats: float32 unless `set_default_dtype` changed it."""
    return _default


def set_default_dtype(d: dtype) -> None:
    """Make `d` the dtype of tensors made from Python floats.  Raises TypeError unless it is a floating dtype."""
    global _default
    if d.__class__ is not dtype:
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if d.category != FLOATING:
        raise TypeError("only floating-point types are supported as the default type")
    _default = d


def default_complex() -> dtype:
    """Return the dtype of tensors made from Python complex numbers."""
    return complex128 if _default is float64 else complex64


def builtin(value: Any) -> Any:
    """Return a number of a class derived from Python's, such as an `IntEnum`, as Python's own."""
    if isinstance(value, (bool, np.generic)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    return complex(value) if isinstance(value, complex) else value


def number(value: Any) -> Any:
    """Return a NumPy scalar as a Python number, as PyTorch counts it; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def of_number(value: Any) -> dtype:
    """Return the dtype of a tensor made from one Python or NumPy number."""
    kind = type(value)
    if kind is bool:
        return bool_
    if kind is int:
        return int64
    if kind is float:
        return _default
    if kind is complex:
        return default_complex()
    plain = builtin(value)
    return of(np.asarray(value).dtype) if plain is value else of_number(plain)


def category(numpy_dtype: np.dtype[Any]) -> int:
    """Return the category of a NumPy dtype: BOOLEAN, INTEGRAL, FLOATING or COMPLEX."""
    kind = numpy_dtype.kind
    return FLOATING if kind == "f" else INTEGRAL if kind in "iu" else BOOLEAN if kind == "b" else COMPLEX


def _join(first: np.dtype[Any] | None, second: np.dtype[Any]) -> np.dtype[Any]:
    """Return the smallest dtype both fit in, by PyTorch's table: an int and a float give the float's width."""
    if first is None or first == second:
        return second
    low, high = sorted((category(first), category(second)))
    if low == high:
        return np.promote_types(first, second)
    wide, narrow = (first, second) if category(first) == high else (second, first)
    if high == COMPLEX and low == FLOATING:
        return np.promote_types(wide, narrow)
    return wide


def title_of(kind: Any) -> str:
    """Return the name of a dtype in PyTorch's sentences: Float, Long."""
    return kind.title if isinstance(kind, dtype) else of(kind).title


_IN_C = {
    "float16": "c10::Half", "float32": "float", "float64": "double", "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>", "uint8": "unsigned char", "int8": "signed char", "int16": "short int",
    "int32": "int", "int64": "long int", "bool": "bool",
}  # fmt: skip


def in_c(numpy: np.dtype[Any]) -> str:
    """Return the C++ name of a dtype in some of PyTorch's sentences."""
    return _IN_C.get(numpy.name, numpy.name)


def result_type(*operands: Any) -> np.dtype[Any]:
    """Return the NumPy dtype that PyTorch computes in for arrays, NumPy scalars (0-d tensors) and Python numbers."""
    dimensional = zero = wrapped = None
    for each in operands:
        kind = type(each)
        if kind is float or kind is int or kind is bool or kind is complex:
            wrapped = _join(wrapped, of_number(each).numpy)
        elif each.ndim:
            dimensional = _join(dimensional, each.dtype)
        else:
            zero = _join(zero, each.dtype)
    result = _higher(_higher(dimensional, zero), wrapped)
    assert result is not None
    return result


def _higher(first: np.dtype[Any] | None, second: np.dtype[Any] | None) -> np.dtype[Any] | None:
    """Return `first`, unless the category of `second` is higher; that keeps `first`'s width where it can."""
    if first is None:
        return second
    if second is None or category(second) <= category(first):
        return first
    if category(second) == COMPLEX and category(first) == FLOATING:
        return C128 if first == F64 else C64
    return second


def promote(first: Any, second: Any) -> tuple[Any, Any]:
    """Return both arrays in the dtype PyTorch computes in."""
    target = result_type(first, second)
    return (
        first if first.dtype == target else first.astype(target),
        second if second.dtype == target else second.astype(target),
    )


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """Return the dtype with the smallest size and category that both fit in."""
    if isinstance(type1, Absent) or isinstance(type2, Absent):
        return _join_absent(type1, type2)
    return of(_join(type1.numpy, type2.numpy))


def _join_absent(first: dtype, second: dtype) -> dtype:
    if first is second:
        return first
    if "bfloat16" not in (first.name, second.name) or (isinstance(first, Absent) and isinstance(second, Absent)):
        names = f"{first.title} and {second.title}"
        raise RuntimeError(f"Promotion for Float8 Types is not supported, attempted to promote {names}")
    other = second if isinstance(first, Absent) else first
    if other.category < FLOATING:
        return ABSENT["bfloat16"]
    return float32 if other is float16 else other


def can_cast(from_: dtype, to: dtype) -> bool:
    """Return whether a result of dtype `from_` may be written into a tensor of dtype `to`: never a lower category."""
    return from_.category <= to.category


def as_float(array: Any) -> Any:
    """Return `array`, integers and booleans turned into the default float dtype, as PyTorch's `exp`, `sin`, `/` do."""
    return array if array.dtype.kind in "fc" else array.astype(_default.numpy)


class finfo:
    """Numerical limits of a floating dtype: bits, eps, max, min, tiny, smallest_normal, resolution, dtype."""

    def __init__(self, type: dtype | None = None) -> None:
        d = type or _default
        if d.category == COMPLEX:
            d = d.to_real()
        if d.category != FLOATING:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        self.bits, self.dtype = 8 * d.itemsize, d.name
        if isinstance(d, Absent):
            self.eps, self.max, self.tiny, self.resolution = _LIMITS[d.name]
            self.smallest_normal, self.min = self.tiny, self.tiny if d.name == "float8_e8m0fnu" else -self.max
            return
        limits = np.finfo(d.numpy)
        self.eps, self.max, self.min = float(limits.eps), float(limits.max), float(limits.min)
        self.tiny = self.smallest_normal = float(limits.tiny)
        self.resolution = 10.0**-limits.precision

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    """Numerical limits of an integer dtype: bits, min, max, dtype."""

    def __init__(self, type: dtype) -> None:
        if isinstance(type, Absent):
            raise NotImplementedError(f"\"dtype\" not implemented for '{type.title}'")
        if type.category != INTEGRAL:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        limits = np.iinfo(type.numpy)
        self.bits, self.min, self.max, self.dtype = limits.bits, int(limits.min), int(limits.max), type.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


# eps, max, smallest normal number, resolution
_LIMITS = {
    "bfloat16": (2.0**-7, (2 - 2.0**-7) * 2.0**127, 2.0**-126, 0.01),
    "float8_e4m3fn": (0.125, 448.0, 2.0**-6, 1.0),
    "float8_e4m3fnuz": (0.125, 240.0, 2.0**-7, 1.0),
    "float8_e5m2": (0.25, 57344.0, 2.0**-14, 1.0),
    "float8_e5m2fnuz": (0.125, 57344.0, 2.0**-15, 1.0),
    "float8_e8m0fnu": (1.0, 2.0**127, 2.0**-127, 1.0),
}


_TITLES = {"bfloat16": "BFloat16", "complex32": "ComplexHalf", "qint8": "QInt8", "quint8": "QUInt8", "qint32": "QInt32"}


def _named(name: str, size: int, category: int) -> Absent:
    title = _TITLES.get(name) or name[0].upper() + name[1:]
    made = Absent(name, f"V{size}", category, title)
    made.numpy = np.dtype([(name, f"V{size}")])  # one for each: arrays of it have no numbers
    _FROM_NUMPY[made.numpy] = made
    return made


# Dtypes that NumPy has not: scripts compare with them and hand them to `autocast`; no tensor has one.
ABSENT = {
    each.name: each
    for each in (
        _named("bfloat16", 2, FLOATING),
        _named("complex32", 4, COMPLEX),
        *(_named(f"float8_{kind}", 1, FLOATING) for kind in ("e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")),
        *(_named(name, 1, INTEGRAL) for name in ("qint8", "quint8")),
        _named("qint32", 4, INTEGRAL),
    )
}
ABSENT["chalf"] = ABSENT["complex32"]
globals().update(ABSENT)
