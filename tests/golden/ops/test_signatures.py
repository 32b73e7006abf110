"""Functions and methods have PyTorch's defaults, without PyTorch: they stand in `signatures.txt`."""

from __future__ import annotations

import dyncore
from tests.golden.ops.signatures import defaults, lines


def test_parameters_have_pytorchs_defaults() -> None:
    """Compare functions below `torch`, `nn.functional`, `linalg`, `special` and `fft`, and methods of `Tensor`."""
    differing = []
    for name, wanted in lines():
        found = defaults(name, dyncore)
        if wanted != (same := {key: found.get(key, "none") for key in wanted}):
            differing.append((name, same, wanted))
    assert [] == differing
