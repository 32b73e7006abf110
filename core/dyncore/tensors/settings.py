"""Switches of the process that scripts set at their top: threads, determinism, precision, default device."""

from __future__ import annotations

import os
from typing import Any

from dyncore.errors.explain import is_warn_always_enabled, set_warn_always

from .size import defaults, device, device as Device, on_meta

__capture__ = "refused"

_threads: int | None = None
_deterministic = (False, False)
_precision = "highest"


def get_num_threads() -> int:
    """Return how many threads NumPy's BLAS may use."""
    return (
        _threads or len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else _threads or os.cpu_count() or 1
    )


def set_num_threads(num: int, /) -> None:
    """Set the number of threads of NumPy's BLAS.

    Works with the OpenBLAS of NumPy's wheels; elsewhere the number is only stored.
    """
    if type(num) is not int:
        raise RuntimeError(f"set_num_threads expects an int, but got {type(num).__name__}")
    if num <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    global _threads
    _threads = num
    setter = _blas_setter()
    if setter is not None:
        setter(num)


def _blas_setter() -> Any:
    """OpenBLAS's own function, found through NumPy's extension module; None with another BLAS."""
    import ctypes

    from numpy.linalg import _umath_linalg

    try:
        library = ctypes.CDLL(_umath_linalg.__file__)
    except OSError:
        return None
    for prefix in ("scipy_openblas", "openblas"):
        for suffix in ("64_", ""):
            found = getattr(library, f"{prefix}_set_num_threads{suffix}", None)
            if found is not None:
                return found
    return None


def get_num_interop_threads() -> int:
    """1: ops run one after the other."""
    return 1


def set_num_interop_threads(num: int, /) -> None:
    """Accept the setting; ops run one after the other whatever it says."""


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Remembered; every algorithm here is deterministic."""
    global _deterministic
    _deterministic = (bool(mode), bool(warn_only))


def are_deterministic_algorithms_enabled() -> bool:
    """Return what `use_deterministic_algorithms` said last."""
    return _deterministic[0]


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Return what `use_deterministic_algorithms(warn_only=...)` said last."""
    return _deterministic[1]


def get_deterministic_debug_mode() -> int:
    """0, or 1 to warn and 2 to raise where an algorithm is not deterministic; none is here."""
    return 0 if not _deterministic[0] else 1 if _deterministic[1] else 2


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Set `use_deterministic_algorithms` by "default", "warn" or "error".

    Or by their numbers.
    """
    modes = ("default", "warn", "error")
    if isinstance(debug_mode, str) and debug_mode not in modes:
        raise RuntimeError(
            f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}"
        )
    number = modes.index(debug_mode) if isinstance(debug_mode, str) else debug_mode
    if number not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, or 2, but got {number}")
    use_deterministic_algorithms(number > 0, warn_only=number == 1)


def get_float32_matmul_precision() -> str:
    """Return what `set_float32_matmul_precision` said last, `"highest"` at first; float32 stays float32 here."""
    return _precision


def set_float32_matmul_precision(precision: str) -> None:
    """Store one of highest, high, medium; float32 stays float32 here."""
    if precision not in ("highest", "high", "medium"):
        from dyncore.errors.explain import warn

        warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the current"
            "setFloat32MatmulPrecision call has no effect."
        )
        return
    global _precision
    _precision = precision


def set_flush_denormal(mode: bool, /) -> bool:
    """Return False: NumPy has no such switch."""
    return False


def get_default_device() -> device:
    """Return the device of tensors that name none: `device(type='cpu')` unless it was set."""
    return defaults.device or device("cpu")


def set_default_device(device: Any) -> None:
    """Make tensors that name no device there, on "cpu" or "meta".

    Raises AssertionError or RuntimeError for another device.
    """
    on_meta(device)
    defaults.device = None if device is None else Device(device)


__all__ = [
    "are_deterministic_algorithms_enabled", "get_default_device", "get_deterministic_debug_mode",
    "get_float32_matmul_precision", "get_num_interop_threads", "get_num_threads",
    "is_deterministic_algorithms_warn_only_enabled", "is_warn_always_enabled", "set_default_device",
    "set_deterministic_debug_mode", "set_float32_matmul_precision", "set_flush_denormal", "set_num_interop_threads",
    "set_num_threads", "set_warn_always", "use_deterministic_algorithms",
]  # fmt: skip
