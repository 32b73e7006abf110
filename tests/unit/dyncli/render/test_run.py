"""What `dyncli run` prints, read whole for small records and searched for large and hostile ones."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from dyncli.analysis.changes import Change
from dyncli.analysis.values import TensorRow
from dyncli.records.model import Record, TensorSummary
from dyncli.render.reports.run import RunOptions, render
from dyncli.render.reports.what_if import ChangeTable
from tests import records
from tests.runs import recorded


def printed(record: Record, width: int = 80, colour: bool = False, **options: Any) -> str:
    """Return what a terminal of `width` columns would show."""
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=colour, color_system="standard" if colour else None)
    console.print(render(record, RunOptions(**options)))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()).rstrip() + "\n"


def test_piecewise_in_80_columns() -> None:
    """The three tables of the smallest model."""
    assert (
        printed(records.piecewise(), trace=True)
        == """\
piecewise.py:forward · case positive · float32 · seed 0 · 3 ops · 1 decision

Outputs
name    shape  dtype    values
──────────────────────────────────
output  [3]    float32  [2, -2, 4]

Gradients of output  seeded with ones
name  shape  dtype    values
───────────────────────────────
x     [3]    float32  [2, 2, 2]

Decisions
#  line  test            because            took  left  margin
──────────────────────────────────────────────────────────────
0     5  if x.sum() > 0  x.sum() = 2.0 > 0  then  else       2

Ops
#  op     inputs  output       under   line    time  saved
──────────────────────────────────────────────────────────
0  sum    x       float32 []              5  1.2 µs
1  gt 0   #0      bool []                 5  1.2 µs
2  mul 2  x       float32 [3]  0 then     6  1.2 µs    4 B
"""
    )


def test_wide_decisions_have_origin_and_calls() -> None:
    """Columns that 80 columns have no room for stand last."""
    table = printed(records.piecewise(), width=120).partition("Decisions\n")[2]
    assert (
        """\
#  line  test            because            took  left  margin  on      called as
─────────────────────────────────────────────────────────────────────────────────
0     5  if x.sum() > 0  x.sum() = 2.0 > 0  then  else       2  tensor  forward
"""
        == table
    )


@pytest.mark.parametrize(("phase", "took"), [("load", "then  else"), ("backward", "then (backward)  else")])
def test_phase_stands_behind_an_arm_taken_in_backward(phase: str, took: str) -> None:
    record = records.piecewise()
    (decision,) = record.decisions
    assert took in printed(record._replace(decisions=(decision._replace(phase=phase),)))


def test_tests_of_loading_count_no_ops_of_the_run(tmp_path: Path) -> None:
    """They are numbered by themselves: op 5 of the run did not run under test 5 of loading."""
    at_load = "import dyncore as torch\nw = torch.ones(1)\n" + "if w.sum() > 0: pass\n" * 13
    forward = "def forward(x):\n" + "    if x.sum() > 0: x = x * 2\n" * 14 + "    return x\n"
    record = recorded(tmp_path, at_load + forward, "[1.0]")
    page = printed(record, show=("loading", "decisions"))
    decisions, _, loading = page.partition("\nLoading\n")
    assert "margin  ops\n" in decisions
    assert "margin\n" in loading and "ops" not in loading


def test_loops_fold_into_one_row() -> None:
    """A `while` is one row: its pattern, its first and last values, the margin nearest to flipping."""
    text = printed(records.newton(), width=140)
    assert re.search(
        r"0…4 +7  while error > tol  error = 11.25 … 2.359e-10 > tol = 1e-6  True x4, False +-9.998e-7  tensor",
        text,
    )


def test_full_unfolds() -> None:
    """`full` shows each test of a loop and every digit."""
    text = printed(records.newton(), width=140, full=True)
    assert len(re.findall("while error > tol", text)) == 5
    assert "0.16666666666666666" in text


def test_for_loop_says_its_trips() -> None:
    """A `for` is one decision with its number of trips."""
    assert re.search(r"for x in sequence +24 trips \(python\) +exhausted", printed(records.rnn()))


def test_recursion_folds_by_call() -> None:
    """Calls at different places are different rows; past a limit they gather by the test alone."""
    table = printed(records.tree(2), width=160).split("Decisions")[1]
    assert len(re.findall(r'if node\["left"\] is None', table)) == 7
    assert "False 127, True 128, mixed" in printed(records.tree(7), width=160)


def test_missing_gradients_say_why() -> None:
    """A gradient that is None has its reason, a large tensor its statistics."""
    text = printed(records.large_tensors(), width=120)
    assert "None  not on the path taken: decided at line 5" in text
    assert "min -3.25 max 3.5 mean 0.0125 norm 31.75 · 12.5% zero · 2 NaN · 1 Inf · ▁▁▃██▃▁▁" in text


def test_failure_names_the_op_and_the_users_frames() -> None:
    """A run that raised ends with where, what and the notes."""
    assert printed(records.failing()).endswith("""\
note: nothing was returned

Stopped: the script raised in matmul (op 0) at failing.py:5
  failing.py:5 in forward
    h = x @ w
RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x3)
hint: `x @ w.T` would fit
""")


def test_failure_with_a_tensor_in_its_message_shows_the_first_lines() -> None:
    """A distribution whose parameters are NaN raises with all of them, one line for each row."""
    record = records.failing()
    assert record.failure is not None
    rows = [f"        [nan, {row}]," for row in range(9)]
    few = record._replace(failure=record.failure._replace(notes=("\n".join(["tensor(", *rows[:4]]),)))
    assert printed(few).endswith("\n".join(["", "tensor(", *rows[:4], ""]))
    record = record._replace(failure=record.failure._replace(notes=("\n".join(["tensor(", *rows]),)))
    shown = ["tensor(", *rows[:3], "… 6 more lines (`dyncli run --full` shows them)"]
    assert printed(record).endswith("\n".join(["", *shown, ""]))
    assert printed(record, full=True).endswith("\n".join(["", "tensor(", *rows, ""]))


def test_nothing_ran() -> None:
    """An empty run has a heading and nothing else."""
    assert printed(records.nothing()) == "empty.py:forward · float32 · seed 0 · 0 ops · 0 decisions\n"


@pytest.mark.parametrize("width", [20, 40, 80, 160])
@pytest.mark.parametrize("build", records.ALL, ids=lambda build: build.__name__)
def test_fits_any_width(build: Any, width: int) -> None:
    """No line is wider than the terminal."""
    text = printed(build(), width=width, trace=True, show=("x", "none*"))
    assert width >= max(len(line) for line in text.splitlines())


@pytest.mark.parametrize("full", [False, True])
def test_nothing_hostile_reaches_the_terminal(full: bool) -> None:
    """Markup is not read, and no control character passes."""
    text = printed(records.hostile(), width=200, colour=False, trace=True, full=full, show=(records.HOSTILE_NAME,))
    assert "[bold]" in text
    assert set() == {c for c in text if ord(c) < 32 and c != "\n"} | {c for c in text if c in "\u202e\x7f\x9b"}


def test_colour_is_never_needed() -> None:
    """The words are the same with and without colour."""
    coloured = re.sub(r"\x1b\[[0-9;]*m", "", printed(records.tree(), colour=True))
    assert printed(records.tree()) == "\n".join(line.rstrip() for line in coloured.splitlines()) + "\n"


def test_shown_names() -> None:
    """`--show` adds the tensors of a name, and says when there is none."""
    text = printed(records.rnn(), show=("sequence[[]1]", "nope"))
    assert re.search(
        r"Shown\n.*\n─+\nsequence\[1\]  \[3\]    float32  \[0.5, -1, 1\]\nnope +None  no recorded tensor has this name",
        text,
    )


@pytest.mark.parametrize(("count", "because"), [(10, "total_of_the_inputs.sum().item() = 6.0 > 0"), (11, "6.0 > 0")])
def test_values_stand_without_their_names_beyond_ten_tests(tmp_path: Path, count: int, because: str) -> None:
    """Long texts are shortened only where there are many."""
    tests = "".join(f"    if total_of_the_inputs.sum().item() > {k}: x = x * 2\n" for k in range(count))
    source = f"def forward(x):\n    total_of_the_inputs = x\n{tests}    return x\n"
    table = printed(recorded(tmp_path, source, "[1.0, 2.0, 3.0]"), 200).split("Decisions")[1]
    first = next(line for line in table.splitlines() if line.lstrip().startswith("0 "))
    assert because == re.split(r"  +", first.strip())[3]


def test_ways_of_a_test_that_have_no_room_are_counted(tmp_path: Path) -> None:
    """Give each of eight tests two lines at most; what has room stands as it is."""
    tests = "".join(f"        if x[i] > {k}:\n            x = x * 1\n" for k in range(8))
    values = "[5.5, 9.5, 0.1, 7.0, 1.5]"
    record = recorded(tmp_path, f"def forward(x):\n    for i in range(5):\n{tests}    return x\n", values)
    narrow, wide = (printed(record, width) for width in (60, 140))
    assert re.search(r"5…37 +11 +if x\[i\] > 4 .* True x2, False, True, False", wide)
    assert re.search(r"5…37 +11 +if x\[i\] .* T 3, F 2 +1.5", narrow)


def test_many_changes_are_cut_to_those_that_differ_most() -> None:
    """Rows that only one run has come first of all; rows stay in their order."""

    def row(value: float) -> TensorRow:
        return TensorRow("w", TensorSummary(0, (), "float32", "output", values=(value,)))

    changes = [Change(f"w{size}", row(0.0), row(size)) for size in range(14)]
    table = ChangeTable("Gradients", [*changes, Change("alone", row(0.0), None)], "forced")
    assert [*(f"w{size}" for size in range(3, 14)), "alone"] == [change.name for change in table.changes]
    assert ["w0", "w1", "w2"] == [change.name for change in table.left]
