"""Batches of three examples are batches here, though they would sooner run one after the other."""

import pytest

from dyncore.batching import run


@pytest.fixture(autouse=True)
def batches_of_three(monkeypatch):
    monkeypatch.setattr(run, "FEW", 3)
