"""What holds for any two runs: a model whose every step is chosen by its input, which notes its own way.

The model asks a list of numbers what to do next: branch, loop, recurse, yield, leave, raise.
Each test and each step of a loop is noted as it happens by `oracle`, which dyncli does not look into.
Where the notes of two runs part is where the runs part.
"""

import math
import sys
from collections.abc import Iterator
from itertools import chain, repeat
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from dyncli.analysis.diff import Diff, Tolerance, diff
from dyncli.analysis.diff.align import aligned
from dyncli.analysis.diff.sites import Keys
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record

MODEL = """\
from oracle import at, start, steps, take


class Left(Exception):
    pass


def produce(count):
    for item in steps(range(count)):
        if at(take() == 1):
            return
        yield item


def play(x, depth):
    what = take()
    if at(what == 1):
        for _ in steps(range(take())):
            x = play(x, depth + 1)
            if at(take() == 2):
                break
            x = x + 1
    elif at(what == 2):
        left = take()
        while at(left > 0):
            x = play(x * 2, depth + 1)
            left -= 1
    elif at(what == 3):
        y = play(x, depth + 1) if at(take() > 2) else x - 1
        return y + play(x, depth + 1)
    elif at(what == 4):
        for item in steps(produce(take())):
            if at(item > 0 and take() == 3):
                x = x * 3
                continue
            x = play(x, depth + 1)
    elif at(what == 5):
        kept = [x + item for item in steps(range(take())) if at(take() > 1)]
        x = x.abs()
        for each in steps(kept):
            x = x + each
    elif at(what == 6):
        try:
            x = play(x, depth + 1)
            if at(take() == 4):
                raise Left
        except Left:
            x = -x
    if at(depth > 2):
        return x * 0.5
    return x


def forward(x, choices: list):
    start(choices)
    return play(x, 0).sum()
"""
MOST = 400  # numbers; whoever asks for more is told 0, which ends everything


class Oracle(ModuleType):
    """What the model asks; `notes` are (line, what happened) in order."""

    def __init__(self) -> None:
        super().__init__("oracle")
        self.notes: list[tuple[int, object]] = []
        self.waiting: Iterator[int] = repeat(0)

    def start(self, choices: list[int]) -> None:
        """Begins a run."""
        self.waiting = chain(choices, repeat(0))

    def take(self) -> int:
        """The next number."""
        return next(self.waiting)

    def at(self, outcome: bool) -> bool:
        """Notes a test."""
        self.notes.append((sys._getframe(1).f_lineno, outcome))
        return outcome

    def steps(self, items: Any) -> Iterator[Any]:
        """Notes each step of a loop, and its end if it runs out."""
        return self._steps(items, sys._getframe(1).f_lineno)

    def _steps(self, items: Any, line: int) -> Iterator[Any]:
        for item in items:
            self.notes.append((line, "step"))
            yield item
        self.notes.append((line, "end"))


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Runs the model: its record, and what it noted."""
    path = tmp_path_factory.mktemp("model") / "net.py"
    path.write_text(MODEL)
    oracle = sys.modules["oracle"] = Oracle()

    def played(x: float, choices: list[int], text: str | None = None) -> tuple[Record, list[tuple[int, object]]]:
        target = path
        if text is not None:
            target = path.with_name("other.py")
            target.write_text(text)
        oracle.notes = []
        inputs = (f"x=[{x}, 1.5]", f"choices={choices}")
        return next(record_model(Request(str(target), inputs))), oracle.notes

    yield played
    del sys.modules["oracle"]


numbers = st.lists(st.integers(0, 6), max_size=30)
values = st.sampled_from([1.0, 1.0, 1.0, 2.0])


@st.composite
def two_lists(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Two lists that begin alike."""
    common = draw(numbers)
    return common + draw(numbers), common + draw(numbers)


several = settings(max_examples=12, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.whole
@several
@given(two_lists(), values, values)
@example(([4, 3, 0, 0, 0], [4, 2, 0, 0, 0]), 1.0, 1.0)
@example(([1, 2, 0, 0, 0, 0], [1, 3, 0, 0, 0, 2]), 1.0, 1.0)
def test_the_first_parting_is_the_first(play, lists: tuple[list[int], list[int]], x: float, other: float):
    """Where the notes of two runs part, and nowhere else."""
    (a, notes_a), (b, notes_b) = play(x, lists[0]), play(other, lists[1])
    found = diff(a, b).parting
    place = next((n for n, (p, q) in enumerate(zip(notes_a, notes_b)) if p != q), None)
    if place is None:
        assert len(notes_a) == len(notes_b) and found is None
        return
    assert found is not None and "arm" == found.kind
    assert found.a is not None and found.b is not None
    lines = a.decisions[found.a].site.line, b.decisions[found.b].site.line
    assert (notes_a[place][0], notes_b[place][0]) == lines
    for number, record, notes in ((found.a, a, notes_a), (found.b, b, notes_b)):
        decision = record.decisions[number]
        before = sum(notes[place][0] == line and isinstance(what, bool) for line, what in notes[:place])
        if decision.trips is None:
            assert before == sum(each.site == decision.site for each in record.decisions[:number])
            assert (decision.outcome is True) == notes[place][1]


@pytest.mark.whole
@several
@given(two_lists(), values, values)
def test_what_is_listed_differs_and_what_is_not_is_equal(
    play, lists: tuple[list[int], list[int]], x: float, other: float
):
    """Every op and decision is in one pair, whose place is the same in both runs; the lists hold those that differ."""
    (a, _), (b, _) = play(x, lists[0]), play(other, lists[1])
    found = diff(a, b)
    decisions, ops = aligned(a, b, Keys(a, b))
    for pairs, of_a, of_b in ((decisions, a.decisions, b.decisions), (ops, a.ops, b.ops)):
        assert list(range(len(of_a))) == sorted(pair.a for pair in pairs if pair.a is not None)
        assert list(range(len(of_b))) == sorted(pair.b for pair in pairs if pair.b is not None)
        for pair in pairs:
            if pair.a is not None and pair.b is not None:
                assert place_of(a, of_a[pair.a]) == place_of(b, of_b[pair.b])
    listed = set(found.ops)
    for pair in ops:
        alike = pair.a is not None and pair.b is not None and results(a, pair.a) == results(b, pair.b)
        assert alike == (pair not in listed)
    ways = set(found.decisions)
    for pair in decisions:
        alike = pair.a is not None and pair.b is not None and way(a, pair.a) == way(b, pair.b)
        assert alike == (pair not in ways)
    assert (found.parting is None) == (not ways)


@pytest.mark.whole
@several
@given(two_lists(), values, values)
def test_diff_with_runs_exchanged_is_mirrored(play, lists: tuple[list[int], list[int]], x: float, other: float):
    """`diff(b, a)` says of B what `diff(a, b)` says of A; a run does not differ from itself."""
    a, b = play(x, lists[0])[0], play(other, lists[1])[0]
    there, back = diff(a, b), diff(b, a)
    assert turned(there) == told(back)
    assert diff(a, a).is_equal and diff(b, b).is_equal
    same = play(x, lists[0])[0]
    assert diff(a, same).is_equal


@pytest.mark.whole
@several
@given(numbers, st.lists(st.integers(0, 60), max_size=8), values)
def test_an_edit_that_changes_nothing(play, choices: list[int], places: list[int], x: float):
    """Comments and blank lines anywhere, and a function more: the sites of both versions belong together."""
    lines = MODEL.splitlines()
    for number, place in enumerate(places):
        at = place % len(lines)
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines.insert(at, f"{indent}# {number}" if number % 2 else "")
    text = "def unused():\n    return 1\n\n\n" + "\n".join(lines) + "\n"
    found = diff(play(x, choices)[0], play(x, choices, text)[0])
    assert found.is_equal and found.parting is None


@given(st.floats(), st.floats(), st.floats(0, 1e3), st.floats(0, 1e3))
def test_tolerance(x: float, y: float, rtol: float, atol: float):
    """It is symmetric, every number agrees with itself, NaN too; exact means equal."""
    near = Tolerance(rtol, atol)
    assert near.numbers(x, y) == near.numbers(y, x)
    assert near.numbers(x, x) and near.numbers(-x, -x)
    assert Tolerance().numbers(x, y) == (x == y or (math.isnan(x) and math.isnan(y)))
    assert not Tolerance().numbers(x, y) or near.numbers(x, y)


def place_of(record: Record, item: Any) -> tuple[object, ...]:
    """Where something ran: its site, the frames and steps around it."""
    around = []
    scope: int | None = item.scope
    while scope is not None:
        here = record.scopes[scope]
        if here.kind != "arm":
            around.append((here.kind, here.name, here.index))
        scope = here.parent
    return (item.site.line, item.site.col, getattr(item, "iteration", None), *around)


def results(record: Record, op: int) -> list[object]:
    """What an op gave."""
    return [
        (record.tensors[n].shape, record.tensors[n].dtype, repr(record.tensors[n].values))
        for n in record.ops[op].outputs
    ]


def way(record: Record, number: int) -> tuple[object, ...]:
    """How a decision went."""
    decision = record.decisions[number]
    return decision.arm, decision.trips, decision.exit


def told(found: Diff) -> tuple[object, ...]:
    """A comparison without the order in which what only one run has stands between what both have."""
    parting = found.parting and (found.parting.kind, found.parting.a, found.parting.b)
    names = [[(c.name, c.before, c.after) for c in part] for part in (found.outputs, found.gradients, found.inputs)]
    counts = {name: (c.same, c.differ, c.only_a, c.only_b) for name, c in found.counts.items()}
    return parting, set(found.decisions), set(found.ops), sorted(map(repr, names)), counts, found.is_equal


def turned(found: Diff) -> tuple[object, ...]:
    """The same with the runs exchanged."""
    parting = found.parting and (found.parting.kind, found.parting.b, found.parting.a)
    pairs = [{pair._replace(a=pair.b, b=pair.a) for pair in part} for part in (found.decisions, found.ops)]
    names = [[(c.name, c.after, c.before) for c in part] for part in (found.outputs, found.gradients, found.inputs)]
    counts = {name: (c.same, c.differ, c.only_b, c.only_a) for name, c in found.counts.items()}
    return parting, *pairs, sorted(map(repr, names)), counts, found.is_equal
