"""Truths are asked in the same order with probes as without, and as often as Python 3.11 does; 3.12 asks some twice."""

import random
import sys
import warnings
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest

from dyncli.instrument.runtime import probes
from dyncli.instrument.transform import instrument

NAMES = "abcd"
CONSTANTS = ("1", "0", "None", "'a'")
PLACES = (
    "x = {}", "x = not {}", "x = bool({})", "x = (lambda: {})()", "if {}: x = 1", "while {}: break", "assert {}, 1",
    "x = 1 if {} else 2", "x = [1 for y in (1,) if {}]", "x = list(1 for y in (1,) if {})",
    "match 1:\n    case 1 if {}: x = 1",
)  # fmt: skip


class Truth:
    """Notes that it was asked, or compared."""

    def __init__(self, name: str, value: bool, asked: list[str]) -> None:
        self.name, self.value, self.asked = name, value, asked

    def __bool__(self) -> bool:
        self.asked.append(self.name)
        return self.value

    def __lt__(self, other: Any) -> "Truth":
        self.asked.append(f"{self.name} <")
        return Truth(f"({self.name})", self.value, self.asked)


def expression(chance: random.Random, depth: int) -> str:
    """An expression of `and`, `or`, `not`, comparisons and conditional expressions."""
    kind = chance.random() if depth else 1.0

    def part() -> str:
        return expression(chance, depth - 1)

    if kind < 0.65:
        word = " and " if kind < 0.33 else " or "
        return f"({word.join(part() for _ in range(chance.choice((2, 2, 3))))})"
    if kind < 0.75:
        return f"(not {part()})"
    if kind < 0.9:
        return f"({part()} if {part()} else {part()})"
    compared = " < ".join(chance.choice(NAMES) for _ in range(chance.choice((1, 1, 1, 2, 3))))
    return chance.choice(CONSTANTS) if chance.random() < 0.12 else f"({compared})"


def sources(seed: int) -> Iterator[str]:
    """Statements of all kinds that test such an expression."""
    chance = random.Random(seed)
    for place in PLACES:
        for depth in (1, 2, 2, 3):
            yield place.format(expression(chance, depth)) + "\n"


def asked(code: Any, values: int) -> tuple[list[str], str]:
    """What is asked when code runs with the four names true or false, and what it leaves in `x`."""
    heard: list[str] = []
    names: dict[str, Any] = {name: Truth(name, bool(values >> number & 1), heard) for number, name in enumerate(NAMES)}
    with probes.recording([]):
        try:
            exec(code, names)
        except AssertionError:
            heard.append("fails")
    left = names.get("x")
    return heard, left.name if isinstance(left, Truth) else repr(left)


def once(found: tuple[list[str], str]) -> tuple[list[str], str]:
    """Return what was asked without what was asked again at once."""
    return [name for name, _ in groupby(found[0])], found[1]


@pytest.mark.parametrize("seed", range(4))
def test_truths_are_asked_as_often(seed: int) -> None:
    """Every truth, in order, for all values of the names."""
    for source in sources(seed):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plain = compile(source, "script.py", "exec", dont_inherit=True)
            recorded = instrument(source, "script.py", "script.py").code
        for values in range(2 ** len(NAMES)):
            alone, found = asked(plain, values), asked(recorded, values)
            assert (source, once(alone)) == (source, once(found))
            assert len(found[0]) <= len(alone[0])
            if sys.version_info < (3, 12):
                assert (source, alone) == (source, found)
