"""What a script sees of being recorded when it looks at itself: what `OBSERVABLE.md` lists, and nothing else."""

import io
import sys
import sysconfig
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from dyncli.instrument.transform import instrument
from tests.playing import play
from tests.unit.dyncli.script.test_same_results import plainly

LOOKS = """\
import asyncio, inspect, sys
def seen(names):
    return sorted(names)
def names(function):
    code = function.__code__
    return code.co_freevars, code.co_argcount, code.co_name, code.co_qualname, code.co_firstlineno, code.co_flags & 4095
def f(a, *b, c=1 if sys else 0, **d):
    if a and not b:
        e = 1
    print(seen(locals()), seen(vars()), dir(), inspect.signature(f))
    print([n for n in (1, 2) if n > 1 and [seen(locals()) for _ in (0,) if n]], [dir() for n in (1,) if n])
    inner = lambda x, y=(1 if a else 2): x if seen(locals()) == ["x", "y"] else y
    print(inner(1), names(inner), list(map(lambda z: z or seen(locals()), (0, 1))))
    class C:
        if a: g = [n for n in (1, 2) if n > a]
        print(seen(locals()), dir(), seen(sys._getframe().f_locals))
        def h(self): return (__class__, a) if self else seen(vars())
        class D:
            k = a or 2
            print(seen(vars()))
    print(seen(vars(C)), names(C.h), C().h()[1], C.D.k, len(C.h.__closure__), C.__annotations__ if a else 0)
    return a or b
f(1, c=3)
def g(**given): return seen(given)
def h(a, b=2):
    if a: return g(**locals())
    locals()["a"] = 3
    return "{a} {b}".format(**vars())
print(h(1), h(0))
def gen(n):
    while n:
        try:
            got = yield n if n > 1 else seen(locals())
        finally:
            n -= 1
    return (yield seen(locals()))
print(list(gen(2)), names(gen))
print(list([y for y in x if y and dir()] for x in ((1, 2), (3,)) if (lambda z: z and dir())(x)))
print([x for x in sorted((1, 2), key=lambda v: v and seen(locals())) if x], [k for k in map(lambda y: y or 1, (0, 2))])
def closing(n):
    def up():
        nonlocal n
        if n: n += 1
        return [m for m in (n,) if m and n]
    return up
up = closing(1)
print(up(), names(up), names(closing), len(up.__closure__), inspect.getclosurevars(up).nonlocals)
async def wait(n):
    return [dir() async for m in slow(n) if m], [x async for x in (m async for m in slow(3) if m and dir())]
async def slow(n):
    for m in range(n):
        if m: yield m
print(asyncio.run(wait(2)), names(wait), names(slow))
print(seen(globals()), seen(vars()), dir())
"""


def test_names_are_those_of_the_script() -> None:
    """`locals()`, `vars()`, `dir()`, closures, signatures and the namespaces of classes and of the module."""
    _, printed = plainly(LOOKS)
    out = io.StringIO()
    with redirect_stdout(out):
        played = play(LOOKS)
    assert played.error is None
    assert printed == out.getvalue()
    assert 13 == printed.count("\n")


OBSERVED = """\
import sys, warnings
frames = []
class Asked:
    def __bool__(self):
        frame = sys._getframe(1)
        frames.append((frame.f_code.co_name, frame.f_back.f_code.co_name))
        return True
def f(x):
    if x: pass
    return sys._getframe().f_locals
found = sorted(f(Asked())), f.__code__.co_varnames, [name for name in f.__code__.co_names if name[0] == "@"]
"""


def test_what_a_script_may_observe() -> None:
    """A variable in frames and code objects, names of probes, and frames above a method that a test calls."""
    names = play(OBSERVED).names
    variables, local, probes = names["found"]
    assert (["@call", "x"], ("x", "@call")) == (variables, local)
    assert {"@enter", "@truth", "@close"} <= set(probes)
    ((caller, above),) = names["frames"]
    assert "f" == caller and "f" != above


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_names_in_type_parameters() -> None:
    """What a generic class in a function decides runs in this function, in its bases and in its body."""
    source = """\
def f(a):
    class C[T](list if a else dict):
        if a: b = [n for n in (1, 2) if n > a]
        def g[U](self, u: U = a and 2) -> U: return u if a else locals()
    return C(), C.__bases__, sorted(vars(C))
print(f(1), f(0), f(1)[0].g(), f(0)[0].g())
"""
    _, printed = plainly(source)
    out = io.StringIO()
    with redirect_stdout(out):
        played = play(source)
    assert printed == out.getvalue()
    assert {"f", "f.<locals>.C", "f.<locals>.C.g"} == {each.site.function for each in played.decisions}
    assert {("f",), ("f.<locals>.C.g",)} == {each.call_path[-1:] for each in played.decisions}


@pytest.mark.whole
def test_the_library_can_be_instrumented() -> None:
    """What a library of Python's is made of compiles with probes in it."""
    library = Path(sysconfig.get_path("stdlib"))
    for name in ("asyncio/base_events.py", "contextlib.py", "dataclasses.py", "enum.py", "statistics.py", "typing.py"):
        source = (library / name).read_text(encoding="utf-8")
        assert instrument(source, name, name).sites


ENDED = """\
import weakref
async def source():
    yield 1
numbers = source()
seen = weakref.ref(numbers)
some = (n async for n in numbers if n)
del numbers
try:
    some.asend(None).send(None)
except StopIteration as found:
    print(found.value, seen() is None)
del some
print(seen() is None)
"""


def test_async_iterators_end_where_they_do() -> None:
    """An asynchronous iterator lives no longer than what goes over it."""
    assert "1 False\nTrue\n" == plainly(ENDED)[1]
    printed = io.StringIO()
    with redirect_stdout(printed):
        play(ENDED)
    assert "1 False\nTrue\n" == printed.getvalue()
