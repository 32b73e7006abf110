"""A debugger comes to the same lines of a script with probes in it as without, however the script is laid out."""

import ast
import gc
import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from sys import settrace  # within a recording `sys.settrace` leaves probes out
from types import CodeType, FrameType
from typing import Any

import pytest

from dyncli.load import probes
from dyncli.load.instrument import instrument
from tests.load.apart import APART
from tests.load.spread import spread
from tests.trace.test_paths import MARK, SCRIPTS

PATH = "/nowhere/script.py"
#: What is finalized or runs elsewhere when a trace function holds on to it is no matter of lines.
UNSTEADY = {
    "threads",
    "threads_and_locals",
    "async_tasks",
    "async_generator_expressions",
    "exceptions_swallowed_by_builtins",
    "generator_throw_close",
}


def source_of(script: Path) -> str:
    """A script of `paths/` without its log."""
    return script.read_text(encoding="utf-8").partition(MARK)[0] + "\n"


def visited(code: CodeType) -> list[tuple[str, str, int]]:
    """What a debugger hears: calls, lines and returns of the script's own frames."""
    found: list[tuple[str, str, int]] = []

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != PATH:
            return None
        if event != "exception":
            found.append((frame.f_code.co_name, event, frame.f_lineno))
        return trace

    names = {"__name__": "__main__", "__file__": PATH}
    before = sys.gettrace()
    with probes.recording([]), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        gc.disable()  # generators of another script would be closed here
        settrace(trace)
        try:
            exec(code, names)
        except (Exception, SystemExit):
            pass
        finally:
            settrace(before)
            gc.enable()
    return found


def same_lines(source: str) -> None:
    """Asserts that probes add no line and take none away."""
    plain = visited(compile(source, PATH, "exec", dont_inherit=True))
    assert plain == visited(instrument(source, PATH, "script.py").code)
    assert len(plain) > 2


@pytest.mark.parametrize("script", [s for s in SCRIPTS if s.stem not in UNSTEADY], ids=lambda s: s.stem)
def test_lines_of_scripts(script: Path) -> None:
    """Every call, line and return of the scripts of `paths/`, in order."""
    same_lines(source_of(script))


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.25, 0.6])
@pytest.mark.parametrize("script", [s for s in SCRIPTS if s.stem not in UNSTEADY], ids=lambda s: s.stem)
def test_lines_of_scripts_spread_over_more(script: Path, share: float) -> None:
    """The same when their expressions go over several lines."""
    source = source_of(script)
    laid_out = spread(source, 7, share)
    assert ast.dump(ast.parse(source)) == ast.dump(ast.parse(laid_out)) and len(laid_out) > len(source)
    same_lines(laid_out)


@pytest.mark.parametrize("source", APART.values(), ids=APART)
def test_lines_of_what_python_treats_apart(source: str) -> None:
    """What swallows an exception, texts that are formatted, annotations alone, loops over one thing, arms, tests."""
    same_lines(source)


def monitored(code: CodeType) -> list[tuple[str, int]]:
    """The lines of the script that a coverage tool hears of through `sys.monitoring`."""
    found: list[tuple[str, int]] = []
    monitoring = sys.monitoring  # type: ignore[attr-defined]
    tool, line = monitoring.DEBUGGER_ID, monitoring.events.LINE

    def hear(code: CodeType, number: int) -> Any:
        if code.co_filename == PATH:
            found.append((code.co_name, number))

    monitoring.use_tool_id(tool, "lines")
    monitoring.register_callback(tool, line, hear)
    monitoring.set_events(tool, line)
    try:
        with probes.recording([]), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            exec(code, {"__name__": "__main__", "__file__": PATH})
    except (Exception, SystemExit):
        pass
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)
    return found


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.11 has no `sys.monitoring`")
@pytest.mark.parametrize("script", [s for s in SCRIPTS if s.stem not in UNSTEADY], ids=lambda s: s.stem)
def test_lines_that_are_monitored(script: Path) -> None:
    """A coverage tool hears of the same lines, each as often."""
    source = source_of(script)
    plain = monitored(compile(source, PATH, "exec", dont_inherit=True))
    assert plain == monitored(instrument(source, PATH, "script.py").code)
    assert plain
