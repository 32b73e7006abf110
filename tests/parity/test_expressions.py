"""Compare PyTorch with what stands below the lines in `tests/golden/expressions`; `--accept` writes it there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.expressions.printed import differing, write
from tests.golden.expressions.test_expressions import FILES

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_result_below_a_line_is_pytorchs(path: Path, accept: bool) -> None:
    """Each line, run anew."""
    if accept:
        write(path, torch)
    assert [] == differing(path, torch)
