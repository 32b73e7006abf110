"""What a test asks of a script's objects they are asked by the script: frames, warnings and tracebacks are its own."""

from __future__ import annotations

import io
import re
import traceback
import warnings
from contextlib import redirect_stdout
from types import CodeType
from typing import Any

import pytest

from dyncli.instrument.runtime import probes
from dyncli.instrument.transform import instrument
from tests.unit.dyncli.instrument.test_tracebacks import strip_all

PATH = "/nowhere/script.py"
CLASS = """\
import inspect, sys, warnings
def seen(what, answer):
    frame = sys._getframe(2)
    code, place = frame.f_code, inspect.getframeinfo(frame, 0).positions
    print(what, code.co_name, frame.f_lineno, code.co_filename, place)
    warnings.warn(what, stacklevel=3)
    if isinstance(answer, Exception): raise answer
    return answer
class Asked:
    def __init__(self, answer=True): self.answer = answer
    def __lt__(self, other): return seen("lt", self.answer)
    def __eq__(self, other): return seen("eq", self.answer)
    def __ne__(self, other): return seen("ne", self.answer)
    def __contains__(self, item): return seen("contains", self.answer)
    def __bool__(self): return seen("bool", self.answer)
class Sized:
    def __init__(self, answer=True): self.answer = answer
    def __len__(self): return seen("len", self.answer)
yes, no, sized, empty = Asked(), Asked(False), Sized(2), Sized(0)
"""
TESTS = """\
if yes < no: pass
if yes: pass
elif no: pass
if sized and not empty: pass
if (1 in yes and
        no == 3 or
        empty): pass
x = 1 if no else 2
x = no or yes and sized or empty
x = (yes == 1) and (no < 2)
x = yes < no
def h(a):
    near: bool = a == no
    return bool(a !=
        yes)
if h(yes) or (far := yes < 2) or (lambda a: a < no)(far): pass
def f(a):
    while a: a = no
    assert yes, "no"
    if yes < a < no < yes: return 1
    if not (a != yes and yes): return [b for b in (yes, no) if b if b in no]
    return (yes < 1 < 2)
f(yes)
print(any(b for b in (no, yes) if b and b == 3), (lambda c: c and no)(yes) is no)
match yes:
    case Asked() if no: pass
class C:
    if yes: z = yes is no or no
def g():
    for _ in (1, 2):
        try:
            yield 1 if yes not in no else no
        finally:
            if sized: pass
list(g())
"""
#: Python asks these at other columns.
MIXED = """\
if (no and yes if yes else sized or no): pass
if not (yes and (not (no or yes))) if yes else no: pass
match yes:
    case Asked(answer=True) as b if b or no: pass
"""
RAISING = [
    "if bad: pass",
    "if bad < 1 or bad: pass",
    "x = yes and bad or no",
    "x = 1 < 2 and yes < 3 != bad < 3",
    "def f(n):\n    while n:\n        n = bad\nf(1)",
    "def f(n):\n    with open('/dev/null'):\n        try: return 1 if n in bad else 2\n        finally: n = 0\nf(1)",
    "assert (yes and\n        bad == 2), 'no'",
    "def f():\n    yield [n for n in (1, 2)\n        if n in bad]\nlist(f())",
    "try:\n    if bad: pass\nexcept KeyError as error:\n    if bad == error: pass",
    "def f(n):\n    try: return (n or 1) if bad else 2\n    except KeyError: return 3 if n in bad else 4\nf(0)",
]


def run(code: CodeType) -> tuple[str, list[tuple[str, int]], list[str]]:
    """What a script prints, the warnings it gives with their lines, and the traceback it ends with."""
    out = io.StringIO()
    names: dict[str, Any] = {"__name__": "__main__", "__file__": PATH}
    told: list[str] = []
    with redirect_stdout(out), warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            exec(code, names)
        except Exception as error:
            strip_all(error)
            while error.__traceback__ and error.__traceback__.tb_frame.f_code.co_filename != PATH:
                error.__traceback__ = error.__traceback__.tb_next
            told = traceback.format_exception(error)
    return out.getvalue(), [(each.filename, each.lineno) for each in given], told


def assert_same(source: str, columns: bool = True) -> int:
    """Asserts that a script sees the same with probes and without, and gives the number of warnings it gave."""
    plain = run(compile(source, PATH, "exec", dont_inherit=True))
    with probes.recording([]):
        recorded = run(instrument(source, PATH, "script.py").code)
    texts = plain[0], recorded[0]
    first, second = texts if columns else (re.sub("Positions.*", "", text) for text in texts)
    assert first == second and plain[1:] == recorded[1:]
    assert {PATH} == {path for path, _ in plain[1]}
    return len(plain[1])


def test_callers() -> None:
    """Each kind of test asks in the frame and on the line of the test."""
    assert 30 < assert_same(CLASS + TESTS)
    assert 5 < assert_same(CLASS + MIXED, columns=False)


@pytest.mark.parametrize("source", RAISING)
def test_what_raises(source: str) -> None:
    """An exception has the traceback it has without probes, and goes where it goes."""
    assert assert_same(f"{CLASS}bad = Asked(KeyError('odd'))\n{source}\n")
