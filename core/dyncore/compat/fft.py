"""`torch.fft`: discrete Fourier transforms, by PyTorch's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.binding.namespaces import names_in, op_named
from dyncore.creation.factory import factory
from dyncore.dtypes import dtypes

__capture__ = "replayed"


def __getattr__(name: str) -> Any:
    found = op_named("fft", name, {})
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return ["fftfreq", "rfftfreq", *names_in("fft", {})]


@factory
def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None) -> Any:
    """Return the frequencies of the elements of a transform of `n` samples, `d` apart."""
    return np.fft.fftfreq(n, d).astype(dtype or dtypes.get_default_dtype().numpy)


@factory
def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None) -> Any:
    """Return the frequencies of the elements of `rfft` of `n` samples, `d` apart."""
    return np.fft.rfftfreq(n, d).astype(dtype or dtypes.get_default_dtype().numpy)
