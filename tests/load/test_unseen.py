"""A script that looks at itself sees the names it has without probes, by whatever way it looks."""

import io
import sys
import sysconfig
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from dyncli.load.instrument import instrument
from tests.load.test_same_results import plainly
from tests.trace.playing import play

LOOKS = """\
import asyncio, inspect, sys, traceback
def seen(names):
    return sorted(names)
def caller():
    return seen(sys._getframe(1).f_locals)
def names(code):
    return code.co_varnames, code.co_cellvars, code.co_freevars, code.co_nlocals, code.co_argcount
def f(a, *b, c=1 if sys else 0, **d):
    if a and not b:
        e = 1
    look = locals
    print(caller(), seen(look()), seen(vars()), dir(), seen(eval("locals()")), eval("dir()"))
    print(inspect.getargvalues(inspect.currentframe()).locals.keys() == {"a", "b", "c", "d", "e", "look"})
    print([n for n in (1, 2) if n > 1 and [caller() for _ in (0,) if n]], [caller() for n in (1,) if n])
    inner = lambda x, y=(1 if a else 2): x if caller() == ["x", "y"] else y
    print(inner(1), names(inner.__code__), list(map(lambda z: z or seen(locals()), (0, 1))))
    class C:
        if a: g = [n for n in (1, 2) if n > a]
        print(seen(locals()), seen(sys._getframe().f_locals))
        def h(self): return (__class__, a) if self else caller()
        class D:
            k = a or 2
            print(seen(vars()))
    print(seen(vars(C)), names(C.h.__code__), C().h()[1], C.D.k)
    return a or b
f(1, c=3)
def gen(n):
    while n:
        try:
            got = yield n if n > 1 else caller()
        finally:
            n -= 1
    return (yield seen(locals()))
g = gen(2)
print(next(g), seen(inspect.getgeneratorlocals(g)), next(g), next(g), names(gen.__code__), seen(g.gi_frame.f_locals))
lazy = (n for n in (1, 2, 3) if n > 1 and caller())
print(next(lazy), seen(inspect.getgeneratorlocals(lazy)), names(lazy.gi_code), caller.__closure__)
lazies = list([y for y in x if y and caller()] for x in ((1, 2), (3,)) if (lambda z: z and caller())(x))
print(lazies)
def closing(n):
    def up():
        nonlocal n
        if n: n += 1
        return [m for m in (n,) if m and n]
    return up
up = closing(1)
print(up(), names(up.__code__), names(closing.__code__), len(up.__closure__), inspect.getclosurevars(up).nonlocals)
async def wait(n):
    async with Within() as w:
        if w: print(caller())
    return [caller() async for m in slow(n) if m], [x async for x in (m async for m in slow(3) if m and caller())]
async def slow(n):
    for m in range(n):
        if m: yield m
class Within:
    async def __aenter__(self): return self
    async def __aexit__(self, *error): print(caller() if any(error) else "out")
print(asyncio.run(wait(2)), names(wait.__code__), names(slow.__code__))
def failing(x):
    y = x
    return x and 1 / (y - 1)
try:
    failing(1)
except ZeroDivisionError as error:
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    print([frame.locals for frame in told.stack if frame.name == "failing"])
    frame = error.__traceback__.tb_next.tb_frame
    print(frame.f_locals, [name for name in frame.f_code.co_varnames])
def deep(n):
    with open("/dev/null") as null:
        for i in (1, 2):
            try:
                if i > n: return [j for j in (i, n) if j or 0 / 0], caller()
                1 / (i - 1)
            except ZeroDivisionError as e:
                return (n if e else i), {k: v for k, v in {1: i}.items() if k or e}, caller()
            finally:
                print(caller() if n else i)
print(deep(0), deep(1))
"""


def test_names_are_those_of_the_script() -> None:
    """Variables of functions, classes, generators, comprehensions and lambdas, however they are asked for."""
    _, printed = plainly(LOOKS)
    out = io.StringIO()
    with redirect_stdout(out):
        played = play(LOOKS)
    assert played.error is None
    assert printed == out.getvalue()
    assert 19 == printed.count("\n")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_names_in_type_parameters() -> None:
    """What a generic class in a function decides runs in this function, in its bases and in its body."""
    source = """\
def f(a):
    class C[T](list if a else dict):
        if a: b = [n for n in (1, 2) if n > a]
        def g[U](self, u: U = a and 2) -> U: return u if a else locals()
    return C(), C.__bases__, sorted(vars(C))
print(f(1), f(0), f(1)[0].g(), f(0)[0].g(), f.__code__.co_varnames, f.__code__.co_cellvars)
"""
    _, printed = plainly(source)
    out = io.StringIO()
    with redirect_stdout(out):
        played = play(source)
    assert printed == out.getvalue()
    assert {"f", "f.<locals>.C", "f.<locals>.C.g"} == {each.site.function for each in played.decisions}
    assert {("f",), ("f.<locals>.C.g",)} == {each.call_path[-1:] for each in played.decisions}


@pytest.mark.slow
def test_the_stack_is_followed_through_any_code() -> None:
    """The depth of the stack is one at each place, whatever stands there: Python's own library says it all."""
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
