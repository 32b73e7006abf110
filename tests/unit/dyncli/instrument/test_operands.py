"""What the log keeps of operands, and what it never does to them."""

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from dyncli.instrument.runtime import condition_probes, probes
from dyncli.instrument.runtime.condition_probes import RecordedOperand, describe
from dyncli.instrument.transform import instrument
from tests.playing import play


def untouchable() -> Any:
    """An object that may not be asked for any attribute, and whose class may not either."""

    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            raise AssertionError(f"asked for {name}")

    class Untouchable(metaclass=Meta):
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(f"asked for {name}")

        def __bool__(self) -> bool:
            return True

        def __lt__(self, other: object) -> bool:
            return False

    return Untouchable()


def longer() -> Any:
    """A list whose length is a trap."""

    class Longer(list[int]):
        def __len__(self) -> int:
            raise AssertionError("asked for its length")

    return Longer()


@pytest.mark.parametrize(
    ("make", "kept"),
    [
        (lambda: [1, 2], {"type": "list", "len": 2}),
        (lambda: (1, "a", None), (1, "a", None)),
        (lambda: (1, [2]), {"type": "tuple", "len": 2}),
        (lambda: tuple(range(8)), tuple(range(8))),
        (lambda: tuple(range(9)), {"type": "tuple", "len": 9}),
        (lambda: {}, {"type": "dict", "len": 0}),
        (lambda: range(3), {"type": "range", "len": 3}),
        (lambda: b"ab", {"type": "bytes", "len": 2}),
        (lambda: 1j, {"type": "complex"}),
        (untouchable, {"type": "Untouchable"}),
        (lambda: type(untouchable()), {"type": "Meta"}),
        (longer, {"type": "Longer"}),
    ],
)
def test_kept(make: Callable[[], object], kept: object) -> None:
    """Containers by type and length, short tuples of plain values whole, anything else by the name of its type."""
    assert kept == describe(make()).value


@pytest.mark.parametrize("value", [1, 2.5, True, "text", None])
def test_plain_values_are_kept_themselves(value: object) -> None:
    """The very object, so that a number can be known again."""
    assert describe(value) is value


def test_readers_serve_subclasses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader registered for a class reads the user's subclasses too."""

    class Base:
        pass

    class Derived(Base):
        pass

    monkeypatch.setitem(condition_probes.known_readers, Base, lambda value: ("read", 7))
    found = describe(Derived())
    assert ("read", 7) == (found.value, found.trace)


def test_operands_are_not_touched() -> None:
    """Tests, loops, `and`, `or` and `match` ask an object for nothing but what the script asks."""
    names = {"x": untouchable()}
    source = (
        "if x and not x < 3: pass\ny = x or 1\nz = x and x\nw = 1 if x else 2\nif x is None or x is y: pass\n"
        "match x:\n    case None: pass\nif x in (x,): pass\nv = [k for k in (x,) if k]\n"
    )
    with probes.recording([]):
        exec(instrument(source, "/nowhere/x.py", "x.py").code, names)
    assert names["z"] is names["x"]


def test_operands_are_not_kept_alive() -> None:
    """A tested object dies when the script lets go of it, also inside a chain that stopped early."""
    played = play(
        "class C(list):\n    pass\nx, y = C([1]), C()\nfirst = x\n"
        "if x and y or [x] < [C()] < [x]: pass\nz = x or y\nif 1 < 0 < len(x): pass\na = [1] < [0] < [x]\n"
    )
    held = [weakref.ref(played.names[name]) for name in "xy"]
    played.names.clear()
    gc.collect()
    assert [None, None] == [reference() for reference in held]


def test_a_short_tuple_is_copied() -> None:
    """Not even a tuple of the script's is held on to."""
    value = (1, 2)
    assert describe(value).value is not value


def test_seen_is_not_described_twice() -> None:
    """What is described already stays so."""
    value = RecordedOperand(3, 1)
    assert describe(value) is value
