"""The text written for an op is checked in, so that a reader sees what runs; `--accept` rewrites it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncore.dispatch.registry import TABLE
from dyncore.dispatch.specialize import elementwise, linear, lists, products, structured

GOLDEN = Path(__file__).parent / "golden"


def texts() -> dict[str, str]:
    """Return the text of each file: of the operator where the op has one, with and without a listener."""
    found = {}
    for name in ("add", "mul", "tanh"):
        found[f"{name}.txt"] = elementwise.write(TABLE[name], True, False)
        found[f"{name}_listening.txt"] = elementwise.write(TABLE[name], True, True)
    found["mv.txt"] = products.write(TABLE["mv"], False, False)
    found["mv_listening.txt"] = products.write(TABLE["mv"], False, True)
    found["linear.txt"] = linear.write(TABLE["linear"], False, False)
    found["cat.txt"] = lists.write(TABLE["cat"], False, False)
    found["split.txt"] = lists.write(TABLE["split"], False, False)
    found["sum.txt"] = structured.write(TABLE["sum"], False, False) or ""
    return found


@pytest.mark.parametrize("name", sorted(texts()))
def test_text_of_an_op_is_the_golden_one(name: str, accept: bool) -> None:
    """Compare; with `--accept`, rewrite the file."""
    path, text = GOLDEN / name, texts()[name] + "\n"
    if accept:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_golden_files_are_those_of_texts() -> None:
    """No file is left of a text that is written no more."""
    assert sorted(texts()) == sorted(path.name for path in GOLDEN.iterdir())
