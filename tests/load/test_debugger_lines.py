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


ENDINGS = """\
from contextlib import suppress
def swallowed(x):
    with suppress(ValueError):
        int(x)
def both(x):
    if x:
        with suppress(ValueError): int(x)
    else:
        for _ in (1, 2):
            with suppress(TypeError), suppress(ValueError), suppress(1 / x):
                int("x")
swallowed("x"), swallowed("1"), both("x")
try:
    both(0)
except ZeroDivisionError:
    pass
with suppress(ValueError):
    int("x")
"""
BEGINNINGS = """\
class Named:
    def __repr__(self):
        return "Named %s" % (1,)
    def __str__(self):
        return "%s%%" % (1,)
def annotated(a):
    x: int
    return a
def nothing():
    global unknown
    x: int
print(repr(Named()), str(Named()), annotated(1), nothing())
"""
TESTS = """\
def told(a, b):
    return not (a == b
                and a != 1
                and b == 3
                or a)
print(told(1, 1), told(2, 2), told(3, 3), told(0, 1))
print({j: j * j for i in range(4) for j in [i + 1]}, [k for i in (1, 2) if i for j in (i,) if j > 1 for k in [j]])
"""
ALTERNATIVES = """\
def e(a, b, c):
    if not (a and b):
        x = 1
    elif a or c:
        x = 2
def m(a, b):
    if (a and
        b):
        x = 1
        y = 2
def n(a, b):
    if 1 < a < b:
        x = 1
        y = 2
    elif a > b > 2 or not b:
        z = 2
        q = 2
def o(a, b):
    for i in (a, b):
        if i and a:
            if b or a and i:
                x = 1
                x = 2
def p(a, b):
    try:
        x = 1
        if a and b:
            x = 1
            x = 2
    except ValueError:
        pass
def q(a, b):
    while a and b:
        a -= 1
        if a or b and a:
            x = 1
            break
def r(a, b):
    with open("/dev/null"):
        if a and b:
            x = 1
            x = 2
    if (a if b else not b):
        x = 1
        x = 2
def many(a, b):
    x = [
        str(a), MANY
    ]
    return x
for f in (m, n, o, p, q, r, many):
    for i in (0, 1, 3):
        for j in (0, 2, 4):
            f(i, j)
for i in (0, 1): e(i, 1, 0), e(0, i, 1), e(1, 1, i), e(0, 0, i)
if i and q: x = 1
if not i and q:
    x = 1
    x = 2
"""
ALTERNATIVES = ALTERNATIVES.replace("MANY", "str(b), " * 31)
ARMS = """\
def g(): return 1
def h(): return 0
def kept(a):
    x = g() if a else h()
    return x
def added(a):
    x = (g() if a else h()) + 1
    print(x, x)
    return x, 1, a, 3
def told(a):
    x = a and h()
def both(a):
    x = (a and h()) if a < 3 else (h() or a)
    a or h()
    assert a or g()
    return (a and h()) if a < 3 else (h() or a)
def given(a): return a and h()
def several(a):
    x = (
        a and
        h()
    )
    y = str(
        a.bit_length().
        real or h(
        ))
    return (g() if a
            else h())
def listed(a):
    return [a or h() for i in (0, 1) if (h() if a else not h() and h())]
def asked(a):
    if (a or h()) and (h() if a else h()): return 3
    return {1: a or h()}[1]
def raised(a):
    try:
        raise a or h()
    except TypeError:
        pass
lines = lambda a, b: (
    a and
    b)
calls = lambda a, b: h() if a else h() if b is None else (a and h())
class Awaited:
    def __await__(self):
        yield 1
        return 2
async def awaits(a):
    x = 1 if a else await Awaited()
    y = a or await Awaited()
    return a and await Awaited()
def yields(a):
    x = a if a > 1 else (yield 5)
    y = a and (yield 6)
    z = (a and
         (yield 7))
    return x
def drive(running):
    try:
        while True:
            running.send(None)
    except StopIteration:
        pass
class Owner:
    @property
    def own(self): return 0
    def __getitem__(self, key): return 0
    def both(self, a): return a or self.own
    def either(self, a): return (a and self[a]) or self[a]
    def one(self, a):
        x = self.own if a else self.own
        return x
def constant(a):
    if a == 1 or 1 != 1.0 or -1 != -1.0: return 1
owner = Owner()
def owned(a): return [(owner.both(a), owner.either(a), owner.one(a)) for _ in range(40)]
for f in (kept, added, told, both, given, several, listed, asked, raised, constant, owned):
    for a in (0, 1, 2, 4):
        f(a)
for a in (0, 1, 2):
    lines(a, 3), calls(a, a or None), drive(yields(a)), drive(awaits(a))
"""
CONSTANTS = """\
def nested():
    rows = [
        ["a", "b", "c"],
        ["d", "e", "f"],
        ["g", "h", "i"],
    ]
    for i in range(2):
        for j in [
            0,
            1
        ]:
            pass
    for source, expected in (
                           ("a && b",
                            [("a", "a"), ("&&", "c"),
                             ("b", "a")]),
                         ):
        pass
    return [k
      for k in [
         "xyz"[0],
         1]
      for l in [
         2,
         "xyz"[0],
      ]]
def matched(x):
    match x:
        case (1 |
           2 |
           3):
            w = 0
        case ([1, x] |
          [2, x] |
          [x, 3]):
            w = 1
    v = 2
nested()
for x in (1, 2, 3, 4, [1, 2], [2, 3], [3, 3], [4, 4]): matched(x)
"""
LEAVING = """\
from contextlib import nullcontext
def raised(a, b):
    try:
        try:
            if a: raise KeyError
            return a
        finally:
            if b == 3:
                raise TypeError
    except KeyError:
        return b
def left(a, b):
    with nullcontext(a) as c, nullcontext(
            b) as d:
        if a: return ("both"
            if b else "one")
        for i in (1, 2):
            return (a or
                b)
def last(a, b):
    try:
        return (a if b
            else b)
    finally:
        print(a
            or b)
for a in (0, 1):
    for b in (0, 3):
        raised(a, 0), left(a, b), last(a, b)
"""
TOLD = """\
def arms(a, b, c):
    if ((a or b)
            if c else
            not (b
                and a)): x = 1
    while (a and b
            if not c else
            c and a < b
            or b):
        a = b = 0
    assert (a if b else c or
        not a if
        c else 1) or 1
    return [i for i in (a, b) if (i or c if b
        else i and a)]
def known(a, b):
    if (a and
            True): x = 1
    if (1 < 2
            and a or
            0
            or b): x = 2
    if (not a or
            "a" != "b"
            and b): x = 3
    if (False
            or b): x = 4
for a in (0, 1, 2):
    for b in (0, 1, 3):
        known(a, b)
        for c in (0, 1): arms(a, b, c)
"""
APART = {
    "leaving": LEAVING,
    "told": TOLD,
    "constants": CONSTANTS,
    "arms": ARMS,
    "endings": ENDINGS,
    "beginnings": BEGINNINGS,
    "tests": TESTS,
    "alternatives": ALTERNATIVES,
}


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
