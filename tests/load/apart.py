"""Scripts of what Python treats apart, line by line: what swallows an exception, tests, arms, constants, exits."""

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
