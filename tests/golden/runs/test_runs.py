"""Whole records, and what reports, pictures and comparisons make of them, below the scripts that ran."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dyncli.analysis.graph.model import GraphOptions, options_of
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from tests.golden.paths.test_paths import MARK
from tests.golden.runs.written import analysis_lines, comparison_lines, picture_lines, record_lines

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
DRAWN = {"grads": True, "saved": True, "values": True}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_whole_run(script: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> None:
    """What stands below the script is what its run comes to; `--accept` rewrites it."""
    source, _, expected = script.read_text("utf-8").partition(MARK)
    given = {
        name: json.loads(value)
        for name, _, value in (line[2:].partition(": ") for line in source.splitlines() if line.startswith("# "))
    }
    actual = "".join(f"# {line}".rstrip() + "\n" for line in lines(script, given))
    if request.config.getoption("--accept"):
        script.write_text(source + MARK + actual, encoding="utf-8")
        return
    assert expected == actual


def lines(script: Path, given: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the record of `run`, what is reported of it, and its picture, or that of its comparison with `other`.

    A head with options of the `picture` wants nothing else.
    """
    record = recorded(script, given["run"])
    if "picture" not in given:
        yield from record_lines(record)
        yield from analysis_lines(record)
    options: GraphOptions = options_of(**(DRAWN | given.get("picture", {})))
    if "other" in given:
        yield from comparison_lines(record, recorded(script, given["other"]), options)
    else:
        yield from picture_lines(record, options)


def recorded(script: Path, given: dict[str, Any]) -> Record:
    """Return the run of a script with the options of a head."""
    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    (record,) = record_model(Request(str(script), saved=True, edges=True)._replace(**options))
    return record
