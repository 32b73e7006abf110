"""Which decisions a report shows first, and what it folds into a line."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Group

from dyncli.analysis.decisions import Relevant, Selection, controlled_ops, decision_rows, outermost, relevant
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from dyncli.render.reports.tables import DecisionTable, plain_text
from tests.runs import recorded

SCRIPT = """\
import random
import dyncore as torch


def words():
    found = {}
    for word in "the cat sat on the mat".split():
        if word not in found:
            found[word] = len(found)
        if len(word) > 2:
            found[word] += 0
        elif word == "on":
            found[word] += 1
    return found


def step(x):
    if random.random() < 2:
        x = x * 2
    if x.dim() == 1:
        x = x + 1
    while x.norm() > 4:
        x = x / 2
    if x.sum().item() > 1:
        x = x * 3 + 1
    return x


def main():
    known = words()
    x = torch.ones(3)
    best = None
    for k in range(4):
        x = step(x)
        if k % 2:
            best = k
        if best is None and k > 9:
            break
    if len(known) > 3 and best:
        x = x + 1
    for _ in range(2):
        for _ in range(2):
            x = x * 1
    for _ in range(2):
        for _ in range(3):
            x = x * 1
    for _ in range(1):
        pass
    for _ in range(1):
        pass


if __name__ == "__main__":
    main()
"""


SOLVER = """\
import dyncore as torch

x = torch.tensor([8.0, 6.0])
for step in range(80):
    assert (x == x).all()
    if x.norm() > 1000:
        break
    if x[0] > 4:
        x = x * 0.9
    else:
        x = x * 1.2
    for _ in range(int(x[0])):
        pass
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """The run of a script with decisions of every kind."""
    script = tmp_path_factory.mktemp("scripts") / "script.py"
    script.write_text(SCRIPT)
    return next(iter(record_model(Request(str(script), ()))))


def texts(found: Relevant) -> list[str]:
    """The text of each row's test."""
    return [row.first.site.text for row in found.rows]


def test_decisions_on_tensors_come_first_then_shapes_then_chance(record: Record) -> None:
    """One row for each test, over all calls; those on Python values are a line."""
    found = relevant(record, Selection())
    assert ["x.norm() > 4", "x.sum().item() > 1", "x.dim() == 1", "random.random() < 2"] == texts(found)
    assert "32 on Python values in 2 functions (main 18, words 14): `--on python`" == found.hidden
    assert "__main__" not in " ".join(texts(relevant(record, Selection())))


@pytest.mark.parametrize(
    ("most", "cut"), [(5, ""), (4, ""), (3, "1 more test: `--full` · "), (2, "2 more tests: `--full` · ")]
)
def test_tests_that_are_cut_off_are_counted(record: Record, most: int, cut: str) -> None:
    """Nothing is said of none."""
    found = relevant(record, Selection(), room=most)
    assert (min(most, 4), True) == (len(found.rows), found.hidden.startswith(f"{cut}32 on Python values"))


def test_test_that_went_two_ways_stands_before_tests_that_went_one(tmp_path: Path) -> None:
    """Assertions that held and limits that were never reached do not fill the table of a solver that rejects steps."""
    record = recorded(tmp_path, SOLVER)
    expected = ["x[0] > 4", "for _ in range(int(x[0]))", "(x == x).all()", "x.norm() > 1000"]
    assert expected == texts(relevant(record, Selection()))[:4]


def test_inferred_chance_in_a_function_without_ops_is_folded_with_python_values(record: Record) -> None:
    """The words of made-up data do not stand before the tests that chose what was computed."""
    chance = tuple(
        decision._replace(origin="rng~") if decision.site.function in ("words", "main") else decision
        for decision in record.decisions
    )
    found = relevant(record._replace(decisions=chance), Selection())
    assert "len(word) > 2" not in texts(found)
    assert "k % 2" in texts(found)
    assert "14 on Python values in 1 function (words 14): `--on python,rng`" == found.hidden.split(" · ")[-1]


def test_row_counts_the_ops_that_its_decisions_control(record: Record) -> None:
    """Each `x * 3 + 1` is two ops."""
    found = relevant(record, Selection())
    row = next(row for row in found.rows if row.first.site.text == "x.sum().item() > 1")
    taken = sum(decision.arm == "then" for decision in row.decisions)
    ops = controlled_ops(record)
    assert 2 * taken == sum(ops[decision.seq] for decision in row.decisions) > 0


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(("rng",)), ["random.random() < 2"]),
        (Selection(("scalar", "shape")), ["x.sum().item() > 1", "x.dim() == 1"]),
        (Selection(functions=("step",), on=("tensor",)), ["x.norm() > 4"]),
        (Selection(line=10), ["len(word) > 2"]),
    ],
)
def test_selection_shows_only_what_was_asked_for(record: Record, selection: Selection, expected: list[str]) -> None:
    """By what decided, by function, by line."""
    assert expected == texts(relevant(record, selection))


def test_long_run_that_decides_on_python_values_alone_is_shown_as_it_is(tmp_path: Path) -> None:
    """Nothing else stands before them."""
    script = tmp_path / "script.py"
    script.write_text(
        "import dyncore as torch\nx = torch.ones(2)\nfor step in range(300):\n    if step % 2:\n        x = x * 1\n"
    )
    found = relevant(next(iter(record_model(Request(str(script), ())))), Selection())
    assert (["for step in range(300)", "step % 2"], "", False) == (texts(found), found.hidden, found.by_site)


def test_few_rows_of_a_long_run_are_ordered_by_relevance(tmp_path: Path) -> None:
    """The rows of its loops overlap, so that the order of the run says nothing."""
    script = tmp_path / "script.py"
    script.write_text(
        "import dyncore as torch\nx = torch.ones(2)\nfor k in range(150):\n    if k % 10 == 0:\n        print(k)\n"
        "    if x.sum() > k:\n        x = x + 1\n"
    )
    found = relevant(next(iter(record_model(Request(str(script), quiet_stdout=True)))), Selection())
    assert "x.sum() > k" == texts(found)[0]
    assert found.by_site
    assert "on Python values" in found.hidden


def test_short_table_is_shown_in_the_order_of_the_run(tmp_path: Path) -> None:
    """With its decisions on Python values, but for the guard of `__main__`."""
    script = tmp_path / "script.py"
    script.write_text(
        "import dyncore as torch\nif __name__ == '__main__':\n    x = torch.ones(2)\n    for k in range(2):\n"
        "        if x.sum() > 3:\n            x = x * 2\n"
    )
    found = relevant(next(iter(record_model(Request(str(script), ())))), Selection())
    assert (["for k in range(2)", "x.sum() > 3"], "", False) == (texts(found), found.hidden, found.by_site)


TREE = """\
import dyncore as torch


def encode(tree, weight):
    if isinstance(tree, str):
        if len(tree) > 9:
            return weight
        return weight * len(tree)
    return sum((encode(child, weight) for child in tree), torch.zeros(1))


def words():
    for word in "the cat sat on the mat".split():
        if len(word) > 2:
            for letter in word:
                if letter == "t":
                    continue


weight = torch.ones(1, requires_grad=True)
for k in range(2):
    words()
for tree in ("a", ("a", ("b", "c")), ("a", "b", ("c", "d"))):
    if isinstance(tree, str):
        continue
    for _ in range(3):
        if weight.sum() > 1:
            break
    for _ in range(2):
        loss = encode(tree, weight)
        if loss.item() > 2:
            loss.backward()
    for _ in range(1):
        pass
    for _ in range(1):
        pass
    if tree:
        pass
    while False:
        pass
    if not tree:
        pass
    assert tree
    for _ in range(1):
        pass
"""


def test_tests_of_python_values_that_shape_the_graph_are_shown(tmp_path: Path) -> None:
    """Among those on Python values the ones that went both ways with ops of the graph under them, after all others."""
    script = tmp_path / "script.py"
    script.write_text(TREE)
    found = relevant(next(iter(record_model(Request(str(script), ())))), Selection())
    assert ["weight.sum() > 1", "loss.item() > 2", "isinstance(tree, str)"] == texts(found)
    assert found.rows[-1].first.site.line == 5
    assert "more on Python values in" in found.hidden


def test_loop_over_python_values_that_went_unequally_often_shapes_the_graph(tmp_path: Path) -> None:
    """A loop has one arm, and yet each of its trip counts makes another graph."""
    script = tmp_path / "script.py"
    script.write_text(
        "import dyncore as torch\nw = torch.ones(1, requires_grad=True)\n"
        "for n in (1, 2, 1, 2):\n    for _ in range(n): w * 2\n    for _ in range(2): w * 3\n"
        + "    if w.sum() > 1: pass\n    if n: pass\n"
        * 9
    )
    found = relevant(next(iter(record_model(Request(str(script), ())))), Selection())
    assert ["for _ in range(n)"] == [text for text in texts(found) if text.startswith("for")]


RECURSION = """\
import dyncore as torch


def grown(tree, h):
    if tree:
        for child in tree:
            h = grown(child, h) * 2
    return h


grown([[[], []], [[]]], torch.ones(1))
"""


def test_ops_under_a_recursive_test_count_once(tmp_path: Path) -> None:
    """Also where a loop stands between two of its decisions."""
    script = tmp_path / "script.py"
    script.write_text(RECURSION)
    record = next(iter(record_model(Request(str(script), ()))))
    tests = [decision for decision in record.decisions if decision.site.kind == "if"]
    assert tests[:1] == outermost(record, tests)
    assert len(record.ops) - 1 == controlled_ops(record)[tests[0].seq]


def test_margin_of_a_row_is_that_of_its_tests_on_tensors(tmp_path: Path) -> None:
    """`i < 1 and x[i] > 0` ends on `i < 1`, by a margin of 0 that no tensor has."""
    script = tmp_path / "net.py"
    script.write_text(
        "def forward(x):\n    for i in range(2):\n        if i < 1 and x[i] > 0:\n            pass\n    return x\n"
    )
    (record,) = record_model(Request(str(script), inputs=("[3.0, 1.0]",)))
    assert [row.margin for row in decision_rows(record) if row.origin == "tensor"] == [1.0]


TRAINING = """\
import dyncore as torch
def main():
    x, best, bad, calls = torch.ones(3), 9.0, 0, 0
    for name in "abcdefgh":
        if name == "c":
            break
    for epoch in range(300):
        x = x / 2
        for part in "abcdefgh":
            calls += 1
            if calls == 12:
                break
        if x.sum().item() < best - 0.5:
            best, bad = x.sum().item(), 0
        else:
            bad += 1
        if epoch > 250 or bad == 25:
            break
        if bad < 0 and x.norm() > 1:
            x = x + 1
{others}
main()
"""


def test_test_that_left_a_working_loop_is_shown_with_what_moved_its_counter(tmp_path: Path) -> None:
    """One of the loops that were left ran ops itself: the row of its last test stands behind those on tensors."""
    script = tmp_path / "script.py"
    others = "\n".join(f"    for _ in range({count}): pass" for count in range(12))
    script.write_text(TRAINING.replace("{others}", others))
    (found,) = record_model(Request(str(script), ()))
    rows = relevant(found, Selection()).rows
    assert ["x.sum().item() < best - 0.5", "epoch > 250 or bad == 25"] == [row.first.site.text for row in rows]
    assert [set(), {rows[0].first.site.id}] == [row.moved_by for row in rows]
    page = plain_text(Group(*DecisionTable(found, full=False).blocks(100)), 100)
    assert "left the loop, set under line 13~" in " ".join(page.split())


def test_test_that_data_moved_stands_before_others_that_left_loops(tmp_path: Path) -> None:
    """Though the other loop was left first."""
    script = tmp_path / "script.py"
    others = "\n".join(f"    for _ in range({count}): pass" for count in range(12))
    first = 'if name == "c":'
    script.write_text(TRAINING.replace("{others}", others).replace(first, f"x = x * 1\n        {first}"))
    rows = relevant(next(iter(record_model(Request(str(script), ())))), Selection()).rows
    assert ["epoch > 250 or bad == 25", "name == 'c'"] == [row.first.site.text.replace('"', "'") for row in rows[1:]]


STACK = """
import torch
x = torch.linspace(-1.0, 1.0, 60)
stack, best = [], 0.0
for i in range(60):
    if x[i].item() > 0:
        stack.append(x[i].item())
    for v in stack[:2]:
        pass
    if stack:
        stack = stack[-3:]
    if len(stack) > 1:
        best = best + x[i]
    if x[i] > 0.5:
        best = best * 2
"""


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (2, ["x[i].item() > 0", "x[i] > 0.5"]),
        (3, ["x[i].item() > 0", "len(stack) > 1", "x[i] > 0.5"]),
        (4, ["x[i].item() > 0", "stack", "len(stack) > 1", "x[i] > 0.5"]),
    ],
)
def test_of_too_many_tests_those_on_data_itself_are_kept(tmp_path: Path, most: int, expected: list[str]) -> None:
    """Cut loops over an inferred list first, then tests of it, then those that ops ran under."""
    assert expected == texts(relevant(recorded(tmp_path, STACK), Selection(), room=most))
