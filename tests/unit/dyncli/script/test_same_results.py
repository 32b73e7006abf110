"""A program with probes does what it does without them."""

import io
import re
import sys
import warnings
from contextlib import redirect_stdout
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.golden.paths.test_paths import MARK, SCRIPTS
from tests.playing import play
from tests.unit.dyncli.script.programs import programs

PATH = "/nowhere/script.py"


def plainly(source: str) -> tuple[dict[str, Any], str]:
    """The names a program leaves and what it prints, without probes."""
    names: dict[str, Any] = {"__name__": "__main__", "__file__": PATH}
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            exec(compile(source, PATH, "exec", dont_inherit=True), names)
        except Exception as error:
            print(type(error), error)
    return names, printed.getvalue()


@pytest.mark.whole
@settings(max_examples=50, suppress_health_check=list(HealthCheck), derandomize=True)
@given(programs())
def test_random_programs(source: str) -> None:
    """Values, exceptions, the order of calls, and every `__bool__` are the same; the log can be played and closes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `0 is 0` and its like are generated too
        try:
            compile(source, PATH, "exec")
        except SyntaxError:
            return  # `break` outside a loop, a name bound in a comprehension
        expected, _ = plainly(source)
        played = play(source)
    assert expected["events"] == played.names["events"]
    assert all(decision.exit is not None for decision in played.decisions if decision.trips is not None)
    for scope in played.replayed.scopes[1:]:
        assert scope.parent is not None and scope.parent < scope.id
    for decision in played.decisions:
        assert decision.under is None or decision.under < decision.seq
        assert decision.arm in (*decision.site.arms, "raise")


#: Python 3.12 asks some objects for their truth twice where 3.11 asks once, as recorded scripts do on every Python.
ASKED_ONCE = {"truths_past_constants"} if sys.version_info >= (3, 12) else set()


@pytest.mark.parametrize("script", [s for s in SCRIPTS if s.stem not in ASKED_ONCE], ids=lambda script: script.stem)
def test_scripts_print_and_leave_the_same(script: Any) -> None:
    """The scripts of `paths/` leave the same names and print the same."""
    source = script.read_text(encoding="utf-8").partition(MARK)[0] + "\n"
    expected, printed = plainly(source)
    out = io.StringIO()
    with redirect_stdout(out):
        played = play(source)
        if played.error is not None:
            print(type(played.error), played.error)
    assert printed == out.getvalue()
    assert simple(expected) == simple(played.names)


def test_nested_truths_of_recorded_script_are_asked_once() -> None:
    """On every Python as often as 3.11 does alone; 3.12 and later ask one more time for `yes` and for `no`."""
    (script,) = (each for each in SCRIPTS if each.stem == "truths_past_constants")
    source = script.read_text(encoding="utf-8").partition(MARK)[0] + "\n"
    out = io.StringIO()
    with redirect_stdout(out):
        play(source)
    assert "True True True\n6 4 True True\n" == out.getvalue()
    alone = "7 5" if ASKED_ONCE else "6 4"
    assert f"True True True\n{alone} True True\n" == plainly(source)[1]


@pytest.mark.parametrize(
    "arm", ["f(*ab)", "f(**named)", "f(*ab, **named)", "f(1, a=2)", "ab[1:]", "ab[::2]", "ab[1]", "(1, 2)[1]",
            "(1, (2, 3))[1][0]", "'ab'[1]", "(1).real", "[3, 4][1:][0]",
            "super(Own, self).given", "super(Own, self).of(*ab)"]
)  # fmt: skip
def test_what_an_arm_ends_with(arm: str) -> None:
    """An arm has its value however it calls: with stars, by names, on `super()`, or a part of something."""
    source = f"""
class Base:
    given = 5

    def of(self, *of):
        return len(of)


def f(*of, **named):
    return len(of) + 4 * len(named)


class Own(Base):
    def run(self, no, ab, named):
        both = [0 if no else {arm}, no or {arm}, (no and 0) or (no or {arm}), 1 if no else 0 if no else {arm}]
        return both, [0 if no else {arm} for _ in ab if no or {arm}], (lambda: 0 if no else {arm})(), no or {arm}


found = Own().run(0, [3, 7], {{"a": 1}})
"""
    assert play(source).names["found"] == plainly(source)[0]["found"]


def simple(names: dict[str, Any]) -> dict[str, str]:
    """The names of a module with their values as text, addresses left out."""
    return {name: re.sub("0x[0-9a-f]+", "", repr(value)) for name, value in names.items() if name != "__builtins__"}


def lines_of(run: Any) -> list[tuple[str, int]]:
    """The lines of the script that a debugger would visit."""
    visited: list[tuple[str, int]] = []

    def trace(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != PATH:
            return None
        if event == "line":
            visited.append((frame.f_code.co_name, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return visited


STEPPED = """\
def f(x):
    total = 0
    for n in range(x):
        if n % 2:
            total += n
        elif n == 2:
            continue
        total += 1
    while total > 4:
        total -= 3
    try:
        if total:
            raise ValueError
    except ValueError:
        total = 7
    finally:
        x = 0
    with open("/dev/null") as null:
        total += 1
    match total:
        case 8:
            total = [y for y in (1, 2) if y]
    if total:
        return total

f(4)
"""


def test_a_debugger_stops_at_the_same_lines() -> None:
    """`next` visits no line it would not visit without probes."""
    expected = lines_of(lambda: plainly(STEPPED))
    assert expected == [line for line in lines_of(lambda: play(STEPPED)) if line[0] != "<listcomp>" or line in expected]
