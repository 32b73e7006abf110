"""Tensors as text, exactly as PyTorch prints them; `set_printoptions`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.graph.names import short
from dyncore.tensors.size import Size


class Options:
    """Print options: digits, summary threshold, items at each edge, line width."""

    __slots__ = ("precision", "threshold", "edgeitems", "linewidth", "sci_mode")

    def __init__(self) -> None:
        self.precision: int = 4
        self.threshold: float = 1000
        self.edgeitems: int = 3
        self.linewidth: int = 80
        self.sci_mode: bool | None = None


options = Options()
PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": float("inf"), "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors print; None leaves an option as it is.

    precision: digits after the point.  threshold: elements above which only edges are shown, `edgeitems` on each
    side.  linewidth: characters in a line.  profile: default, short or full.  sci_mode: always or never 1.0e+00;
    None lets each tensor decide.
    """
    given = dict(PROFILES.get(profile, {})) if profile is not None else {}
    values = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    given.update({name: value for name, value in values.items() if value is not None})
    for name, value in given.items():
        setattr(options, name, value)
    options.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """Return the current options, as `set_printoptions` takes them."""
    return {name: getattr(options, name) for name in Options.__slots__}


@contextmanager
def printoptions(**kwargs: Any) -> Iterator[None]:
    """Set other print options inside the block; arguments as of `set_printoptions`."""
    before = get_printoptions()
    set_printoptions(**kwargs)
    try:
        yield
    finally:
        set_printoptions(**before)


class Column:
    """Style in which the elements of one tensor are written, padded to one width."""

    __slots__ = ("floating", "width", "style")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.floating = array.dtype.kind == "f"
        self.width = 1
        self.style = "whole"
        flat = array.reshape(-1)
        if not self.floating:
            self.width = max(map(len, map(str, flat.tolist())), default=1)
            return
        shown = flat[np.isfinite(flat) & (flat != 0)]
        if not shown.size:
            return
        whole = bool((shown == np.ceil(shown)).all())
        self.style = "scientific" if _wants_exponent(shown) else "whole" if whole else "fixed"
        pattern = {"scientific": f"%.{options.precision}e", "whole": "%.0f.", "fixed": f"%.{options.precision}f"}
        self.width = max(1, max(map(len, map(pattern[self.style].__mod__, shown.tolist()))))

    def text(self, value: Any) -> str:
        """Return one element, padded on the left."""
        if not self.floating:
            text = str(value)
        elif self.style == "scientific":
            text = f"{value:.{options.precision}e}"
        elif self.style == "fixed":
            text = f"{value:.{options.precision}f}"
        else:
            text = f"{value:.0f}" + ("." if abs(value) < float("inf") else "")
        return text.rjust(self.width)


def _wants_exponent(shown: np.ndarray[Any, Any]) -> bool:
    """Return True if digits alone cannot show finite nonzero values.

    They are too large, too small or too far apart.
    """
    if options.sci_mode is not None:
        return options.sci_mode
    magnitudes = np.abs(shown).astype(np.float64)
    low, high = float(magnitudes.min()), float(magnitudes.max())
    with np.errstate(over="ignore"):
        return bool(np.float64(high) / low > 1000.0) or high > 1.0e8 or low < 1.0e-4


class Layout:
    """Elements of one tensor as nested brackets.

    Rows are broken at the line width, long dimensions are cut to their edges.
    """

    __slots__ = ("cut", "columns")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.cut = array.size > options.threshold
        shown = edges(array) if self.cut else array
        parts = (shown.real, shown.imag) if array.dtype.kind == "c" else (shown,)
        self.columns = [Column(part) for part in parts]

    def text(self, array: np.ndarray[Any, Any], indent: int) -> str:
        """Return the elements of `array`, whose bracket opens at column `indent`."""
        if not array.ndim:
            return self.element(array.item())
        if array.ndim == 1:
            return self.row(array, indent)
        slices = [self.text(each, indent + 1) for each in array[: options.edgeitems]] if self.short(array) else []
        if slices or (self.short(array) and not options.edgeitems):
            slices += ["...", *(self.text(each, indent + 1) for each in array[len(array) - options.edgeitems :])]
        else:
            slices = [self.text(each, indent + 1) for each in array]
        gap = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
        return f"[{gap.join(slices)}]"

    def short(self, array: np.ndarray[Any, Any]) -> bool:
        """Return True if the first dimension of `array` is cut to its edges."""
        return self.cut and len(array) > 2 * options.edgeitems

    def row(self, array: np.ndarray[Any, Any], indent: int) -> str:
        """Return one bracket of elements, over as many lines as they need."""
        length = sum(column.width for column in self.columns) + len(self.columns) + 1
        count = max(1, (options.linewidth - indent) // length)
        edge = options.edgeitems
        if self.cut and not edge:
            words = ["..."]
        elif self.short(array):
            words = [*map(self.element, array[:edge].tolist()), " ...", *map(self.element, array[-edge:].tolist())]
        else:
            words = [*map(self.element, array.tolist())]
        lines = [", ".join(words[start : start + count]) for start in range(0, len(words), count)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"

    def element(self, value: Any) -> str:
        """Return one element: a number, or a real and an imaginary part."""
        if len(self.columns) == 1:
            return self.columns[0].text(value)
        imaginary = self.columns[1].text(value.imag).lstrip() + "j"
        sign = "" if imaginary[0] in "+-" else "+"
        return self.columns[0].text(value.real) + sign + imaginary


def edges(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the part of `array` that a summary shows.

    Only these elements decide the style of the column.
    """
    edge = options.edgeitems
    for axis, size in enumerate(array.shape):
        if not edge and array.ndim > 1:
            return array.reshape(-1)[:0]
        if size > 2 * edge:
            index = (slice(None),) * axis
            array = np.concatenate((array[(*index, slice(edge))], array[(*index, slice(size - edge, size))]), axis)
    return array


def tensor_text(tensor: Any, *, tensor_contents: str | None = None) -> str:
    """Return the `repr` of a tensor: its elements, then size, dtype and history.

    Size and dtype are left out where the elements show them.
    """
    prefix = _prefix(tensor)
    if tensor.is_meta:
        return joined(prefix + "...", _suffixes_of_meta(tensor), len(prefix))
    array = np.asarray(tensor._array)
    dtype = dtypes.of(array.dtype)
    suffixes = []
    if not array.size:
        contents = "[]"
        if array.ndim != 1:
            suffixes.append(f"size={tuple(array.shape)}")
        if dtype is not dtypes.get_default_dtype():
            suffixes.append(f"dtype={dtype}")
    else:
        contents = Layout(array).text(array, len(prefix)) if tensor_contents is None else tensor_contents
        if not options.edgeitems:
            suffixes.append(f"size={tuple(array.shape)}")
        if dtype not in (dtypes.get_default_dtype(), dtypes.default_complex(), dtypes.int64, dtypes.bool_):
            suffixes.append(f"dtype={dtype}")
    suffixes += _history(tensor)
    return joined(prefix + contents, suffixes, len(prefix))


def _suffixes_of_meta(tensor: Any) -> list[str]:
    usual = dtypes.get_default_dtype(), dtypes.default_complex()
    shown = [] if tensor.dtype in usual else [f"dtype={tensor.dtype}"]
    return ["device='meta'", f"size={tuple(tensor.shape)}", *shown, *_history(tensor)]


def _prefix(tensor: Any) -> str:
    from dyncore.tensors.tensor import Tensor

    kind = type(tensor)
    return "tensor(" if kind is Tensor or getattr(kind, "_prints_plain", False) else f"{kind.__name__}("


def _history(tensor: Any) -> list[str]:
    try:
        node = tensor.grad_fn
    except RuntimeError:
        return ["grad_fn=<Invalid>"]
    if node is not None:
        suffixes = [f"grad_fn=<{short(node.name())}>"]
    else:
        suffixes = ["requires_grad=True"] if tensor.requires_grad else []
    tangent = None if tensor._meta is None else tensor._meta.tangent
    return suffixes if tangent is None else [*suffixes, f"tangent={tangent}"]


def joined(text: str, suffixes: Sequence[str], indent: int, apart: bool = False) -> str:
    """Append the suffixes to `text`, each on the same line while it fits; apart: the first begins a line."""
    length = len(text) - text.rfind("\n") + 1
    for number, suffix in enumerate(suffixes):
        if (apart and not number) or length + len(suffix) + 2 > options.linewidth:
            text += ",\n" + " " * indent + suffix
            length = indent + len(suffix)
        else:
            text += ", " + suffix
            length += len(suffix) + 2
    return text + ")"


__all__ = ["Size", "get_printoptions", "printoptions", "set_printoptions"]
