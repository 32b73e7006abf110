"""Functions and methods have PyTorch's defaults, without PyTorch: they stand in `signatures.txt`."""

from __future__ import annotations

import dyncore
from tests.golden.ops.signatures import defaults, lines


def test_parameters_have_pytorchs_defaults() -> None:
    """Of functions below `torch`, of `Tensor`, `nn.functional`, `linalg`, `special` and `fft`."""
    differing = []
    for name, wanted in lines():
        found = defaults(name, dyncore)
        if wanted != (same := {key: found.get(key, "none") for key in wanted}):
            differing.append((name, same, wanted))
    assert [] == differing
