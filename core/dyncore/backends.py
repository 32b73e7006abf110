"""`torch.backends`: switches for libraries that are not here; they remember what they are told."""

from __future__ import annotations

from typing import Any

__dyncore__ = True


class _Backend:
    """One library that is not here, with the switches scripts set."""

    def __init__(self, **switches: Any) -> None:
        self.__dict__.update(switches)

    def is_available(self) -> bool:
        """False."""
        return False

    def is_built(self) -> bool:
        """False."""
        return False

    def version(self) -> None:
        """None."""


cudnn = _Backend(enabled=True, benchmark=False, deterministic=False, allow_tf32=True, benchmark_limit=None)
cuda = _Backend(matmul=_Backend(allow_tf32=False))
mps, mkl, mkldnn, openmp = (_Backend() for _ in range(4))


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module 'torch.backends' has no attribute '{name}'")
