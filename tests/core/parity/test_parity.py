"""The first samples of every tier-1 op give PyTorch's values and gradients; skipped where torch is not installed."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.core.parity import names  # noqa: E402
from tests.core.parity.check import COUNTED, check  # noqa: E402

pytestmark = pytest.mark.slow
FAMILIES = sorted({each["family"] for each in names.families().values() if each["tier"] == 1})


@pytest.mark.parametrize("family", FAMILIES)
def test_tier_one_agrees_with_pytorch(family: str) -> None:
    """Forward, gradient, second order, in place and `out=` agree for the first three samples of each op."""
    torch.set_num_threads(1)
    faults = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for info in names.chosen([], family, "1"):
            score = check(info, ("float64", "int64"), limit=3)
            if score.missing:
                faults.append(f"{score.title}: missing")
            faults.extend(f"{score.title} {fault}" for fault in score.faults if fault.split()[0] in COUNTED)
    assert [] == faults
