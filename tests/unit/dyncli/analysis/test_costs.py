"""What ops cost: every op in one group, sums that are sums, and the order asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from dyncli.analysis.costs import GROUPINGS, ORDERS, Cost, costs, in_order, ordered, total
from dyncli.records.model import Decision, Op, Record, Scope, Site, Source
from tests import records
from tests.runs import recorded

SITE = Site("0" * 12, "m.py", 1, 0, 1, 1, "op", "x", "f")
LOOP = Site("1" * 12, "m.py", 1, 0, 1, 1, "for", "i in n", "f", ("loop",))
TEST = Site("2" * 12, "m.py", 2, 0, 2, 1, "if", "x > 0", "f", ("then", "else"))
SCOPES = (
    Scope(0, None, "root", "f"),
    Scope(1, 0, "module", "net"),
    Scope(2, 1, "iteration", "for", LOOP, 0, 0),
    Scope(3, 1, "iteration", "for", LOOP, 1, 0),
    Scope(4, 3, "module", "net.layer"),
    Scope(5, 4, "arm", "then", TEST, None, 1),
)
DECISIONS = (Decision(0, LOOP, "loop", 2, trips=2), Decision(1, TEST, "then", True), Decision(2, TEST, "else", False))


@st.composite
def runs(draw: st.DrawFn) -> Record:
    """Records of ops anywhere among the scopes, decisions and lines above."""
    rows = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["add", "mul", "tanh"]),
                st.integers(1, 4),
                st.integers(0, 5),
                st.none() | st.integers(0, 2),
                st.integers(0, 10**6),
                st.none() | st.integers(0, 10**6),
                st.integers(0, 10**9),
            ),
            max_size=30,
        )
    )
    ops = tuple(
        Op(seq, name, (), (), SITE._replace(line=line), scope=scope, under=under, elapsed_ns=time, backward_ns=back,
           saved_bytes=held)
        for seq, (name, line, scope, under, time, back, held) in enumerate(rows)
    )  # fmt: skip
    return Record("m.py", "f", sources=(Source("m.py", "", "a\nb\nc\n"),), scopes=SCOPES, decisions=DECISIONS, ops=ops)


@pytest.mark.whole
@given(runs(), st.sampled_from(GROUPINGS), st.sampled_from(ORDERS))
def test_groups_add_up_to_the_whole(record: Record, by: str, sort: str) -> None:
    """Whatever the grouping, its rows count every op once and sum to the total."""
    rows = costs(record, by, sort)
    whole = total(record)
    for name in ("ops", "nodes", "forward_ns", "backward_ns", "saved_bytes", "time_ns"):
        assert getattr(whole, name) == sum(getattr(row, name) for row in rows)
    assert whole.ops == len(record.ops)
    assert whole.forward_ns == sum(op.elapsed_ns for op in record.ops)
    assert sorted({row.first for row in rows}) == sorted(row.first for row in rows)


@pytest.mark.whole
@given(runs(), st.sampled_from(GROUPINGS))
def test_the_order_asked_for(record: Record, by: str) -> None:
    """The slowest, the largest, the most first, and what is alike in the order of the run."""
    times = [row.time_ns for row in costs(record, by, "time")]
    assert sorted(times, reverse=True) == times
    held = [row.saved_bytes for row in costs(record, by, "bytes")]
    assert sorted(held, reverse=True) == held
    counts = [(-row.ops, row.first) for row in costs(record, by, "count")]
    assert sorted(counts) == counts
    firsts = [row.first for row in costs(record, by, "order")]
    assert sorted(firsts) == firsts
    assert sorted(op.seq for op in record.ops) == sorted(op.seq for op in in_order(record, "bytes"))


def test_what_groups_are_called() -> None:
    """A line by its source, a module by its name, a decision by test and arm, a step by its loop."""
    ops = tuple(
        Op(seq, name, (), (), SITE._replace(line=line), scope=scope, under=under, elapsed_ns=1)
        for seq, (name, line, scope, under) in enumerate(
            [("add", 1, 0, None), ("mul", 2, 2, 0), ("mul", 2, 3, 0), ("tanh", 3, 5, 1)]
        )
    )
    record = Record("m.py", "f", sources=(Source("m.py", "", "first\nsecond\n"),), scopes=SCOPES, decisions=DECISIONS,
                    ops=ops)  # fmt: skip

    def labels(by: str) -> list[str]:
        return [row.label for row in costs(record, by, "order")]

    assert ["first", "second", "x"] == labels("line")
    assert ["add", "mul", "tanh"] == labels("op")
    assert ["outside any module", "net", "net.layer"] == labels("module")
    assert ["whatever was decided", "for i in n → loop", "if x > 0 → then"] == labels("decision")
    assert ["outside any loop", "line 1 step 0", "line 1 step 1"] == labels("iteration")


def test_modules_are_listed_with_enclosing_module() -> None:
    """A layer is named by its path below the outermost module; its ops are not its parents' as well."""
    scopes = (
        Scope(0, None, "root", "f"), Scope(1, 0, "module", "net"), Scope(2, 1, "module", "encoder"),
        Scope(3, 2, "module", "encoder.0"), Scope(4, 0, "module", "net.head"),
    )  # fmt: skip
    ops = tuple(Op(seq, "add", (), (), SITE, scope=seq, elapsed_ns=1) for seq in range(5))
    rows = costs(Record("m.py", "f", scopes=scopes, ops=ops), "module", "order")
    assert ["outside any module", "net", "net.encoder", "net.encoder.0", "net.head"] == [row.label for row in rows]
    assert [1] * 5 == [row.ops for row in rows]


def test_layer_is_not_taken_for_part_of_a_module_whose_name_it_begins_with() -> None:
    """`network` inside `net` is no path below it."""
    scopes = Scope(0, None, "root", "f"), Scope(1, 0, "module", "net"), Scope(2, 1, "module", "network")
    ops = (Op(0, "add", (), (), SITE, scope=2, elapsed_ns=1),)
    assert ["net.network"] == [row.label for row in costs(Record("m.py", "f", scopes=scopes, ops=ops), "module")]


def test_layer_that_a_method_of_its_model_calls_is_one_module() -> None:
    """`self.encoder(x)` in `translate` is the encoder that `forward` calls; what no other module calls is its own."""
    scopes = (
        Scope(0, None, "root", "f"), Scope(1, 0, "module", "net"), Scope(2, 1, "module", "encoder"),
        Scope(3, 0, "module", "encoder"), Scope(4, 3, "module", "encoder.0"), Scope(5, 0, "module", "loss"),
    )  # fmt: skip
    ops = tuple(Op(seq, "add", (), (), SITE, scope=seq, elapsed_ns=1) for seq in range(6))
    rows = costs(Record("m.py", "f", scopes=scopes, ops=ops), "module", "order")
    expected = [("outside any module", 1), ("net", 1), ("net.encoder", 2), ("net.encoder.0", 1), ("loss", 1)]
    assert expected == [(row.label, row.ops) for row in rows]


def test_nested_loops_count_both() -> None:
    """A step of an inner loop is told with the step of the outer one."""
    inner = LOOP._replace(line=7)
    scopes = (SCOPES[0], Scope(1, 0, "iteration", "for", LOOP, 3), Scope(2, 1, "iteration", "for", inner, 0))
    record = Record("m.py", "f", scopes=scopes, ops=(Op(0, "add", (), (), SITE, scope=2),))
    assert ["line 1 step 3 › line 7 step 0"] == [row.label for row in costs(record, "iteration")]


@pytest.mark.parametrize("by", GROUPINGS)
@pytest.mark.parametrize("make", records.ALL, ids=lambda make: make.__name__)
def test_every_record_can_be_grouped(make, by: str) -> None:
    """Hostile, empty and failed runs too."""
    record = make()
    assert len(record.ops) == sum(row.ops for row in costs(record, by))


def test_ordering_is_stable() -> None:
    """Rows that cost the same stay in the order their first ops ran."""
    rows = [Cost("b", 2), Cost("a", 1), Cost("c", 3)]
    assert ["a", "b", "c"] == [row.label for row in ordered(rows, "time")]


def test_backward_of_a_function_is_a_row_without_the_ops_that_ran_in_it(tmp_path: Path) -> None:
    """Its time is not that of the op which made its result, and its ops count once."""
    record = recorded(tmp_path, OF_A_FUNCTION)
    rows = {row.label: row for row in costs(record, "line")}
    assert 0 == rows["return x * 2"].nodes
    own = rows["Slow.backward without its ops"]
    assert (0, 1) == (own.ops, own.nodes)
    inside = [op.elapsed_ns for op in record.ops if op.phase == "backward"]
    (one,) = record.backwards
    assert 101 == len(inside)
    assert 0 <= own.backward_ns < one.elapsed_ns - sum(inside)


OF_A_FUNCTION = """\
import dyncore as torch


class Slow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        for _ in range(100):
            grad = grad * 1
        return grad * 2


Slow.apply(torch.ones(2, requires_grad=True)).sum().backward()
"""
