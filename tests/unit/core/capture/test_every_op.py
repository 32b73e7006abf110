"""Every op of the table, replayed, gives the bits it gives when it runs ordinarily: values and gradients."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

import dyncore as torch
from dyncore.binding.lazy import load_all
from dyncore.dispatch.registry import TABLE
from tests.unit.core.capture.check import same
from tests.unit.core.ops.samples import calls_of, collect

SAMPLES, _ = collect()
load_all()


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_op_is_replayed_bit_for_bit(name: str) -> None:
    """Each sample of the op, ordinarily and compiled."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for *args, kwargs in calls_of(name, SAMPLES[name]):
            compiled = same(partial(TABLE[name].entry, **kwargs), *args, seed=0)
            explained = compiled.explain()
            assert explained.hits or explained.refused, str(explained)


def test_the_functions_of_the_table_are_open_to_scripts() -> None:
    """A compiled function may call what a script calls."""
    compiled = same(lambda x: torch.softmax(x.exp().clamp(max=2.0), 0), torch.tensor([0.5, 1.0], requires_grad=True))
    assert compiled.explain().hits == 2, str(compiled.explain())
