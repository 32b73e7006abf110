"""Which leaves a backward pass is said to have reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.trace.recorder import record_model
from dyncli.trace.request import Request


def test_a_leaf_written_in_place_is_one_leaf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its value has a new number after the write; its gradient is still one gradient."""
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(
        "import dyncore as torch\n"
        "w = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "def forward(x):\n"
        "    with torch.no_grad():\n"
        "        w.add_(0.5)\n"
        "    return (w * x).sum()\n"
    )
    record = next(record_model(Request("net.py", ("[3, 4]",))))
    (backward,) = record.backwards
    assert ["x", "w"] == [each.name for each in backward.gradients if each.role != "intermediate"]
