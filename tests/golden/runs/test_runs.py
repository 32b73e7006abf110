"""Whole records, and what analyses, pictures and comparisons make of them, below the scripts that ran.

Reports and files that show these runs stand in `printed/`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dyncli.analysis.graph.model import options_of
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from tests.golden.paths.test_paths import MARK
from tests.golden.runs.views import view_lines
from tests.golden.runs.written import analysis_lines, comparison_lines, picture_lines, pictures_of_two, record_lines

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
PRINTED = Path(__file__).parent / "printed"
DRAWN = {"grads": True, "saved": True, "values": True}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_whole_run(script: Path, accept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare a run with the lines below its script, and views of it with its file; `--accept` rewrites both."""
    monkeypatch.chdir(script.parent)
    source, _, expected = script.read_text("utf-8").partition(MARK)
    given: dict[str, list[dict[str, Any]]] = {"run": [], "other": [], "picture": []}
    for line in source.splitlines():
        if line.startswith("# "):
            name, _, value = line[2:].partition(": ")
            given[name].append(json.loads(value))
    record, *others = (recorded(script, each) for each in given["run"] + given["other"])
    actual = "".join(f"# {line}".rstrip() + "\n" for line in lines(record, others, given["picture"]))
    shown = "".join(view_lines(record, others))
    file = PRINTED / f"{script.stem}.txt"
    if accept:
        script.write_text(source + MARK + actual, encoding="utf-8")
        file.write_text(shown, encoding="utf-8")
        return
    assert expected == actual
    assert file.read_text("utf-8") == shown


def lines(record: Record, others: list[Record], pictures: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a record, what is reported of it, and its picture, or that of its comparison with the others.

    With options of pictures it is these pictures alone.
    """
    if not pictures:
        yield from record_lines(record)
        yield from analysis_lines(record)
        yield from (line for other in others for line in comparison_lines(record, other))
    for options in pictures or [{}]:
        wanted = options_of(**(DRAWN | options))
        yield from pictures_of_two(record, others[0], wanted) if others else picture_lines(record, wanted)


def recorded(script: Path, given: dict[str, Any]) -> Record:
    """Return the run of a script with the options of a head."""
    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    (record,) = record_model(Request(script.name, saved=True, edges=True)._replace(**options))
    return record
