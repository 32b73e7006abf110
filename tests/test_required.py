"""The tests against PyTorch cannot be left out where they are required."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.required import VARIABLE

ROOT = Path(__file__).parents[1]
MODULE = """\
import pytest

pytest.importorskip("torch_that_nobody_has")


def test_nothing():
    pass
"""
MARKED = """\
import pytest


@pytest.mark.skipif(True, reason="torch is not installed")
def test_marked():
    pass


def test_inside():
    pytest.importorskip("torch_that_nobody_has.nn")


@pytest.mark.skipif(True, reason="there is no timer")
def test_of_something_else():
    pass


def test_fine():
    pass
"""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("value", "summary", "code"), [("", "1 passed, 4 skipped", 0), ("1", "1 failed, 1 passed, 1 skipped, 2 errors", 1)]
)
def test_skip_for_want_of_torch_fails_where_required(tmp_path: Path, value: str, summary: str, code: int) -> None:
    """In a module, a mark and a test alike; another reason to skip is none of its business."""
    (tmp_path / "test_module.py").write_text(MODULE)
    (tmp_path / "test_marked.py").write_text(MARKED)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.required", "--continue-on-collection-errors"]
    finished = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {VARIABLE: value, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""},
    )  # fmt: skip
    assert (code, summary) == (finished.returncode, finished.stdout.splitlines()[-1].partition(" in ")[0])
