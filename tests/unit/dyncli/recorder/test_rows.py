"""A tape's rows tell of an op what was heard of it, whichever way they came and however many they are."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.events.rows import ENOUGH, Arrays, RecordedOp
from dyncore.binding.lazy import load_all
from dyncore.dispatch.entries import entry
from dyncore.dispatch.registry import TABLE
from dyncore.dispatch.specialize.cache import WARM
from dyncore.graph import events
from tests.unit.dyncli.recorder.logs import reported_log, whole_log


def mixed(turns: int) -> None:
    """Ops of all kinds: of numbers and tensors, small and large, in place, of several results, without a graph."""
    x = torch.ones(3, requires_grad=True)
    w = torch.ones(3, 3, requires_grad=True)
    wide = torch.ones(40, requires_grad=True)
    exact = torch.ones(20, dtype=torch.float64)
    y = x
    for _ in range(turns):
        y = y * 0.5 + x
        y = 2 * y + True
        y = torch.tanh(w @ y)
        first, second = y.split([1, 2])
        y = torch.cat([second, first], 0)
        wide = wide * 1.5 / 2.0
        exact = exact + exact
        with torch.no_grad():
            kept = y + 1.0
            kept.mul_(2)
        total, _ = torch.max(y, 0)
    (y.sum() + wide.sum() + total).backward()


def heard(tape: EventLog, run: Callable[[int], None], turns: int) -> tuple[list[RecordedOp], list[Any]]:
    """What the tape says of the ops and of the backward nodes, with tensors and nodes numbered as they come."""
    with events.listen(tape):
        run(turns)
    numbers: dict[int, int] = {}
    ranks: dict[int, int] = {0: 0}

    def place(number: int) -> int:
        return numbers.setdefault(number, len(numbers))

    ops = []
    for noted in tape.ops:
        assert noted.started <= noted.ended
        inputs = [place(number) for number in noted.inputs]
        outputs = tuple((place(number), known(what)) for number, what in noted.outputs)
        rank = ranks.setdefault(noted.rank, len(ranks))
        ops.append(noted._replace(inputs=inputs, outputs=outputs, rank=rank, started=0, ended=0))
    (one,) = tape.backward.passes
    times = [time for _, _, *times in one.nodes for time in times]
    assert times == sorted(times)
    return ops, [(ranks.setdefault(rank, len(ranks)), known(got)) for rank, got, _, _ in one.nodes]


def known(what: Any) -> Any:
    """What is noted of an array, so that it can be compared."""
    if isinstance(what, np.ndarray | np.generic):
        return what.dtype.name, np.asarray(what).tolist()
    return None if what is None else (tuple(what[0]), what[1].name)


def test_rows_say_what_calls_say() -> None:
    """Also of the line: quick ops take it from their node."""
    ops, nodes = heard(whole_log([]), mixed, 3)
    assert (ops, nodes) == heard(reported_log(), mixed, 3)
    assert {op.rank != 0 for op in ops} == {True, False}
    assert {known[0] for _, known in nodes if known} == {"float32"}


@pytest.mark.parametrize("ops", ["x.detach() + kept", "x + kept", "x.detach().mul(kept)", "torch.cat([x, kept])"])
def test_an_operand_that_an_earlier_tape_has_numbered(ops: str) -> None:
    """Such as a constant of a script that runs once more: it is a source of the new run, as in its first."""
    x, kept = torch.ones(3, requires_grad=True), torch.ones(3)
    told = []
    for _ in range(2):
        tape = whole_log([])
        with events.listen(tape):
            eval(ops, {"torch": torch, "x": x, "kept": kept})
        ops_of_run = [*tape.ops]
        told.append([noted.op.name for noted in ops_of_run])
        assert tape.tensors.sources[ops_of_run[-1].inputs[1]] is kept
    assert told[0] == told[1]


def test_default_arguments_are_not_recorded_by_any_entry() -> None:
    """The general entry of the first calls leaves them out, and so does the one compiled for an op's signature."""
    x = torch.ones(2, 3, requires_grad=True)
    calls = (
        lambda: x.sum(1), lambda: x.sum(1, False), lambda: x.sum(1, True), lambda: torch.softmax(x, 1),
        lambda: x.sum(1, dtype=torch.float64), lambda: x.transpose(0, 1), lambda: x.amax(0), lambda: x[1],
    )  # fmt: skip
    told = []
    for _ in range(2):
        tape = whole_log([])
        with events.listen(tape):
            for call in calls:
                call()
        told.append([(noted.op.name, noted.rest, noted.kwargs) for noted in tape.ops])
        for call in calls * WARM:
            call()
    assert told[0] == told[1]
    assert told[0][:3] == [("sum", (1,), {}), ("sum", (1,), {}), ("sum", (1, True), {})]


def test_vector_written_later_keeps_recorded_values() -> None:
    """Whether it has a node, was made by a call, or is handed back."""
    x = torch.ones(3, requires_grad=True)
    tape = whole_log([])
    with events.listen(tape):
        y = x * 2.0
        bare = x.detach() + 1.0
        (first, _) = (x + 0.0).split([1, 2])
        for each in (y, bare, first):
            each.detach().zero_()
        z = x + y
        z.register_hook(lambda grad: grad.mul_(3.0))
        z.sum().backward()
    told = {noted.op.name: [known(what) for _, what in noted.outputs] for noted in [*tape.ops][:5]}
    assert told["mul"] == [("float32", [2.0, 2.0, 2.0])] and told["split"][0] == ("float32", [1.0])
    assert [known(got) for _, got, _, _ in tape.backward.passes[0].nodes][-1] == ("float32", [3.0, 3.0, 3.0])


def test_results_that_entries_note_themselves_have_their_operands_dtype() -> None:
    """Which is why they ask the operand's alone, and keep the bytes of a vector of it."""
    load_all()
    x = torch.rand(3, requires_grad=True)
    ops = [op for op in TABLE.values() if op.kind in ("unary", "binary") and op.differentiable]
    assert len(ops) > 40
    for op in ops:
        made = entry(op)(x) if op.kind == "unary" else entry(op)(x, x)
        assert made.dtype is torch.float32 and made.shape == (3,), op.name


def test_results_that_entries_note_themselves_lie_in_one_piece() -> None:
    """Whatever their operands do, so that their elements can be written down as they are."""
    for x in (torch.rand(6, requires_grad=True)[::2], torch.rand(1, requires_grad=True).expand(3)):
        for op in TABLE.values():
            if op.kind in ("unary", "binary") and op.differentiable:
                for more in [()] if op.kind == "unary" else [(x,), (1.0,), (2.0,)]:
                    assert entry(op)(x, *more)._array.flags.c_contiguous, op.name


def test_gradients_of_strided_memory_are_recorded() -> None:
    """Such as that of a sum, one number for all."""
    x = torch.ones(3, requires_grad=True)
    tape = whole_log([])
    with events.listen(tape):
        y = x * 2.0
        (y * 1.0).backward(torch.tensor([5.0, 0.0, 6.0, 0.0, 7.0, 0.0])[::2])
    assert [known(got) for _, got, _, _ in tape.backward.passes[0].nodes] == [("float32", [5.0, 6.0, 7.0])] * 2


def test_values_of_threads_do_not_mix() -> None:
    """A row and its elements are noted without another thread in between."""
    before = sys.getswitchinterval()
    tape = whole_log([])

    def work(size: int) -> None:
        y = torch.full((size,), float(size), requires_grad=True)
        for _ in range(ENOUGH):
            y = y * 1.0

    try:
        sys.setswitchinterval(1e-6)
        with events.listen(tape):
            threads = [threading.Thread(target=work, args=(size,)) for size in (2, 3, 5)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(before)
    told = [noted.outputs[0][1] for noted in tape.ops]
    assert len(told) >= 3 * ENOUGH
    assert all(what.tolist() == [float(what.size)] * what.size for what in told)


def test_packed_rows_say_the_same() -> None:
    """Of ops enough for a block, and of their backward nodes."""

    def long(turns: int) -> None:
        mixed(turns)
        x = y = torch.ones(3, requires_grad=True)
        for _ in range(ENOUGH // 2):
            y = y * 0.5 + x
        y.sum().backward()

    tape = whole_log([])
    with events.listen(tape):
        long(3)
    few, _ = heard(whole_log([]), mixed, 3)
    ops = [*tape.ops]
    assert len(tape.ops.blocks) == 1 and len(tape.ops) == len(ops) == len(few) + ENOUGH + 2
    assert tape.ops.error is None and ops[-1].op.name == "sum"
    for op, same in zip(ops, few, strict=False):
        assert op.started <= op.ended
        assert (op.op, op.rest, op.lasti, op.gaps, op.rank != 0) == (
            same.op, same.rest, same.lasti, same.gaps, same.rank != 0,
        )  # fmt: skip
        assert [known(what) for _, what in op.outputs] == [what for _, what in same.outputs]
    y = np.ones(3, np.float32)
    for place, op in enumerate(ops[len(few) + 1 : -1]):
        y = y * np.float32(0.5) if place % 2 == 0 else y + 1
        ((_, what),) = op.outputs
        assert np.array_equal(what, y) and what.dtype == y.dtype
    nodes = [*tape.backward.passes[-1].nodes]
    assert len(tape.backward.passes[-1].nodes.blocks) == 1 and len(nodes) == ENOUGH + 1
    assert [rank for rank, *_ in nodes] == [op.rank for op in reversed(ops[len(few) + 1 :])]
    grad = np.ones(3, np.float32)
    for place, (_, got, started, ended) in enumerate(nodes[1:]):
        assert np.array_equal(got, grad) and started <= ended
        grad = grad if place % 2 == 0 else grad * np.float32(0.5)


def test_arrays_without_other_owner_are_packed() -> None:
    """In whatever order they lie; one that is held may be written, and so may what a view looks at."""
    held = np.arange(3.0)
    values = [np.array(1.5), np.zeros((2, 3), np.float32, "F"), np.empty((0, 2)), np.array([True, False])]
    values[1][1] = 7
    expected = [(value.shape, value.dtype, value.tolist()) for value in values]
    arrays = Arrays([*values, held, held[1:], (64,), None, np.float32(2), 0.5])
    values.clear()
    arrays.pack()
    *taken, first, view, shape, nothing, scalar, number = arrays
    assert expected == [(value.shape, value.dtype, value.tolist()) for value in taken]
    assert first is held and view.base is held
    assert (shape, nothing, scalar, number) == ((64,), None, np.float32(2), 0.5)
    held[:] = 4
    del first, view, held
    assert arrays.left
    arrays.pack()
    *_, first, view, _, _, _, _ = arrays
    assert first.tolist() == [4, 4, 4] and view.tolist() == [4, 4]
    assert [type(what) for what in arrays.column].count(np.ndarray) == 2
