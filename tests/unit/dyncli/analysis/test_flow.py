"""How often each statement was reached, against what Python's own tracing counts."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from dyncli.analysis.flow import Flow
from dyncli.records.model import Calls, Record, Source
from tests.playing import play

SCRIPTS = sorted((Path(__file__).parents[3] / "golden" / "paths" / "scripts").glob("*.py"))
#: Tracing visits these lines more than once for one run of their statement, or not where Python leaves them out.
APART = (ast.Match, ast.Try, ast.TryStar, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Break)
#: How many times more Python's tracing comes to a line than its statement is run, by script and line.
#: From 3.12 on it comes to a line of `yield` again after a call, and nested truths are asked twice (OBSERVABLE.md).
AGAIN: dict[str, dict[int, int]] = {"truths_past_constants": {13: 1}}
if sys.version_info >= (3, 12):
    AGAIN = {"truths_past_constants": {5: 2, 6: 2}, "yield_inside_conditional": {2: 2, 3: 1}}
    if sys.version_info >= (3, 13):
        AGAIN["truths_past_constants"][13] = 1
    else:
        AGAIN["and_or_values_mixed"] = {2: 5, 3: 1, 8: 1}
INNER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def counted(source: str, **more: Any) -> tuple[Flow, ast.Module]:
    """The counts of a script that was run with probes in it."""
    played = play(source, path="/nowhere/script.py")
    record = Record(
        "script.py", "__main__", sources=(Source("script.py", "", source),), sites=played.program.sites,
        decisions=played.decisions, scopes=played.replayed.scopes, calls=played.replayed.calls, **more,
    )  # fmt: skip
    tree = ast.parse(source)
    return Flow(record, "script.py", tree), tree


def traced(source: str) -> Counter[int]:
    """How often Python's own tracing comes to each line."""
    lines: Counter[int] = Counter()

    def inside(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            lines[frame.f_lineno] += 1
        return inside

    code = compile(source, "/nowhere/script.py", "exec")
    before = sys.gettrace()
    sys.settrace(lambda frame, event, _: inside if frame.f_code.co_filename == "/nowhere/script.py" else None)
    try:
        exec(code, {"__name__": "__main__", "__file__": "/nowhere/script.py"})
    except Exception:
        pass
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_counts_are_true(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every simple statement on a line of its own: the same count, or none; 0 only where nothing came."""
    source = script.read_text("utf-8").partition("\n# ----\n")[0] + "\n"
    again = AGAIN.get(script.stem, {})
    flow, tree = counted(source)
    lines = traced(source)
    nodes = list(ast.walk(tree))
    inner = {n.lineno for n in nodes if isinstance(n, INNER)}
    apart = {n.lineno for n in nodes if isinstance(n, APART)}
    apart |= {n.lineno for n in nodes if isinstance(n, ast.stmt) and n.lineno != n.end_lineno}
    begin = Counter(n.lineno for n in nodes if isinstance(n, ast.stmt))
    apart |= {line for line, many in begin.items() if many > 1}
    apart |= {n.test.end_lineno for n in nodes if isinstance(n, ast.If) and n.test.end_lineno != n.lineno}
    apart |= {n.lineno for n in nodes if isinstance(n, ast.AnnAssign) and n.value is None}
    apart |= {n.lineno for n in nodes if isinstance(n, ast.ExceptHandler | ast.pattern)} | inner
    for line, count in flow.counts.items():
        if line not in apart and count is not None:
            assert (line, lines[line]) == (line, count + again.get(line, 0))
        if count == 0 and lines[line]:
            first = next(n for n in nodes if getattr(n, "lineno", 0) == line)
            assert isinstance(
                first, (ast.FunctionDef, ast.ExceptHandler, ast.pattern)
            )  # types and guards are looked at


EXCEPTIONS = """\
import contextlib
def risky(n):
    if n == 3:
        raise ValueError
    if n == 4:
        int("x")
    return n
def run():
    total = 0
    for n in range(6):
        try:
            if n == 1:
                raise KeyError(1)
            total += risky(n)
        except ValueError:
            total -= 1
        except KeyError:
            continue
        else:
            total += 10
        total += 100
    with contextlib.suppress(ValueError):
        int("y")
        total = 0
    total += 5
    return total
run()
"""


def test_exceptions_that_are_caught() -> None:
    """What an exception may have cut short has no count; handlers, `else` and what follows have theirs."""
    flow, _ = counted(EXCEPTIONS)
    assert {4: 1, 5: 4, 6: 1, 7: None} == {line: flow.counts[line] for line in (4, 5, 6, 7)}
    handled = {14: None, 15: 2, 16: 2, 17: 1, 18: 1, 20: 3, 21: 5}
    assert handled == {line: flow.counts[line] for line in handled}
    assert {23: 1, 24: None, 25: 1, 26: 1} == {line: flow.counts[line] for line in (23, 24, 25, 26)}


def test_what_ran_while_the_script_was_loaded() -> None:
    """In a run of an entry module-level code ran once, unrecorded; functions called only then have no count."""
    source = "if len('ab') > 1:\n    x = 1\ndef made():\n    return 1\ndef never():\n    return 2\nmade()\n"
    calls = (Calls("script.py", 3, "made", 0, 0),)
    record = Record("script.py", "forward", sources=(Source("script.py", "", source),), calls=calls)
    flow = Flow(record, "script.py", ast.parse(source))
    assert {1: 1, 2: None, 3: None, 4: None, 5: 0, 6: 0, 7: 1} == flow.counts
