"""A model trained in PyTorch, saved as safetensors, gives the same outputs in the same architecture here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dyncore

torch = pytest.importorskip("torch")
files = pytest.importorskip("safetensors.torch")


def classifier(nn: Any) -> Any:
    """Convolutions with batch norm, a recurrent and an attention layer: every kind of state."""

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.features = nn.Sequential(
                nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(2)
            )
            self.rnn = nn.LSTM(16, 8, batch_first=True, bidirectional=True)
            self.block = nn.TransformerEncoderLayer(16, 2, 32, 0.0, batch_first=True)
            self.head = nn.Linear(16, 3)

        def forward(self, x: Any) -> Any:
            return self.head(self.block(self.rnn(self.features(x))[0]).mean(1))

    return Net()


def test_a_trained_state_dict_gives_the_same_outputs(tmp_path: Path) -> None:
    """One step of training in PyTorch, so that no value is what it started as."""
    torch.manual_seed(0)
    theirs = classifier(torch.nn)
    images = np.random.default_rng(0).normal(size=(5, 1, 8, 8)).astype("float32")
    optimizer = torch.optim.Adam(theirs.parameters(), 0.05)
    torch.nn.functional.cross_entropy(theirs(torch.tensor(images)), torch.tensor([0, 1, 2, 0, 1])).backward()
    optimizer.step()
    path = tmp_path / "model.safetensors"
    files.save_file(theirs.state_dict(), path)
    ours = classifier(dyncore.nn)
    ours.load_state_dict(dyncore.load(path))
    expected, found = theirs.eval()(torch.tensor(images)), ours.eval()(dyncore.tensor(images))
    np.testing.assert_allclose(found.detach().numpy(), expected.detach().numpy(), rtol=1e-4, atol=1e-5)
