"""Names that occur nowhere in what a script may run."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.script import vocabulary
from dyncli.script.vocabulary import unheard

SCRIPT = """\
import math
import numpy as np
from dyncore import nn
from beside import helper


class Net(nn.Module):
    def __init__(self):
        self.gate = nn.Linear(1, 1)

    async def later(self): ...


def forward(x):
    total = helper(x)
    return total
"""
KNOWN = ["forward", "Net", "gate", "later", "12", "relu", "Linear", "in_beside", "in_below", "*", ""]
PATTERNS = ["in_hidd*", "*hidden", "?n_hidden", "in_hidde?", "[io]n_hidden", "in_hidde[n]", "*hid*"]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script with files in its folder and below."""
    (tmp_path / "beside.py").write_text("def helper(in_beside): ...\n")
    for folder, name in (("below", "in_below"), (".hidden", "in_hidden"), ("_own", "in_own")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.py").write_text(f"{name} = 1\n")
    (tmp_path / "net.py").write_text(SCRIPT)
    return tmp_path / "net.py"


def test_first_name_that_occurs_nowhere_comes_with_those_that_do(script: Path) -> None:
    """With the names that the script defines or assigns, and the ops of the engine."""
    found = unheard([*KNOWN, *PATTERNS, "in_hidden", "in_own"], script)
    assert found is not None
    assert ("in_hidden", ("Net", "__init__", "forward", "gate", "later", "total", "for", "while")) == found[:2]
    assert {"relu", "matmul"} <= set(found[2]) and list(found[2]) == sorted(found[2])
    assert "in_own.weight" == (unheard(["in_own.weight"], script) or ("",))[0]


def test_names_that_all_occur_or_may_occur(script: Path) -> None:
    """A pattern may fit anything; without words nothing is read."""
    assert unheard([*KNOWN, *PATTERNS], script) is None


@pytest.mark.parametrize("library", ["import pandas", "    from pandas import x"])
def test_library_may_have_any_name(script: Path, library: str) -> None:
    """Wherever in the folder it is imported."""
    (script.parent / "below" / "one.py").write_text(f"{library}\n")
    assert unheard(["in_hidden"], script) is None


def test_large_folder_is_not_read(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the number of its files or folders."""
    for limit, most, is_read in (("MOST_FILES", 3, True), ("MOST_FILES", 2, False), ("MOST_FOLDERS", 0, False)):
        with monkeypatch.context() as patch:
            patch.setattr(vocabulary, limit, most)
            assert is_read == (unheard(["in_hidden"], script) is not None)
