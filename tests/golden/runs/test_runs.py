"""Whole records, and what reports, pictures and comparisons make of them, below the scripts that ran."""

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
from tests.golden.runs.written import analysis_lines, comparison_lines, picture_lines, pictures_of_two, record_lines

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
DRAWN = {"grads": True, "saved": True, "values": True}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_whole_run(script: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> None:
    """Compare a run with the lines below its script; `--accept` rewrites them."""
    source, _, expected = script.read_text("utf-8").partition(MARK)
    given: dict[str, list[dict[str, Any]]] = {"run": [], "other": [], "picture": []}
    for line in source.splitlines():
        if line.startswith("# "):
            name, _, value = line[2:].partition(": ")
            given[name].append(json.loads(value))
    actual = "".join(f"# {line}".rstrip() + "\n" for line in lines(script, given))
    if request.config.getoption("--accept"):
        script.write_text(source + MARK + actual, encoding="utf-8")
        return
    assert expected == actual


def lines(script: Path, given: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Yield the record of `run`, what is reported of it, and its picture, or that of its comparison with `other`.

    A head with options of pictures wants nothing else.
    """
    record = recorded(script, given["run"][0])
    others = [recorded(script, other) for other in given["other"]]
    if not given["picture"]:
        yield from record_lines(record)
        yield from analysis_lines(record)
        yield from (line for other in others for line in comparison_lines(record, other))
    for options in given["picture"] or [{}]:
        wanted = options_of(**(DRAWN | options))
        yield from pictures_of_two(record, others[0], wanted) if others else picture_lines(record, wanted)


def recorded(script: Path, given: dict[str, Any]) -> Record:
    """Return the run of a script with the options of a head."""
    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    (record,) = record_model(Request(str(script), saved=True, edges=True)._replace(**options))
    return record
