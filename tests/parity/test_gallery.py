"""The scripts of `samples/pytorch` print the same under PyTorch and under dyncore."""

import contextlib
import io
import sys
from pathlib import Path

import pytest

from dyncli.instrument.runtime.importer import torch_is_dyncore
from dyncli.script import paths

torch = pytest.importorskip("torch")

GALLERY = sorted((paths.folder("samples") / "pytorch").glob("*.py"))


def printed(script: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a script prints as `__main__`, under what `torch` is now; the default dtype is put back."""
    monkeypatch.setattr(sys, "argv", [str(script)])
    engine = __import__("torch")
    before = engine.get_default_dtype()
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(script.read_bytes(), str(script), "exec", dont_inherit=True), {"__name__": "__main__"})
    finally:
        engine.set_default_dtype(before)
    return out.getvalue()


def test_gallery_has_its_eight_scripts() -> None:
    """A script that is lost is missed."""
    names = ["bilstm_crf", "experts", "gpt", "neural_ode", "ponder", "reinforce", "seq2seq", "tree_lstm"]
    assert names == [script.stem for script in GALLERY]


@pytest.mark.parametrize("script", GALLERY, ids=lambda script: script.stem)
def test_script_prints_what_it_prints_under_pytorch(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is equal, to the last digit that is printed."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        expected = printed(script, monkeypatch)
    finally:
        torch.set_num_threads(before)
    with torch_is_dyncore():
        import dyncore

        assert __import__("torch") is dyncore
        assert expected == printed(script, monkeypatch)
    assert expected.count("\n") > 3
