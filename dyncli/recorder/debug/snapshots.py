"""Values of watched names as they are at a moment: to tell whether they changed, and to show them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.analysis.values import shape_text, tensor_text
from dyncli.instrument.runtime.condition_probes import PLAIN, type_name
from dyncli.recorder.engine import Tensor
from dyncli.recorder.events.summary import summary
from dyncli.records.text import one_line

LARGEST = 1_000_000  # elements of a tensor that is copied; of a larger one only its version is compared
MOST_ITEMS = 100
DEEPEST = 3
SHOWN = 8  # elements of a tensor that is shown whole


def snapshot(value: Any, depth: int = 0) -> Any:
    """Return a key of a value that is equal for equal values (`same`)."""
    kind = type(value)
    if kind in PLAIN:
        return kind, value
    array = _array(value)
    if array is not None:
        return (kind, array.copy()) if array.size <= LARGEST else (kind, id(value), getattr(value, "_version", 0))
    if depth < DEEPEST and kind in (list, tuple):
        return kind, len(value), tuple(snapshot(item, depth + 1) for item in value[:MOST_ITEMS])
    if depth < DEEPEST and kind is dict:
        items = list(value.items())[:MOST_ITEMS]
        return kind, len(value), tuple((snapshot(k, depth + 1), snapshot(v, depth + 1)) for k, v in items)
    return kind, id(value)


def same(first: Any, second: Any) -> bool:
    """Return whether two snapshots are of equal values; NaN is equal to NaN."""
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return first.dtype == second.dtype and np.array_equal(first, second, equal_nan=first.dtype.kind in "fc")
    if type(first) is tuple and type(second) is tuple:
        return len(first) == len(second) and all(map(same, first, second))
    return type(first) is type(second) and (first == second or (first != first and second != second))


def text(value: Any, depth: int = 0) -> str:
    """Describe a value in one short line, without running a method of the user's."""
    kind = type(value)
    if kind in PLAIN:
        return one_line(repr(value), 80)
    array = _array(value)
    if array is not None:
        array = np.asarray(array)
        words = tensor_text(summary(0, array, whole=SHOWN), whole=SHOWN)
        return words if array.size <= SHOWN else f"{shape_text(array.shape)} {words}"
    if depth < DEEPEST and kind in (list, tuple) and len(value) <= SHOWN:
        inner = ", ".join(text(item, depth + 1) for item in value)
        return f"[{inner}]" if kind is list else f"({inner})"
    if kind in (list, tuple, dict, set):
        return f"{type_name(value)} of {len(value)}"
    return f"<{type_name(value)}>"


def _array(value: Any) -> Any:
    """Return the array of a tensor or the array itself; None for anything else."""
    if isinstance(value, Tensor):
        return np.asarray(value._array)
    return value if type(value) is np.ndarray and value.dtype.kind in "biufc" else None
