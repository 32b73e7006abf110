"""Random programs that know themselves which tests they make, and in which steps of which loops."""

from __future__ import annotations

import random
from types import CodeType
from typing import Any

HELPERS = """
def same(value):
    if truth(): return value
    return value
class Down:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n < 1: raise StopIteration
        self.n -= 1
        return self.n
def given():
    for n in (1, 2):
        if truth(): yield n
        else: yield n
class Near:
    def __init__(self, swallows=False): self.swallows = swallows
    def __enter__(self): return self
    def __exit__(self, kind, *more):
        if kind is Oops and self.swallows: return True
"""
ITERABLES = ("range(2)", "(1, 2, 3)", "Down(2)", "map(same, (1, 2))", "given()", "[]")
CONTEXTS = ("with Near():", "with Near(True) as c:", "with Near(), Near(True):")
MOST_CALLS = 400

Asked = list[tuple[int, tuple[tuple[int, int], ...]]]


class Oops(Exception):
    """What programs raise."""


class TooLong(BaseException):
    """Ends a program that goes on for too long."""


class Writer:
    """Writes the body of a function `f`; a test is `asks(its line, the lines of the loops around it)`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["def f():"]
        for _ in range(2):
            self.block(1, 3, [], False)
        self.add(1, "pass")

    def add(self, depth: int, line: str) -> None:
        """Adds a line."""
        self.lines.append("    " * depth + line)

    def block(self, depth: int, more: int, loops: list[int], in_loop: bool) -> None:
        """Adds a few statements, `more` levels of which may hold others."""
        for _ in range(self.random.randint(1, 2)):
            if more and self.random.random() > 0.12:
                self.random.choice((self.choice, self.choice, self.loop, self.loop, self.trial, self.trial, self.rest))(
                    depth, more, loops, in_loop
                )
            else:
                leaving = ["return 1", "raise Oops", *["break", "continue"] * (3 * in_loop)]
                plain = [f"v = 1 if {self.test(loops)} else 2", "same(truth())", "v = truth()"]
                self.add(depth, self.random.choice(leaving if self.random.random() < 0.3 else plain))

    def test(self, loops: list[int]) -> str:
        """A test on the next line."""
        asks = f"asks({len(self.lines) + 1}, {loops})"
        forms = ("{}", "{}", "{} and truth()", "not {}", "{} or truth() and truth()", "{} == truth()")
        return self.random.choice(forms).format(asks)

    def choice(self, depth: int, *inside: Any) -> None:
        """An `if`."""
        self.add(depth, f"if {self.test(inside[1])}:")
        self.block(depth + 1, inside[0] - 1, *inside[1:])
        if self.random.random() < 0.3:
            self.add(depth, f"elif {self.test(inside[1])}:")
            self.block(depth + 1, inside[0] - 1, *inside[1:])
        if self.random.random() < 0.5:
            self.add(depth, "else:")
            self.block(depth + 1, inside[0] - 1, *inside[1:])

    def loop(self, depth: int, more: int, loops: list[int], in_loop: bool) -> None:
        """A loop; its line is told when it begins, and at each step."""
        line = len(self.lines) + 2
        self.add(depth, f"begins({line})")
        kind = self.random.choice(("for", "for", "while", "while True"))
        if kind == "for":
            self.add(depth, f"for k in {self.random.choice(ITERABLES)}:")
        else:
            self.add(depth, f"while {self.test(loops)} and few({line}):" if kind == "while" else "while True:")
        self.add(depth + 1, f"steps({line})")
        self.block(depth + 1, more - 1, [*loops, line], True)
        if kind == "while True":
            self.add(depth + 1, "break")
        elif self.random.random() < 0.3:
            self.add(depth, "else:")
            self.block(depth + 1, more - 1, loops, in_loop)

    def trial(self, depth: int, *inside: Any) -> None:
        """A `try` or a `with`."""
        if self.random.random() < 0.3:
            self.add(depth, self.random.choice(CONTEXTS))
            self.block(depth + 1, inside[0] - 1, *inside[1:])
            return
        parts = self.random.choice((["except Oops:"], ["finally:"], ["except (Oops, KeyError) as e:", "else:"],
                                    ["except Oops:", "finally:"], ["except Oops:", "else:", "finally:"]))  # fmt: skip
        for part in ("try:", *parts):
            self.add(depth, part)
            self.block(depth + 1, inside[0] - 1, *inside[1:])

    def rest(self, depth: int, *inside: Any) -> None:
        """A `match` with a guard."""
        self.add(depth, "match truth():")
        self.add(depth + 1, f"case True if {self.test(inside[1])}:")
        self.block(depth + 2, inside[0] - 1, *inside[1:])
        self.add(depth + 1, "case _:")
        self.block(depth + 2, inside[0] - 1, *inside[1:])


def run(code: CodeType, seed: int) -> tuple[Asked, Any]:
    """What a program asked, test by test, and what came of it."""
    chance = random.Random(seed)
    asked: Asked = []
    step: dict[int, int] = {}
    tested: dict[int, int] = {}
    calls = iter(range(MOST_CALLS))

    def truth() -> bool:
        if next(calls, None) is None:
            raise TooLong
        return chance.random() < 0.5

    def asks(line: int, loops: list[int]) -> bool:
        asked.append((line, tuple((loop, step[loop]) for loop in loops)))
        return truth()

    def few(line: int) -> bool:
        tested[line] = tested.get(line, 0) + 1
        return tested[line] % 4 != 0

    def steps(line: int) -> None:
        truth()
        step[line] += 1

    names = {"asks": asks, "truth": truth, "few": few, "steps": steps, "Oops": Oops, "__name__": "program",
             "begins": lambda line: step.update({line: -1})}  # fmt: skip
    exec(code, names)
    try:
        return asked, names["f"]()
    except (Oops, TooLong) as error:
        return asked, type(error)
