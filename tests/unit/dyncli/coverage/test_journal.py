"""Journals of other scripts, settings and data, and files that are none: each is refused with what differs."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dyncli import errors
from dyncli.analysis.coverage import Subject, Tally
from dyncli.coverage.checkpoint import checksummed
from dyncli.coverage.journal import FORMAT, SCHEMA, Journal, load
from dyncli.coverage.runner import Runner, Spec

DATA = {"data.jsonl": "8 bytes, 01"}


def subject(folder: Path, source: str = "def forward(x):\n    return x\n") -> Subject:
    """Return what a script covers."""
    script = folder / "net.py"
    script.write_text(source)
    return Runner(Spec(str(script), display="net.py")).subject


def begun(path: Path, made: Subject, tally: Tally | None = None, inputs: dict[str, str] = DATA) -> str:
    """Write a journal; return its path."""
    with closing(Journal(path, made, inputs)) as journal:
        if tally is not None:
            journal.add(tally)
    return str(path)


def refused(error: type[errors.DyncliError], call: Any) -> tuple[str, ...]:
    """Return why, and the detail of what a call raises."""
    with pytest.raises(error) as caught:
        call()
    return caught.value.message.partition(": ")[2], *caught.value.detail


def test_journal_of_something_else_is_not_continued(tmp_path: Path) -> None:
    """Compare the entry, the files, their text, the settings, then the data."""
    path, made = tmp_path / "run.journal", subject(tmp_path)
    begun(path, made)
    (source,) = made.sources
    longer = replace(made, sources=(source._replace(text="".join(f"# {n}\n" for n in range(40)) + source.text),))
    others = {
        "entry": replace(made, entry="other"),
        "more": replace(made, sources=(source, source._replace(file="helper.py"))),
        "fewer": replace(made, sources=()),
        "text": longer,
        "seed": replace(made, settings=replace(made.settings, seed=3)),
    }
    found = {name: refused(errors.JournalDiffers, lambda each=each: begun(path, each)) for name, each in others.items()}
    found["data"] = refused(errors.JournalDiffers, lambda: begun(path, made, inputs={"data.jsonl": "9 bytes, 02"}))
    assert found == {
        "entry": ("it covers `net.py:forward`, not `net.py:other`",),
        "more": ("`helper.py` was not part of the script",),
        "fewer": ("`net.py` was part of the script",),
        "text": ("`net.py` was another version", "@@ -1 +1,41 @@", *(f"+# {n}" for n in range(23)), "..."),
        "seed": ("`--seed` was 0, now 3",),
        "data": ("`data.jsonl` was another file", "it had 8 bytes, 01, now 9 bytes, 02"),
    }


def test_journals_of_other_data_are_not_merged(tmp_path: Path) -> None:
    """Refuse one of another file, and two that count the same inputs."""
    made = subject(tmp_path)
    first = begun(tmp_path / "a.journal", made, Tally(ranges={"data.jsonl": ((0, 5),)}))
    behind = begun(tmp_path / "b.journal", made, Tally(ranges={"data.jsonl": ((5, 7),)}))
    within = begun(tmp_path / "c.journal", made, Tally(ranges={"data.jsonl": ((4, 6),)}))
    other = begun(tmp_path / "d.journal", made, inputs={"data.jsonl": "9 bytes, 02"})
    assert {"data.jsonl": ((0, 7),)} == load([first, behind])[1].ranges == load([behind, first])[1].ranges
    assert ("4 to 4",) == refused(errors.JournalsOverlap, lambda: load([first, within]))
    assert ("5 to 5",) == refused(errors.JournalsOverlap, lambda: load([within, behind]))
    why = "`data.jsonl` is another file: there it had 8 bytes, 01, here 9 bytes, 02"
    assert (why,) == refused(errors.JournalDiffers, lambda: load([first, other]))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "it is empty"),
        ([1], "it does not begin as one"),
        ({"format": "other"}, "it does not begin as one"),
        ({"format": FORMAT, "schema": SCHEMA + 1}, f"its schema is {SCHEMA + 1}, this dyncli reads up to {SCHEMA}"),
    ],
)
def test_file_that_is_no_journal(value: Any, why: str, tmp_path: Path) -> None:
    """Say why it cannot be read."""
    path = tmp_path / "no.journal"
    path.write_bytes(b"" if value is None else checksummed(value))
    assert (why,) == refused(errors.JournalUnreadable, lambda: load([str(path)]))
