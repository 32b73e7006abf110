"""`torch.backends`: switches for libraries that are not here; they remember what they are told."""

from __future__ import annotations

from typing import Any

from .explain import missing_in

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


class _Device(_Backend):
    """One kind of device that is not here."""

    def device_count(self) -> int:
        """0."""
        return 0

    def current_accelerator(self) -> None:
        """None."""

    def manual_seed(self, seed: int) -> None:
        """Nothing."""

    def empty_cache(self) -> None:
        """Nothing."""


cudnn = _Backend(enabled=True, benchmark=False, deterministic=False, allow_tf32=True, benchmark_limit=None)
cuda = _Backend(matmul=_Backend(allow_tf32=False))
mps, xpu, accelerator = (_Device() for _ in range(3))
mkl, mkldnn, openmp = (_Backend() for _ in range(3))


__getattr__ = missing_in(__name__)
