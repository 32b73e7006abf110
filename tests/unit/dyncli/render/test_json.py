"""`--json`: every field named, strict JSON, the contract that other programs read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dyncli.render.export import json as json_view
from tests import records

SITE = {"id", "file", "line", "col", "end_line", "end_col", "kind", "text", "function", "arms"}
DECISION = {
    "seq", "site", "arm", "outcome", "origin", "iteration", "trips", "exit", "iterations", "call_path", "recursion",
    "under", "conditions", "margin", "predicate_op", "exception", "phase",
}  # fmt: skip
CONDITION = {"text", "op", "lhs", "rhs", "value", "outcome", "margin"}


def refuse(word: str) -> None:
    """Fail on what strict JSON does not have."""
    raise AssertionError(word)


@pytest.mark.parametrize("build", records.ALL, ids=lambda build: build.__name__)
def test_strict_and_ascii(build: Any) -> None:
    """No NaN, no raw control character, one newline at the end; the same text twice."""
    text = json_view.render(build())
    json.loads(text, parse_constant=refuse)
    assert text.isascii() and text.endswith("}\n") and text == json_view.render(build())


def test_a_decision_has_the_promised_fields() -> None:
    """Names, types and values of issue 5's contract."""
    document = json.loads(json_view.render(records.newton()))
    decision = document["decisions"][1]
    assert DECISION <= set(decision) and set(decision["site"]) == SITE and CONDITION <= set(decision["conditions"][0])
    assert ("body", True, 1, ["forward"], "tensor") == tuple(
        decision[name] for name in ("arm", "outcome", "iteration", "call_path", "origin")
    )
    assert {"line": 7, "col": 10, "end_col": 21, "text": "error > tol", "kind": "while"}.items() <= decision[
        "site"
    ].items()


def test_numbers_that_are_not_finite() -> None:
    """They are words; plain strings that look like them are marked."""
    document = json.loads(json_view.render(records.hostile()))
    assert "NaN" == document["decisions"][0]["margin"]
    assert ["NaN", "Infinity"] == document["tensors"][0]["values"]


def test_ops_tensors_and_gradients_are_there() -> None:
    """The whole record: ops with their sites, tensors with their values, gradients by name."""
    document = json.loads(json_view.render(records.piecewise()))
    assert ("piecewise.py", "forward", "positive", "ok", 2) == tuple(
        document[name] for name in ("model", "entry", "case", "status", "schema")
    )
    mul = document["ops"][2]
    assert ("mul", "2", 0, 6) == (mul["name"], mul["args"], mul["under"], mul["site"]["line"])
    gradient = document["backwards"][0]["gradients"][0]
    assert ("x", [2.0, 2.0, 2.0]) == (gradient["name"], document["tensors"][gradient["value"]]["values"])


def test_one_line_for_large_runs() -> None:
    """A large record is not indented; options can ask for either."""
    assert 1 == json_view.render(records.long_loop(1001)).count("\n")
    assert 1 == json_view.render(records.piecewise(), json_view.JsonOptions(indent=None)).count("\n")
