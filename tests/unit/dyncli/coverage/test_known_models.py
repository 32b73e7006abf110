"""More models whose coverage was worked out by hand, each for what it does with the flow of control."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.unit.dyncli.coverage.running import arms, covered, outcomes


class Known(NamedTuple):
    """A model, its inputs, and what must come of them: arms as (times, inputs), comparisons as (true, false)."""

    source: str
    inputs: list[Any]
    arms: dict[str, dict[str, tuple[int, int]]]
    conditions: tuple[tuple[str, int, int], ...] = ()
    depths: dict[str, dict[int, int]] = {}  # noqa: RUF012
    outcomes: dict[str, int] = {}  # noqa: RUF012
    files: dict[str, str] = {}  # noqa: RUF012
    settings: dict[str, Any] = {}  # noqa: RUF012


GATE = """\
class Gate:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, x):
        return x if x.sum() > self.limit else -x
"""
SCALE = """\
def by(x):
    n = 0
    while x.abs().sum() > 1:
        x = x / 2
        n += 1
    return x * n if n else x
"""
MODELS = {
    "two functions that call each other": Known(
        """\
def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def forward(n: int, x):
    if even(n):
        return x * 2
    return x
""",
        [{"n": 0, "x": 1.0}, {"n": 3, "x": 1.0}, {"n": 4, "x": 1.0}],
        {
            "2 n == 0": {"then": (2, 2), "else": (4, 2)},
            "6 n == 0": {"then": (1, 1), "else": (3, 2)},
            "10 even(n)": {"then": (2, 2), "else": (1, 1)},
        },
        depths={"even": {1: 1, 2: 1}, "odd": {1: 2}},
    ),
    "a test of three comparisons": Known(
        """\
def forward(a: float, b: float, c: float):
    if a > 0 and (b > 0 or c > 0):
        return a
    return b
""",
        [{"a": 1, "b": 1, "c": 9}, {"a": 1, "b": -1, "c": 1}, {"a": 1, "b": -1, "c": -1}, {"a": -1, "b": 1, "c": 1}],
        {"2 a > 0 and (b > 0 or c > 0)": {"then": (2, 2), "else": (2, 2)}},
        conditions=(("a > 0", 3, 1), ("b > 0", 1, 2), ("c > 0", 1, 1)),
    ),
    "a generator that is left early": Known(
        """\
def numbers(n):
    k = 0
    while k < n:
        if k % 2:
            yield -k
        else:
            yield k
        k += 1


def forward(n: int, stop: int, x):
    total = 0
    for v in numbers(n):
        if v >= stop:
            break
        total += v
    return x * total
""",
        [{"n": 4, "stop": 100, "x": 1.0}, {"n": 9, "stop": 2, "x": 1.0}],
        {
            "3 k < n": {"body": (7, 2), "exit": (1, 1)},
            "4 k % 2": {"then": (3, 2), "else": (4, 2)},
            "13 for v in numbers(n)": {"loop": (2, 2)},
            "14 v >= stop": {"then": (1, 1), "else": (6, 2)},
        },
    ),
    "a handler inside a handler": Known(
        """\
def parse(text):
    try:
        return float(text)
    except ValueError:
        try:
            return float(len(text)) / (len(text) - 3)
        except ZeroDivisionError:
            return -1.0
        finally:
            len(text)


def forward(words: list[str]):
    total = 0.0
    for word in words:
        total += parse(word)
    return total
""",
        [{"words": ["1.5", "ab", "abc"]}, {"words": ["2"]}, {"words": []}],
        {
            "2 try": {"except ValueError": (2, 1)},
            "5 try": {"except ZeroDivisionError": (1, 1)},
            "15 for word in words": {"loop": (2, 2)},
        },
    ),
    "a loop that does not end for some": Known(
        """\
def forward(n: int, x):
    while n != 0:
        if n > 3:
            n -= 1
        n -= 2
    return x
""",
        [{"n": 0, "x": 1.0}, {"n": 4, "x": 1.0}, {"n": 1, "x": 1.0}, {"n": 2, "x": 1.0}],
        {"2 n != 0": {"body": (1, 3), "exit": (2, 2)}, "3 n > 3": {"then": (0, 1), "else": (1, 3)}},
        outcomes={"ok": 2, "timeout": 2},
        settings={"timeout": 0.3},
    ),
    "a module called three times, with state of its own": Known(
        """\
from dyncore import nn
import dyncore as torch


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        if self.calls > 2:
            return x * 3
        if x.sum() > 0:
            return x / 2
        return x + 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = Cell()

    def forward(self, x):
        for _ in range(3):
            x = self.cell(x)
        return x


model = Net()
""",
        [[1.0], [-3.0]],
        {
            "12 self.calls > 2": {"then": (2, 2), "else": (4, 2)},
            "14 x.sum() > 0": {"then": (2, 1), "else": (2, 1)},
            "25 for _ in range(3)": {"loop": (2, 2)},
        },
    ),
    "modules in the same folder": Known(
        """\
from pieces.gate import Gate
import scale


def forward(x):
    return scale.by(Gate(1.0)(x))
""",
        [[2.0], [0.5], [-5.0]],
        {
            "6 x.sum() > self.limit": {"then": (1, 1), "else": (2, 2)},
            "3 x.abs().sum() > 1": {"body": (4, 2), "exit": (3, 3)},
            "6 n": {"then": (2, 2), "else": (1, 1)},
        },
        files={
            "pieces/__init__.py": "",
            "pieces/gate.py": GATE,
            "scale.py": SCALE,
        },
    ),
    "patterns and guards": Known(
        """\
def forward(kind: str, n: int, x):
    match kind, n:
        case "a", 0:
            return x
        case "a", k if k > 5:
            return x * k
        case ("b" | "c") as w, _:
            return x * len(w)
        case _:
            return -x
""",
        [
            {"kind": "a", "n": 0, "x": 1.0},
            {"kind": "a", "n": 3, "x": 1.0},
            {"kind": "a", "n": 9, "x": 1.0},
            {"kind": "c", "n": 9, "x": 1.0},
            {"kind": "z", "n": 0, "x": 1.0},
        ],
        {
            "2 kind, n": {
                'case "a", 0': (1, 1),
                'case "a", k': (1, 1),
                'case ("b" | "c") as w, _': (1, 1),
                "case _": (2, 2),
            },
            "5 k > 5": {"pass": (1, 1), "fail": (1, 1)},
        },
    ),
    "a comprehension inside another": Known(
        """\
def forward(rows: list[list[float]], x):
    total = sum(v for row in rows if row for v in row if v > 0 and v < 10)
    return x * total
""",
        [{"rows": [[1, -1], [], [20]], "x": 1.0}, {"rows": [], "x": 1.0}],
        {
            "2 for row in rows": {"loop": (1, 1)},
            "2 row": {"keep": (2, 1), "drop": (1, 1)},
            "2 for v in row": {"loop": (2, 1)},
            "2 v > 0 and v < 10": {"keep": (1, 1), "drop": (2, 1)},
        },
        conditions=(("v > 0", 2, 1), ("v < 10", 1, 1)),
    ),
    "a while with else": Known(
        """\
def forward(n: int, x):
    while n > 0:
        n -= 3
        if n == 1:
            break
    else:
        x = -x
    return x
""",
        [{"n": 4, "x": 1.0}, {"n": 6, "x": 1.0}, {"n": 0, "x": 1.0}],
        {"2 n > 0": {"body": (3, 2), "exit": (2, 2)}, "4 n == 1": {"then": (1, 1), "else": (2, 1)}},
    ),
    "a loop that an exception ends": Known(
        """\
from contextlib import suppress


def forward(xs: list[float], x):
    n = 0
    with suppress(IndexError):
        while True:
            if xs[n] > 1:
                n += 2
            else:
                n += 1
    return x * n
""",
        [{"xs": [2, 0, 1], "x": 1.0}, {"xs": [], "x": 1.0}],
        {"8 xs[n] > 1": {"then": (1, 1), "else": (1, 1)}},
    ),
    "a decorator's own test": Known(
        """\
import functools


def twice(f):
    @functools.wraps(f)
    def wrapped(x):
        y = f(x)
        return f(y) if y.sum() < 10 else y
    return wrapped


@twice
def grow(x):
    return x * 3 if x.sum() > 1 else x + 1


def forward(x):
    return grow(x)
""",
        [[0.0], [2.0], [5.0]],
        {"8 y.sum() < 10": {"then": (2, 2), "else": (1, 1)}, "14 x.sum() > 1": {"then": (3, 2), "else": (2, 1)}},
    ),
    "values of or": Known(
        """\
def forward(x, a: int = 0, b: int = 0):
    n = a or b or 7
    return x * n
""",
        [{"x": 1.0, "a": 1}, {"x": 1.0, "b": 2}, {"x": 1.0}],
        {"2 a or b or 7": {"short": (2, 2), "rest": (1, 1)}},
        conditions=(("a", 1, 2), ("b", 1, 1)),
    ),
    "an exception as a way out of recursion": Known(
        """\
class Done(Exception):
    pass


def dig(n, x):
    if n == 0:
        raise Done
    return dig(n - 1, x * 2)


def forward(n: int, x):
    try:
        dig(n, x)
    except Done:
        x = x + n
    except (ValueError, RecursionError):
        return -x
    return x
""",
        [{"n": 3, "x": 1.0}, {"n": 0, "x": 1.0}],
        {
            "6 n == 0": {"then": (2, 2), "else": (3, 1)},
            "12 try": {"except Done": (2, 2), "except (ValueError, RecursionError)": (0, 0)},
        },
        depths={"dig": {3: 1}},
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model(tmp_path: Path, name: str):
    """What is said of the model is what its source says; a loop counts once for each time that it ran a step."""
    known = MODELS[name]
    for file, text in known.files.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    found = covered(tmp_path, known.source, known.inputs, **known.settings)
    assert known.arms == arms(found)
    if known.conditions:
        assert list(known.conditions) == [
            (condition.text, condition.true, condition.false) for condition in found.conditions
        ]
    if known.depths:
        assert known.depths == {row.text: row.counts.counts for row in found.recursion}
    assert (known.outcomes or {"ok": len(known.inputs)}) == outcomes(found)
