"""Whether two engines gave the same: shapes, dtypes and values, and in what they differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import dyncore

# By the width of the result: relative and absolute.
TOLERANCE = {"float64": (1e-6, 1e-8), "float32": (1e-4, 1e-5), "float16": (1e-2, 1e-2)}
TOLERANCE.update(complex128=TOLERANCE["float64"], complex64=TOLERANCE["float32"])


def flat(value: Any) -> list[Any]:
    """The leaves of nested lists and tuples; a shape is one leaf."""
    if isinstance(value, (torch.Size, dyncore.Size)):
        return [tuple(value)]
    if isinstance(value, (list, tuple)):
        return [leaf for each in value for leaf in flat(each)]
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in flat(each)]
    return [value]


def difference(expected: Any, actual: Any, values: bool = True, loose: float = 1.0, ties: bool = False) -> str | None:
    """What is wrong with `actual`, in words, or None; with `ties`, places are compared only where values are floats."""
    wanted, got = flat(expected), flat(actual)
    if len(wanted) != len(got):
        return f"{len(got)} results, expected {len(wanted)}"
    floats = ties and wanted[0].is_floating_point()
    for number, (a, b) in enumerate(zip(wanted, got, strict=True)):
        found = _leaf(a, b, values and not (ties and a.dtype is torch.int64 and not floats), loose)
        if found:
            return found if len(wanted) == 1 else f"result {number}: {found}"
    return None


def _leaf(a: Any, b: Any, values: bool, loose: float) -> str | None:
    if not isinstance(a, torch.Tensor):
        if isinstance(b, dyncore.Tensor):
            return f"a tensor, expected {a!r}"
        if isinstance(a, torch.dtype):
            return None if str(a) == str(b) else f"{b}, expected {a}"
        number = isinstance(a, (float, complex)) and isinstance(b, (float, complex))
        return None if a == b or (number and np.allclose(a, b, equal_nan=True)) else f"{b!r}, expected {a!r}"
    if not isinstance(b, dyncore.Tensor):
        return f"{type(b).__name__}, expected a tensor"
    if tuple(a.shape) != tuple(b._array.shape):
        return f"shape {tuple(b._array.shape)}, expected {tuple(a.shape)}"
    name = str(a.dtype).removeprefix("torch.")
    if name != str(b._array.dtype):
        return f"dtype {b._array.dtype}, expected {name}"
    if not values:
        return None
    return unequal(a.detach().resolve_conj().resolve_neg().numpy(force=True), np.asarray(b._array), name, loose)


def unequal(wanted: Any, got: Any, name: str, loose: float = 1.0) -> str | None:
    if name not in TOLERANCE:
        return None if np.array_equal(wanted, got) else _where(wanted, got, wanted != got)
    relative, absolute = (each * loose for each in TOLERANCE[name])
    with np.errstate(all="ignore"):
        close = np.isclose(got, wanted, relative, absolute, equal_nan=True)
        scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=0)
        if np.isfinite(scale) and name in ("float32", "complex64"):
            close |= np.abs(got - wanted) <= 1e-6 * scale * loose
    return None if close.all() else _where(wanted, got, ~close)


def _where(wanted: Any, got: Any, wrong: Any) -> str:
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{got[place]} at {place}, expected {wanted[place]} ({int(wrong.sum())} of {wrong.size} differ)"


def fixed(like: Any, number: int) -> Any:
    """Values like those of a tensor, the same for the same number: a cotangent of a result, a tangent of an input."""
    made = np.random.default_rng(number + 1).standard_normal((*like.shape, 2))
    values = made[..., 0] + 1j * made[..., 1] if like.dtype.is_complex else made[..., 0]
    return torch.tensor(values, dtype=like.dtype)
