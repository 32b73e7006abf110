"""PyTorch's profiler by name: blocks and functions can be marked.

Nothing is measured here; `dyncli run` shows what ran.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from dyncore.errors.explain import missing_in

__all__ = ["emit_itt", "emit_nvtx", "kineto_available", "profile", "record_function"]


def kineto_available() -> bool:
    """Return False: there is no such profiler here."""
    return False


class record_function:
    """Marks a block or a function with a name; nothing is measured.

    >>> with record_function("forward"):
    ...     pass
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name, self.args = name, args

    def __enter__(self) -> record_function:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return wrapper


class _Refused:
    """Profiler of PyTorch's: runs as a block, raises when asked for results."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._started = 0
        self.elapsed_ns = 0

    def __enter__(self) -> Any:
        self._started = perf_counter_ns()
        return self

    def __exit__(self, *exc: object) -> None:
        self.elapsed_ns = perf_counter_ns() - self._started

    def step(self) -> None:
        """Do nothing."""

    start = stop = step

    def key_averages(self, *args: Any, **kwargs: Any) -> Any:
        """Raise NotImplementedError: ops are not timed here."""
        raise NotImplementedError(
            "dyncore does not profile ops: take the line out, and `dyncli trace` shows the time of each line and op"
        )

    table = total_average = function_events = export_chrome_trace = key_averages


class profile(_Refused):
    """Block whose ops PyTorch would time one by one."""


class emit_nvtx(_Refused):
    """Block that PyTorch would mark for NVIDIA's tools."""


class emit_itt(_Refused):
    """Block that PyTorch would mark for Intel's tools."""


__getattr__ = missing_in(__name__)
