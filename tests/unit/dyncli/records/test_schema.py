"""`dyncli/records/SCHEMA.md` is complete and true: of the data model, of real runs, of every kind of decision."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dyncli.analysis.decisions import KINDS
from dyncli.recorder.provenance.provenance import ORIGINS
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records import model
from dyncli.records.rows import CLASSES
from dyncli.render.export.json import render
from tests.golden.paths.test_paths import MARK, SCRIPTS
from tests.playing import play
from tests.unit.dyncli.records.schema_types import json_type

PAGE = (Path(model.__file__).parent / "SCHEMA.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([^`]+)` \| (.+?) \|(?: (.+) \|)?$", re.MULTILINE)
SECTIONS = {part.partition("\n")[0]: ROW.findall(part) for part in PAGE.split("\n## ")[1:]}
MODEL = """\
import dyncore as torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w, self.wide = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(20))
    def forward(self, x):
        n = 0
        while x.sum() > 10 and n < 3:
            x, n = x / 2, n + 1
        for k in range(2):
            if x[k].item() > 0 or k:
                x = x * self.w * self.wide.mean()
        match n:
            case 0: pass
            case 1 | 2 if x.shape[0] == 2: n = 5
        y = [v for v in range(n) if v % 2] or None
        assert n < 9
        try:
            if x: pass
        except RuntimeError:
            x = x + (1 if y else 2)
        x.add_(x[x.argmax()] * 0)
        return {"out": x, "n": n, "nan": float("nan")}
model = Net()
"""
PRIMITIVES = {"integer": int, "string": str, "boolean": bool, "number": float, "null": type(None)}


@pytest.mark.parametrize("kind", [model.Record, *CLASSES], ids=lambda kind: kind.__name__)
def test_every_field_is_there(kind: Any) -> None:
    """Each class has its section, each field its row and its type, in the order of the model."""
    names = [name for name in kind.__annotations__ if name != "schema"]
    names = ["schema", *names] if kind is model.Record else names
    moved = ("model", "entry", "case", "status")  # they come first in JSON
    rows = [(name, words) for name, words, _ in SECTIONS[kind.__name__]]
    expected = [(name, json_type(kind, name)) for name in names]
    if kind is model.Record:
        rows = [row for row in rows if row[0] not in moved]
        expected = [row for row in expected if row[0] not in moved]
    assert expected == rows


def test_kinds_arms_and_origins() -> None:
    """Every kind of decision in the scripts of `paths/`, with its arms; every origin."""
    kinds = {kind: re.findall(r"`([^`]+)`", arms) for kind, arms, _ in SECTIONS["Kinds of decisions, and their arms"]}
    seen: dict[str, set[str]] = {}
    for script in SCRIPTS:
        for site in play(script.read_text(encoding="utf-8").partition(MARK)[0] + "\n").program.sites:
            seen.setdefault(site.kind, set()).update(site.arms)
    assert set(kinds) == set(seen) == set(KINDS)
    for kind, arms in seen.items():
        for arm in arms:
            assert arm in kinds[kind] or (kind in ("match", "try") and arm.startswith(("case ", "except"))), (kind, arm)
    assert set(ORIGINS) == {name for name, *_ in SECTIONS["Origins"]}


def test_real_records(tmp_path: Path) -> None:
    """Everything a real run prints has the fields and types that the page says."""
    (tmp_path / "net.py").write_text(MODEL)
    request = Request(
        str(tmp_path / "net.py"), ("[8.0, -40.0]",), sensitivity=True, watches=("n",), breaks=("line:15",)
    )
    (record,) = record_model(request)
    document = json.loads(render(record), parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    met: set[str] = set()
    _matches(document, "Record", met)
    assert set(SECTIONS) - {"Kinds of decisions, and their arms", "Origins", "Failure", "Frame"} == met
    (tmp_path / "bad.py").write_text("def forward(x):\n    return x @ x.reshape(3, 1) @ x\n")
    (failed,) = record_model(Request(str(tmp_path / "bad.py"), ("[1.0, 2.0]",)))
    _matches(json.loads(render(failed)), "Record", met)
    assert {"Failure", "Frame"} <= met


def _matches(value: Any, words: str, met: set[str]) -> None:
    """Checks one value against its type on the page."""
    if words == "value":
        return
    if words in SECTIONS:
        met.add(words)
        names = [name for name, *_ in SECTIONS[words]]
        if words == "Site" and "parent" not in value:
            names = names[: names.index("arms") + 1]
        assert sorted(names) == sorted(value), words
        for name, inner, _ in SECTIONS[words]:
            if name in value:
                _matches(value[name], inner, met)
        return
    if words.startswith("list of ") and not words.endswith(" or null"):
        assert isinstance(value, list), (words, value)
        for item in value:
            _matches(item, words.removeprefix("list of "), met)
        return
    if words == "object of strings":
        assert all(isinstance(text, str) for pair in value.items() for text in pair)
        return
    options = words.split(" or ")
    if value is None or (isinstance(value, list) and words.startswith("list of ")):
        assert "null" in options or value is not None, words
        if value is not None and not words.startswith("list of list"):
            _matches(value, options[0], met)
        return
    named = [option for option in options if option in SECTIONS]
    if isinstance(value, dict) and named:
        _matches(value, named[0], met)
        return
    kinds = [PRIMITIVES[option] for option in options if option in PRIMITIVES]
    not_finite = "number" in options and value in ("NaN", "Infinity", "-Infinity")
    assert not_finite or type(value) in kinds or (float in kinds and type(value) is int), (words, value)
