"""Windows to multiply a signal with: `torch.signal.windows`, and the older `hann_window` and its relatives.

A symmetric window (`sym=True`) is for filters; a periodic one is the first M points of a symmetric one of M + 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from dyncore.creation.factory import factory
from dyncore.dtypes import dtypes
from dyncore.errors.explain import missing_in
from dyncore.tensors.size import strided

__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann",
    "kaiser", "nuttall",
]  # fmt: skip


def _window(formula: Callable[..., Any]) -> Any:
    """Return a factory from a formula of the sample numbers and the last of them."""
    name = formula.__name__
    called = "general_cosine" if name in ("general_hamming", "hamming", "hann", "nuttall") else name

    def make(M: int, *, sym: bool = True, dtype: Any = None, **options: Any) -> Any:
        kind = dtype or dtypes.get_default_dtype().numpy
        if kind not in (dtypes.F32, dtypes.F64):
            raise ValueError(f"{called} expects float32 or float64 dtypes, got: {dtypes.of(kind)}")
        if M < 0:
            raise ValueError(f"{called} requires non-negative window length, got M={M}")
        if sym and options.get("center") is not None:
            raise ValueError("Center must be None for symmetric windows")
        if "a" in options and not isinstance(options["a"], Iterable):
            raise TypeError("Coefficients must be a list/tuple")
        if M <= 1:
            return np.ones(M, kind)
        last = M - 1 if sym else M
        return formula(np.arange(M, dtype=np.float64), last, **options).astype(kind)

    make.__name__ = name
    make.__doc__ = formula.__doc__
    made = factory(make)

    def window(M: int, *, layout: Any = strided, **options: Any) -> Any:
        if layout is not strided:
            raise ValueError(f"{called} is implemented for strided tensors only, got: {layout}")
        return made(M, **options)

    window.__name__ = window.__qualname__ = name
    window.__doc__ = formula.__doc__
    window.__wrapped__ = made.__wrapped__  # type: ignore[attr-defined]
    return window


def _cosines(n: Any, last: int, weights: Iterable[float]) -> Any:
    """Return the sum of (-1)^k a_k cos(2 pi k n / last)."""
    return sum((-1) ** k * a * np.cos(2 * np.pi * k * n / last) for k, a in enumerate(weights))


@_window
def bartlett(n: Any, last: int) -> Any:
    """Return a triangle: 1 - |2n / (M - 1) - 1|."""
    return 1 - np.abs(2 * n / last - 1)


@_window
def blackman(n: Any, last: int) -> Any:
    """Return 0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1))."""
    return _cosines(n, last, (0.42, 0.5, 0.08))


@_window
def cosine(n: Any, last: int) -> Any:
    """Return one half period of a sine."""
    return np.sin(np.pi / (last + 1) * (n + 0.5))


@_window
def exponential(n: Any, last: int, center: float | None = None, tau: float = 1.0) -> Any:
    """Return exp(-|n - center| / tau)."""
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    return np.exp(-np.abs(n - (last / 2 if center is None else center)) / tau)


@_window
def gaussian(n: Any, last: int, std: float = 1.0) -> Any:
    """Return exp(-((n - center) / std)^2 / 2)."""
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    return np.exp(-(((n - last / 2) / std) ** 2) / 2)


@_window
def general_cosine(n: Any, last: int, a: Iterable[float]) -> Any:
    """Return a sum of cosines with the weights `a`, of alternating sign."""
    weights = list(a)
    if not weights:
        raise ValueError("Coefficients cannot be empty")
    return _cosines(n, last, weights)


@_window
def general_hamming(n: Any, last: int, alpha: float = 0.54) -> Any:
    """Return alpha - (1 - alpha) cos(2 pi n / (M - 1))."""
    return _cosines(n, last, (alpha, 1 - alpha))


@_window
def hamming(n: Any, last: int) -> Any:
    """Return 0.54 - 0.46 cos(2 pi n / (M - 1))."""
    return _cosines(n, last, (0.54, 0.46))


@_window
def hann(n: Any, last: int) -> Any:
    """Return 0.5 - 0.5 cos(2 pi n / (M - 1))."""
    return _cosines(n, last, (0.5, 0.5))


@_window
def kaiser(n: Any, last: int, beta: float = 12.0) -> Any:
    """Return I0(beta sqrt(1 - (2n / (M - 1) - 1)^2)) / I0(beta), where I0 is the modified Bessel function."""
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    inside = np.maximum(1 - (2 * n / last - 1) ** 2, 0)
    return np.i0(beta * np.sqrt(inside)) / np.i0(beta)


@_window
def nuttall(n: Any, last: int) -> Any:
    """Return Nuttall's minimum four-term sum of cosines."""
    return _cosines(n, last, (0.3635819, 0.4891775, 0.1365995, 0.0106411))


def _older(window: Any, name: str, **renamed: str) -> Any:
    def make(window_length: int, periodic: bool = True, *args: Any, **kwargs: Any) -> Any:
        options = dict(zip(renamed.values(), args, strict=False))
        options.update({renamed.get(key, key): value for key, value in kwargs.items()})
        return window(window_length, sym=not periodic, **options)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"The {window.__name__} window, periodic unless `periodic=False`."
    return make


bartlett_window = _older(bartlett, "bartlett_window")
blackman_window = _older(blackman, "blackman_window")
hann_window = _older(hann, "hann_window")
kaiser_window = _older(kaiser, "kaiser_window", beta="beta")


def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, **kwargs: Any
) -> Any:
    """Return alpha - beta cos(2 pi n / N), periodic unless `periodic=False`."""
    return general_cosine(window_length, a=(alpha, beta), sym=not periodic, **kwargs)


__getattr__ = missing_in(__name__)
