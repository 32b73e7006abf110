"""The decision table's rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.decisions import because, decision_rows, outcome_symbol
from dyncli.records.model import Condition, Decision, Site
from tests import records
from tests.runs import recorded


def site(text: str = "x > 0", kind: str = "if", arms: tuple[str, ...] = ("then", "else")) -> Site:
    """Return a site for decisions made up here."""
    return Site("0" * 12, "m.py", 1, 0, 1, 5, kind, text, "f", arms)


def test_what_decided() -> None:
    """A name is written with its value, a literal is not; a bare test is its value; a compound shows each outcome."""
    compared = Condition("x.sum() > 0", ">", 2.0, 0, None, True)
    named = Condition("error > tol", ">", 0.5, 0.1, None, True)
    bare = Condition("flag", None, None, None, True, True)
    other = Condition("n == 3", "==", 4, 3, None, False)
    assert because([Decision(0, site(), "then", True, conditions=(compared,))]) == "x.sum() = 2.0 > 0"
    assert because([Decision(0, site(), "then", True, conditions=(named,))]) == "error = 0.5 > tol = 0.1"
    assert because([Decision(0, site(), "then", True, conditions=(bare,))]) == "flag = True"
    assert (
        because([Decision(0, site(), "else", False, conditions=(compared, other))])
        == "x.sum() = 2.0 > 0 True, n = 4 == 3 False"
    )


def test_second_condition_that_only_some_steps_reached_shows_its_values() -> None:
    """Show the count of `halting and n == size`, though neither the first nor the last step came to it."""
    off, on = (Condition("halting", None, None, None, value, value) for value in (False, True))
    counts = [Condition("n == size", "==", n, 16, None, n == 16) for n in (3, 16)]
    steps = [(off,), *((on, count) for count in counts), (off,)]
    decisions = [Decision(n, site(), "else", False, conditions=conditions) for n, conditions in enumerate(steps)]
    assert "halting = False … True … False, n = 3 … 16 == size = 16" == because(decisions)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    for n in (3, 4, 900, 5, 6):\n        if (x * n).item() > 100: pass\n", ["3.0 … 900.0 … 6.0 > 100"]),
        ("    for n in (3, 4, 900, 5, 3):\n        if (x * n).item() > 100: pass\n", ["3.0 … 900.0 … 3.0 > 100"]),
        ("    for n in (3, 4, 900):\n        if (x * n).item() > 100: pass\n", ["3.0 … 900.0 > 100"]),
        (
            "    last = None\n    for n in (3, 4, 9):\n"
            "        if last is not None and (x * n).item() - last > 5: pass\n        last = n\n",
            ["1.0 … 5.0 > 5 False, None … 4 is not None"],
        ),
    ],
)
def test_value_that_led_elsewhere_is_shown(tmp_path: Path, body: str, expected: list[str]) -> None:
    """Between ends that came out alike; of a guard and what it guards the latter stands first, though it came later."""
    record = recorded(tmp_path, f"import dyncore as torch\n\ndef forward(x):\n{body}    return x\n", "1.0")
    tests = [decision for decision in record.decisions if decision.site.kind == "if"]
    assert expected == [because(tests, names=False)]


def test_source_that_does_not_parse() -> None:
    """What is no Python expression is not taken apart, however it was made."""
    for text in ("x >", "(" * 5000, "x" * 10_000, "a\0b"):
        assert (
            because([Decision(0, site(), "then", True, conditions=(Condition(text, ">", 1, 0, None, True),))])
            == "1 > 0"
        )


def test_trips() -> None:
    """A loop says how often it went round, and how it ended if it was left."""
    kind = site("x in xs", "for", ("loop",))
    assert because([Decision(0, kind, "loop", 1, trips=1, exit="exhausted")]) == "1 trip"
    left = [Decision(0, kind, "loop", n, trips=n, exit="break") for n in (3, 7)]
    assert because(left) == "3 to 7 trips, break"


def test_a_test_that_raised() -> None:
    """A loop whose last test raised did not leave because that was False."""
    kind = site("b", "while", ("body", "exit"))
    steps = [Decision(n, kind, "body", True, iteration=n) for n in range(3)]
    raised = Decision(3, kind, "raise", False, iteration=3, exception="ArithmeticError")
    (row,) = decision_rows(records.piecewise()._replace(decisions=(*steps, raised)))
    assert (row.took, row.left) == ("True x3, raise", "exit")


def test_a_loops_tests_are_one_row() -> None:
    """The tests of one `while` fold, wherever the recorder says each was made."""
    (row,) = decision_rows(records.newton())
    assert (5, "True x4, False", "", 0) == (len(row.decisions), row.took, row.left, row.nesting)
    assert row.because == "error = 11.25 … 2.359e-10 > tol = 1e-6"
    assert row.margin is not None and -1e-6 < row.margin < 0


def test_tests_inside_a_loop_fold_too() -> None:
    """A test in a loop's body is one row with its pattern, indented."""
    rows = decision_rows(records.alternating())
    assert ["exhausted", "(True x2, False) x3"] == [row.took for row in rows]
    assert [0, 1] == [row.nesting for row in rows]
    assert 10 == len(decision_rows(records.alternating(), fold=False))


def test_rows_stay_few() -> None:
    """Recursion that would fill the screen is gathered by its test."""
    assert 15 == len(decision_rows(records.tree(3)))
    assert 1 == len(decision_rows(records.tree(8)))


def test_arms() -> None:
    """The arm taken and the arms left."""
    (row,) = decision_rows(records.piecewise(positive=False))
    assert ("else", "then", -6.0, "x.sum() = -6.0 > 0") == (row.took, row.left, row.margin, row.because)


def test_left_operand_that_was_true_does_not_stand_for_the_whole_test(tmp_path: Path) -> None:
    """`True x3` would say that `a and b` was true; the arm says that the rest was asked for."""
    source = (
        "def forward(x):\n    for k in range(3):\n        flag = x is not None and k > 5\n"
        "        if flag:\n            x = x * 2\n    return x\n"
    )
    took = {row.first.site.kind: row.took for row in decision_rows(recorded(tmp_path, source, "[1.0]"))}
    assert ("rest x3", "False x3") == (took["and"], took["if"])


@pytest.mark.parametrize(
    ("trips", "words", "short"), [(0, "0 trips", "0"), (1, "1 trip", "1"), (2000, "2,000 trips", "2000")]
)
def test_outcome_of_a_loop_is_its_trips_and_a_number_alone_if_short(trips: int, words: str, short: str) -> None:
    loop = Decision(0, Site("0", "m.py", 1, 0, 1, 1, "for", "for v in x", "f"), "loop", trips, trips=trips)
    assert (words, short) == (outcome_symbol(loop), outcome_symbol(loop, short=True))
