"""Scripts that import a package called torch beside dyncore's tensors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dyncli.recording.outcome import FOREIGN
from dyncli.recording.recorder import record_model
from dyncli.recording.request import Request

OTHER = """\
class Tensor:
    pass


def zeros():
    return Tensor()
"""


def test_script_importing_another_torch_gets_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message alone would say that a Tensor is no Tensor."""
    (tmp_path / "torch.py").write_text(OTHER)
    script = tmp_path / "net.py"
    script.write_text("import torch\n\n\ndef forward(x):\n    return torch.zeros() + x\n")
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    record = next(iter(record_model(Request(str(script), ("[1, 2]",)))))
    assert record.failure is not None
    assert "unsupported operand type(s) for +: 'Tensor' and 'Tensor'" == record.failure.message
    assert (FOREIGN,) == record.failure.notes
    monkeypatch.delitem(sys.modules, "torch", raising=False)


def test_other_errors_have_no_such_note(tmp_path: Path) -> None:
    """A wrong type in a script on dyncore is its own matter."""
    script = tmp_path / "net.py"
    script.write_text("import dyncore as torch\n\n\ndef forward(x):\n    return torch.zeros(2) + 'a'\n")
    record = next(iter(record_model(Request(str(script), ("[1, 2]",)))))
    assert record.failure is not None and () == record.failure.notes
