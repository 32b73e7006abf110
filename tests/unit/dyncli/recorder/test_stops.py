"""What is said of a run that ended early: which elements disagree, and where an endless loop was going."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dyncli.recorder.decisions import decision_log as cap
from dyncli.recorder.decisions.trend import direction
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.recorder.settings import Patience
from dyncli.records.model import Record


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs a script on inputs."""

    def run(source: str, *inputs: str, **more: object) -> Record:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "net.py").write_text(source)
        return next(record_model(Request("net.py", inputs, **more)))

    return run


HINT = "hint: `.any()` or `.all()` says which of them is meant"
SEVERAL = [
    ("x > 0", "[1, -1, 2]", ["in the test `x > 0` at net.py:2:7", "values: 2 of 3 are True: [1, -1, 2] > 0"]),
    ("0 < x", "[1, -1, 2]", ["in the test `0 < x` at net.py:2:7", "values: 2 of 3 are True: [1, -1, 2] > 0"]),
    ("x == x * 1", "[1, 2]", ["in the test `x == x * 1` at net.py:2:7", "values: 2 of 2 are True: [1, 2] == [1, 2]"]),
    ("x", "[[0.5, 0]]", ["in the test `x` at net.py:2:7", "values: 1 of 2 is True: [[0.5, 0]]"]),
    ("len(x) and x > 1.5", "[1, 2]", ["in the test `x > 1.5` at net.py:2:7", "values: 1 of 2 is True: [1, 2] > 1.5"]),
    ("bool(x < 2)", "[1, 2]", ["values: 1 of 2 is True: [1, 2] < 2"]),
]


@pytest.mark.parametrize(("test", "given", "notes"), SEVERAL, ids=[test for test, *_ in SEVERAL])
def test_several_elements(recorded, test, given, notes) -> None:
    """PyTorch's sentence, then the test and its values."""
    failure = recorded(f"def forward(x):\n    if {test}:\n        return x\n    return -x\n", given).failure
    assert failure is not None
    assert "Boolean value of Tensor with more than one value is ambiguous" == failure.message
    assert (*notes, HINT) == failure.notes


def test_many_elements(recorded) -> None:
    """Of a large tensor the first elements that disagree are named."""
    source = (
        "from dyncore import arange\ndef forward(n: int):\n    while arange(n).reshape(5, -1) >= 3:\n        n -= 1\n"
    )
    failure = recorded(source, "n=100").failure
    assert "values: 97 of 100 are True; the first True at [0, 3]; the first False at [0, 0]" == failure.notes[1]


def test_other_errors_have_no_such_notes(recorded) -> None:
    """A script may raise the same sentence itself."""
    message = "Boolean value of Tensor with more than one value is ambiguous"
    failure = recorded(f"def forward(x):\n    raise ValueError('{message}')\n", "[1]").failure
    assert () == failure.notes


def test_a_loop_that_never_ends(recorded) -> None:
    """How often its test was made, what it tested, which way that went."""
    source = "def forward(x):\n    while x.sum() > 0.5:\n        x = x * 1.5\n    return x\n"
    record = recorded(source, "[1.0]", max_ops=40)
    assert "limit" == record.status
    assert [
        "line 2: `while x.sum() > 0.5` was tested 13 times; `x.sum()` is rising: … 57.665039, 86.497559, 129.74634"
    ] == [warning for warning in record.warnings if "tested" in warning]


@pytest.mark.parametrize(
    ("test", "times", "what"),
    [
        ("0.5 < x.sum()", 8, "`x.sum()` is rising: … 32, 64, 128"),
        ("0 < x.sum() < 1e30", 6, "`x.sum()` is rising: … 8, 16, 32"),
        ("x.sum()", 12, "`x.sum()` is rising: … 512, 1024, 2048"),
        ("x.sum() > 0 and x.max() > 0", 5, "`x.sum()` is rising: … 4, 8, 16"),
        ("not x.sum() < 0", 8, "`x.sum()` is rising: … 32, 64, 128"),
        ("n < x.sum() + 1", 6, "`x.sum() + 1` is rising: … 9, 17, 33"),
        ("x.sum() != n", 8, "`x.sum()` is rising: … 32, 64, 128"),
        ("more(x)", 8, "`x.sum()` is rising: … 32, 64, 128"),
        ("not all(v < 0 for v in x)", 8, "`all(v < 0 for v in x)` is constant: … 0, 0, 0"),
        ("len(str(n)) > 0", 24, "`len(str(n))` is constant: … 1, 1, 1"),
    ],
)
def test_side_that_moves_is_named(recorded, test: str, times: int, what: str) -> None:
    """Show the first of several conditions, and what a method compared."""
    source = "def more(x):\n    return x.sum() > 0.5\n\n\ndef forward(x):\n    n = 0\n"
    record = recorded(f"{source}    while {test}:\n        x = x * 2\n    return x\n", "[1.0]", max_ops=24)
    told = [warning for warning in record.warnings if "tested" in warning]
    assert [f"line 7: `while {test}` was tested {times} times; {what}"] == [each.replace(".0", "") for each in told]


def test_a_loop_without_a_test_of_its_own(recorded) -> None:
    """`while True` is left by a test in it."""
    source = "def forward(x):\n    while True:\n        x = -x\n        if x.sum().item() == 0.5:\n            break\n"
    record = recorded(source, "[1.0]", max_ops=41)
    assert [
        "line 4: `if x.sum().item() == 0.5` was tested 20 times; `x.sum().item()` goes back and forth: … 1, -1, 1"
    ] == [warning.replace("1.0", "1") for warning in record.warnings if "tested" in warning]


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("0 < x.sum().item()", "line 3: `while 0 < x.sum().item()` was tested 15 times; `x.sum().item()` is falling"),
        ("items", None),
        ("name != 'end'", None),
        ("not items is None and x.sum().item() > 0", "`x.sum().item()` is falling"),
    ],
)
def test_side_that_moves_is_the_one_of_a_trend(recorded, test, said) -> None:
    """The right one too; what is no number goes nowhere."""
    source = f"def forward(x):\n    items, name = [1], 'a'\n    while {test}:\n        x = x / 2\n"
    notes = [warning for warning in recorded(source, "[1.0]", max_ops=30).warnings if "tested" in warning]
    assert [said is not None] == [bool(notes)] and (said is None or said in notes[0])


def test_a_run_that_ends_well_has_no_trend(recorded) -> None:
    """The notes are of runs that were stopped."""
    record = recorded("def forward(x):\n    while x.sum() < 50:\n        x = x * 2\n    return x\n", "[1.0]")
    assert not [warning for warning in record.warnings if "tested" in warning]


def test_flag_of_a_loop_tells_where_its_comparison_was_going(recorded) -> None:
    """The side of the comparison that changes is named, not the flag."""
    source = "def forward(x):\n    done = False\n    while not done:\n        x = x / 2\n"
    record = recorded(f"{source}        done = x.sum().item() < 0\n", "[1.0]", max_ops=60)
    assert any("`x.sum().item()` is falling" in warning for warning in record.warnings)


@pytest.mark.whole
def test_the_last_iterations_of_a_long_loop(recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped by the clock, a long log keeps its first and its last decisions, and says how many it left out."""
    source = "def forward(x):\n    n = 0\n    while n >= 0:\n        n += 1\n    return x\n"
    monkeypatch.setattr(cap, "MOST_ITEMS", 1_000)
    record = recorded(source, "[1.0]", timeout=1.5)  # of which little may be its own on a busy machine
    last = record.decisions[-1]
    assert (0, last.conditions[0].lhs) == (record.decisions[0].iteration, last.iteration)
    (left_out,) = (warning for warning in record.warnings if "left out of the log" in warning)
    assert last.iteration + 1 == len(record.decisions) + int(left_out.split()[0].replace(",", ""))
    assert any("`n` is rising" in warning for warning in record.warnings)


def test_a_stopped_run_keeps_the_first_and_the_last_decisions(recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies between is left out, and said: nobody reads half a gigabyte of an endless loop."""
    source = "def forward(x):\n    n = 0\n    while True:\n        n += 1\n        if n < 0: break\n"
    source += "        if n % 9 == 0: x = x + 1\n"
    monkeypatch.setattr(cap, "MOST_OF_STOPPED", 600)
    record = recorded(source, "[1.0]", max_ops=300)
    assert "limit" == record.status and 50 < len(record.decisions) < 150
    assert (1, 2700) == (record.decisions[0].conditions[0].lhs, record.decisions[-2].conditions[0].lhs)
    assert [*range(len(record.decisions))] == [each.seq for each in record.decisions]
    left_out = 2 * 2700 - len(record.decisions)
    assert f"{left_out:,} decisions in the middle of the run are left out of the log" in record.warnings
    assert any("was tested more than" in warning for warning in record.warnings)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1, 2, 2, 3], "is rising"), ([3, 2], "is falling"), ([1, 1, 1], "is constant"),
        ([1, 2, 1, 2], "goes back and forth"), ([1, 2, 3, 1, 2], "has no direction"), ([1, float("nan")], "is NaN"),
        ([float("inf")] * 3, "is constant"),
    ],
)  # fmt: skip
def test_directions(values, words) -> None:
    """What a series does, in words."""
    assert words == direction(values)


def test_only_an_op_that_raised_is_the_one_that_failed(recorded) -> None:
    """What the script raises itself is the fault of no op."""
    own = recorded("def forward(x):\n    y = x * 2\n    raise ValueError('no')\n", "[1.0]")
    op = recorded("def forward(x):\n    y = x * 2\n    return y @ x.reshape(1, 1, 1)[0, 0].expand(3)\n", "[1.0]")
    assert own.failure is not None and own.failure.op is None
    assert op.failure is not None and op.ops[op.failure.op].error == op.failure.message


def test_patience_with_one_finalizer_is_not_spent_on_another() -> None:
    """Where the timer went off outside of any in between, the next has its second again."""
    patience = Patience()

    class Late:
        def __del__(self) -> None:
            waits.append(patience.lasts(sys._getframe()))

    waits: list[bool] = []
    patience.since = (-1e9, -1e9)
    Late()
    waits.append(patience.lasts(sys._getframe()))
    Late()
    assert [False, False, True] == waits
