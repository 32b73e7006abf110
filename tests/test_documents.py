"""Lists in the documents are those of the code, and the changelog keeps its form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dyncli.render import SUFFIXES
from dyncli.script import paths, readers

ROOT = Path(__file__).parents[1]
SUFFIX = re.compile(r"`(\.[a-z]+)`")


def listed(document: str, beginning: str) -> set[str]:
    """Return the suffixes on the one line of a document that begins so."""
    (line,) = [line for line in (ROOT / document).read_text("utf-8").splitlines() if line.startswith(beginning)]
    return set(SUFFIX.findall(line))


@pytest.mark.parametrize(
    ("document", "beginning", "table"),
    [
        ("docs/how-to/picture.md", "The suffix chooses the format:", SUFFIXES),
        ("docs/how-to/cover.md", "`--inputs` takes", readers.READERS),
    ],
)
def test_suffixes_in_documents_are_those_of_the_code(document: str, beginning: str, table: object) -> None:
    """A format that is added or removed is named where people look for it."""
    assert set(table) == listed(document, beginning)


def test_tables_of_input_suffixes_agree() -> None:
    """Samples and inputs are read from the same kinds of files."""
    assert set(readers.READERS) == set(paths.SAMPLE_SUFFIXES)
    assert set(readers.TEXTS) <= set(readers.READERS)


def test_changelog_is_kept_as_keep_a_changelog_says() -> None:
    """Known headings, each once, and no line longer than 120 characters."""
    lines = (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    assert [] == [line for line in lines if len(line) > 120]
    headings = [line.removeprefix("### ") for line in lines if line.startswith("### ")]
    order = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    assert headings == [each for each in order if each in headings]
    assert "## Unreleased" in lines
