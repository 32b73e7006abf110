"""Hard control flow on the real engine: the scripts in `hard/` end with every decision of their run, field by field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.codec import value_out
from dyncli.records.model import Condition, Decision, Record
from tests.golden.paths.test_paths import MARK

INPUT = "# input: "
SCRIPTS = sorted(path for path in (Path(__file__).parent / "scripts").glob("*.py") if MARK in path.read_text("utf-8"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_decision_log(script: Path, accept: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """The log is what stands below the script, the same on every Python; `--accept` rewrites it."""
    source, _, expected = script.read_text("utf-8").partition(MARK)
    first = source.partition("\n")[0]
    inputs = (first.partition(INPUT)[2],) if INPUT in first else ()
    (record,) = record_model(Request(model=str(script), inputs=inputs, seed=0))
    actual = "".join(
        f"# {decision.seq} {line(decision, record)}\n" for decision in (*record.loading, *record.decisions)
    )
    if record.failure is not None:
        actual += f"# {record.failure.message}\n"
    if accept:
        script.write_text(source + MARK + actual, encoding="utf-8")
        return
    assert expected == actual


def line(decision: Decision, record: Record) -> str:
    """All of a decision, a neighbour's file, its op by name: `3 if then tensor in 2.0 @f>g u1 <gt | 1.0 > 0 T m1`."""
    site = decision.site
    file = "" if site.file == record.model else f"{Path(site.file).name}:"
    words = [f"{file}{decision.site.line} {decision.site.kind} {decision.arm}"]
    words += [decision.origin] * (decision.origin != "python")
    words += [f"#{decision.iteration}"] * (decision.iteration is not None)
    words += [f"x{decision.trips} {decision.exit}"] * (decision.trips is not None)
    words += ["in " + ",".join(f"{line}.{index}" for line, index in decision.iterations)] * bool(decision.iterations)
    words += ["@" + ">".join(decision.call_path)] * bool(decision.call_path)
    words += [f"r{decision.recursion}"] * bool(decision.recursion)
    words += [f"u{decision.under}"] * (decision.under is not None)
    words += [f"!{decision.exception}"] * (decision.exception is not None)
    words += [decision.phase] * (decision.phase != "forward")
    if decision.predicate_op is not None:
        words.append(f"<{record.ops[decision.predicate_op].name}")
    text = " ".join(words)
    if decision.conditions:
        text += " | " + "; ".join(map(condition_text, decision.conditions))
    return text if decision.margin is None else f"{text} m{decision.margin:.4g}"


def condition_text(condition: Condition) -> str:
    """One condition: `1.0 > 0 T`, or `true T` for a truth test."""
    value, left, right = (json.dumps(value_out(side)) for side in (condition.value, condition.lhs, condition.rhs))
    test = value if condition.op is None else f"{left} {condition.op} {right}"
    return f"{test} {'T' if condition.outcome else 'F'}"
