"""Forced arms: what is taken instead, and what cannot be."""

from collections.abc import Callable

import pytest

from dyncli.errors import DyncliError
from dyncli.instrument.runtime import force, probes
from dyncli.instrument.runtime.force import Forced, parse
from dyncli.instrument.transform import Program, instrument
from dyncli.recorder.decisions.replay import replay
from tests.playing import Played, line
from tests.unit.dyncli.records.test_schema import SECTIONS


def forced(source: str, *texts: str, stop: Callable[[str, int], None] | None = None) -> Played:
    """The script run with some arms forced."""
    program, log, names = Program(pinned=True), [], {}
    program.chosen = frozenset(pin.line for pin in parse(texts))
    code = instrument(source, "/nowhere/net.py", "net.py", program).code
    pins = Forced(parse(texts), program, log, stop)
    with probes.recording(log, change=pins.change):
        exec(code, names)
    pins.check()
    return Played(names, program, log, replay(program, log), None)


LOOP = """\
out = []
for k in range(4):
    if k > 1:
        out.append(k)
    else:
        out.append(-k)
"""


def test_every_evaluation() -> None:
    """Without an iteration every evaluation takes the arm; the conditions keep what was really found."""
    played = forced(LOOP, "3=then")
    assert [0, 1, 2, 3] == played.names["out"]
    assert "1 3:if `k > 1` -> then forced [0 > 1 F] m-1 | in 2.0 | under 0" == played.lines[1]


def test_one_iteration() -> None:
    """An iteration counts the passes of the loop around, from 0."""
    played = forced(LOOP, "line 3 iteration 3 = else", "3:7 iteration 0=then")
    assert [0, -1, 2, -3] == played.names["out"]
    assert [True, False, False, True] == [decision.forced for decision in played.decisions[1:]]


def test_while_iteration() -> None:
    """The iteration of a `while` is its own test, counted anew each time the loop begins."""
    source = "trips = []\nfor n in (5, 9):\n    t = 0\n    while t < n:\n        t += 1\n    trips.append(t)\n"
    assert [2, 2] == forced(source, "4 iteration 2=exit").names["trips"]


def test_evaluation_outside_loops() -> None:
    """Where no loop stands around in the function, the evaluations of the run are counted."""
    source = "def f(x):\n    return 'yes' if x else 'no'\nout = [f(1), f(1), f(1)]\n"
    assert ["yes", "no", "yes"] == forced(source, "2 evaluation 1=else").names["out"]


@pytest.mark.parametrize(
    ("expression", "arm", "value"),
    [
        ("a and b", "short", 1), ("a and b", "rest", 2), ("z and b", "rest", 2), ("a or b", "rest", 2),
        ("z or b", "short", 0), ("a > 0 and b", "short", False), ("a and b and c", "short", 1),
        ("z and z and c", "rest", 3), ("a > 5 and b", "rest", 2),
        ("0 < a < 9", "short", False), ("a and b or c", None, 2), ("0 < a < 9", "rest", True),
        ("9 < a < b", "rest", True),
        ("0 < a < b < c", "short", False), ("a > 5 or b", "short", True), ("a < 5 or b", "rest", 2),
        ("a > 9 or z > 9 or c", "rest", 3), ("a or b or c", "rest", 3), ("z or z or c", "short", 0),
        ("z and 9 < a", "rest", False), ("not a and b", "rest", 2), ("not a or b", "short", False),
        ("z == 1 and z", "rest", 0), ("a in (1, 2) and b", "short", False), ("a is None or b", "short", True),
        ("bool(a) and b", "short", True), ("[] and b", "rest", 2), ("[] or b", "short", []),
    ],
)  # fmt: skip
def test_values(expression: str, arm: str | None, value: object) -> None:
    """`and` and `or` give the operand at which they are made to stop."""
    source = f"a, b, c, z = 1, 2, 3, 0\nout = {expression}\n"
    assert value == forced(source, *([f"2={arm}"] if arm else [])).names["out"]


def test_compound_tests_comprehensions_asserts_and_guards() -> None:
    """Whatever tests can be forced, conditions are not."""
    source = (
        "x = 5\nif x > 9 and x:\n    a = 1\nb = [n for n in range(3) if n > 1]\nassert x == 6\n"
        "match x:\n    case n if n > 9:\n        c = 1\n"
    )
    names = forced(source, "2=then", "4=keep", "5=pass", "7=pass").names
    assert (1, [0, 1, 2], 1) == (names["a"], names["b"], names["c"])


def test_other_file_never_imported() -> None:
    """A pin in a module waits for its import, and is reported when that never came."""
    with pytest.raises(DyncliError) as caught:
        forced(LOOP, "other.py:3=then")
    assert "nothing is decided at other.py:3, which `other.py:3=then` forces" == str(caught.value)


@pytest.mark.parametrize(
    ("text", "report"),
    [
        (
            "3=thne",
            "`3=thne`: no decision there has an arm `thne`\n"
            "  net.py:3:7: if `k > 1`: `then`, `else`\n\nhint: did you mean `then`?",
        ),
        (
            "3=keep",
            "`3=keep`: no decision there has an arm `keep`\n"
            "  net.py:3:7: if `k > 1`: `then`, `else`\n\nhint: the arms are `then`, `else`",
        ),
        (
            "net.py:9=then",
            "nothing is decided at net.py:9, which `net.py:9=then` forces\n"
            "  net.py:3:7: if `k > 1`: `then`, `else`\n"
            "  net.py:2:0: for `for k in range(4)`: `loop`, `exit`\n\nhint: the nearest decisions are listed above",
        ),
        (
            "2=loop",
            "`2=loop`: the `for` at line 2 cannot be forced, how often it runs is up to what it goes over; "
            "`exit` ends it\n\n"
            "hint: force a test (`if`, `while`, `and`, `or`, `assert`, a guard, a conditional expression, a filter), "
            "the `exit` of a loop, or a `case` that binds no names",
        ),
        (
            "line two = else",
            "cannot read the forced arm `line two = else`\n\n"
            "hint: write `22=else`, `net.py:22=else`, `22:8=else` with a column, or `line 22 iteration 3 = else`",
        ),
    ],
)
def test_errors(text: str, report: str) -> None:
    """What cannot be forced is said with the arms there are."""
    with pytest.raises(DyncliError) as caught:
        forced(LOOP, text)
    assert report == caught.value.report()


def test_several_on_a_line() -> None:
    """Two decisions of a line are told apart by their column."""
    source = "a = b = 1\nx = (1 if a else 2) + (1 if b else 2)\n"
    with pytest.raises(DyncliError) as caught:
        forced(source, "2=else")
    assert (
        "`2=else` fits 2 decisions\n  net.py:2:10: ifexp `a`: `then`, `else`\n"
        "  net.py:2:28: ifexp `b`: `then`, `else`\n\n"
        "hint: add the column: `2:10=else`"
    ) == caught.value.report()
    assert 3 == forced(source, "2:28=else").names["x"]


def test_line_form() -> None:
    """A forced decision says so."""
    assert line(forced("if 0 == 1:\n    pass\nx = 2\nif x:\n    pass\n", "4=else").decisions[0]).endswith(
        "-> else forced [x=2 T] m2"
    )


ENDED = """\
out = []
for k in iter(range(4)):
    out.append(k)
else:
    out.append("else")
out += [k for k in range(3)]
out.append(sum(k for k in range(3)))
"""


@pytest.mark.parametrize(
    ("pin", "out", "decision"),
    [
        ("2=exit", ["else", 0, 1, 2, 3], "0 2:for `for k in iter(range(4))` -> loop forced x0 exhausted"),
        (
            "line 2 iteration 2 = exit", [0, 1, "else", 0, 1, 2, 3],
            "0 2:for `for k in iter(range(4))` -> loop forced x2 exhausted",
        ),
        (
            "line 2 iteration 4 = exit", [0, 1, 2, 3, "else", 0, 1, 2, 3],
            "0 2:for `for k in iter(range(4))` -> loop forced x4 exhausted",
        ),
        (
            "line 2 iteration 5 = exit", [0, 1, 2, 3, "else", 0, 1, 2, 3],
            "0 2:for `for k in iter(range(4))` -> loop x4 exhausted",
        ),
        ("6=exit", [0, 1, 2, 3, "else", 3], "1 6:comp `for k in range(3)` -> loop forced x0 exhausted"),
        (
            "line 7 iteration 2 = exit", [0, 1, 2, 3, "else", 0, 1, 2, 1],
            "2 7:comp `for k in range(3)` -> loop forced x2 exhausted",
        ),
    ],
)  # fmt: skip
def test_loops_are_made_to_end(pin: str, out: list[object], decision: str) -> None:
    """`exit` ends a loop before its first step, or before a step; its `else` runs."""
    played = forced(ENDED, pin)
    assert out == played.names["out"]
    assert decision in played.lines


def test_the_first_of_several_ends_of_a_loop_counts() -> None:
    """A `for` loop that is to end before its fourth and before its second step ends before the second."""
    played = forced(ENDED, "line 2 iteration 3 = exit", "line 2 iteration 1 = exit")
    assert [0, "else"] == played.names["out"][:2]
    assert "0 2:for `for k in iter(range(4))` -> loop forced x1 exhausted" in played.lines


CASES = """\
def f(v, w=True):
    match v:
        case 1 if w:
            return "one"
        case [a, b]:
            return "pair"
        case "x" | 2:
            return "x2"
        case {}:
            return "dict"
        case int() if v > 5:
            return "int"
out = [f(1), f([1, 2]), f(2), f({}), f(9), f(None)]
def g(v):
    match v:
        case object(real=0):
            return "zero"
        case other:
            return other
out.append(g(0))
"""


@pytest.mark.parametrize(
    ("pin", "out"),
    [
        ("2=case 1", ["one"] * 6 + ["zero"]),
        ('2=case "x" | 2', ["x2"] * 6 + ["zero"]),
        ("2=case {}", ["dict"] * 6 + ["zero"]),
        ("2=case int()", ["int"] * 6 + ["zero"]),
        ("2=no match", [None] * 6 + ["zero"]),
        ("line 2 iteration 1 = case {}", ["one", "dict", "x2", "dict", "int", None, "zero"]),
        ("15=case other", ["one", "pair", "x2", "dict", "int", None, 0]),
    ],
)
def test_cases_are_taken(pin: str, out: list[object]) -> None:
    """A case that binds no names, one that takes anything, and none, whatever is looked at."""
    played = forced(CASES, pin)
    assert out == played.names["out"]
    arm = pin.partition("=")[2].strip()
    taken = [decision for decision in played.decisions if decision.forced]
    assert {arm} == {decision.arm for decision in taken}
    assert "iteration" in pin or len(taken) in (1, 6)
    assert all(decision.site.kind == "match" for decision in taken)


def test_cases_that_bind_names() -> None:
    """Names that another subject has no values for cannot be bound."""
    with pytest.raises(DyncliError) as caught:
        forced(CASES, "2=case [a, b]")
    assert (
        "`2=case [a, b]`: the `match` at line 2 cannot be forced, `case [a, b]` binds `a`, `b`, which something else "
        "may not hold\n\n"
        "hint: force a test (`if`, `while`, `and`, `or`, `assert`, a guard, a conditional expression, a filter), "
        "the `exit` of a loop, or a `case` that binds no names"
    ) == caught.value.report()


def test_every_kind_can_be_forced_or_has_a_reason() -> None:
    """A kind of decision that is in no table would raise KeyError; `match` has rules of its own."""
    kinds = {kind for kind, *_ in SECTIONS["Kinds of decisions, and their arms"]}
    assert {"match"} == kinds - force._HOLDING - force._WHY_NOT.keys()


def test_an_asynchronous_loop() -> None:
    """What is awaited step by step is not cut."""
    with pytest.raises(DyncliError, match="what it goes over is asynchronous"):
        forced("async def f(x):\n    async for v in x:\n        pass\n", "2=exit")


@pytest.mark.parametrize(
    ("source", "pin", "most", "left"),
    [
        ("    n = 0\n    while n < 3: n += 1", "3=body", 10, 12),
        ("    n = 0\n    while True:\n        if n > 3: break\n        n += 1", "4=else", 20, 23),
    ],
)
def test_loops_that_never_end(monkeypatch: pytest.MonkeyPatch, source: str, pin: str, most: int, left: int) -> None:
    """A pin that keeps a loop going is told of: soon where the test is the loop's own, later in any other."""
    monkeypatch.setattr(force, "MOST_AGAINST", 10)
    monkeypatch.setattr(force, "MOST_IN_LOOP", 20)
    told: list[tuple[str, int]] = []

    def stop(text: str, times: int) -> None:
        told.append((text, times))
        raise KeyError(text)

    played = forced(f"try:\n{source}\nexcept KeyError: pass\n", pin, stop=stop)
    assert [(pin, most)] == told
    assert left == played.names["n"]
