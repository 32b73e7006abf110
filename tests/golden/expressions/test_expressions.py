"""Lines as they are typed at a prompt print on dyncore what they print on PyTorch; no PyTorch needed."""

from __future__ import annotations

from pathlib import Path

import pytest

import dyncore
from tests.golden.expressions.printed import differing

FILES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_line_prints_what_it_prints_on_pytorch(path: Path) -> None:
    """Each line runs by itself, from the same seed; what its last expression is, or its error, is compared as text."""
    assert [] == differing(path, dyncore)
