"""The early-exit network on the digits it was not trained on."""

import runpy
import sys
from pathlib import Path

import pytest

DIGITS = Path(__file__).parents[2] / "samples" / "digits"


@pytest.fixture
def train(monkeypatch):
    """The training script's names; it imports the model by its folder."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield runpy.run_path(str(DIGITS / "train.py"))
    sys.modules.pop("early_exit", None)


def test_held_out_digits(train):
    """At least 95 % are classified right, and most leave at the first exit."""
    _, _, images, labels = train["split"]()
    share, left = train["measure"](train["early_exit"].model, images, labels)
    assert 360 == len(labels) == sum(left)
    assert share >= 0.95
    assert left[0] > 180 and all(left)


@pytest.mark.whole
def test_training_again_gives_the_same_weights(train, tmp_path):
    """The weights that are shipped are those the script makes."""
    images, labels, _, _ = train["split"]()
    again = train["train"](images, labels).state_dict()
    shipped = train["early_exit"].model.state_dict()
    for name, tensor in again.items():
        difference = (tensor - shipped[name]).abs().max().item()
        assert difference < 1e-5, name
