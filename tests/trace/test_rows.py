"""A tape's rows tell of an op what was heard of it, whichever way they came and however many they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncli.trace.rows import BLOCK, Noted
from dyncli.trace.tape import Tape
from dyncore import events


class Told(Tape):
    """A tape that is told of every op and of every node by a call."""

    def __init__(self) -> None:
        super().__init__([])
        heard = self.op
        self.op = lambda *told: heard(*told)  # type: ignore[method-assign]

    def node(self, node: Any, grad: Any, started: int, ended: int, result: Any) -> None:
        super().node(node, grad, started, ended, result)


def mixed(turns: int) -> None:
    """Ops of all kinds: of numbers and tensors, small and large, in place, of several results, without a graph."""
    x = torch.ones(3, requires_grad=True)
    w = torch.ones(3, 3, requires_grad=True)
    wide = torch.ones(40, requires_grad=True)
    exact = torch.ones(20, dtype=torch.float64)
    y = x
    for _ in range(turns):
        y = y * 0.5 + x
        y = 2 * y - True
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


def heard(tape: Tape, run: Callable[[int], None], turns: int) -> tuple[list[Noted], list[Any]]:
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
    (one,) = tape.passes
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
    ops, nodes = heard(Tape([]), mixed, 3)
    assert (ops, nodes) == heard(Told(), mixed, 3)
    assert {op.rank != 0 for op in ops} == {True, False}
    assert {known[0] for _, known in nodes if known} == {"float32"}


@pytest.mark.slow
def test_packed_rows_say_the_same() -> None:
    """Of ops enough for some blocks, the same in every turn."""
    tape = Tape([])
    ops, _ = heard(tape, mixed, 2 * BLOCK // 10)
    assert len(tape.ops.blocks) >= 2
    assert len(tape.ops) == len(ops) and tape.ops.last() == [*tape.ops][-1]
    starts = [place for place, op in enumerate(ops) if op.op.name == "split"]
    told = [(op.op.name, op.rest, op.kwargs, op.lasti, op.gaps, len(op.inputs), op.rank != 0) for op in ops]
    assert told[starts[0] : starts[-2]] == told[starts[1] : starts[-1]]
    made = {number: seq for seq, op in enumerate(ops) for number, _ in op.outputs}
    sources = [[seq - made[number] for number in op.inputs if seq - made[number] < 20] for seq, op in enumerate(ops)]
    assert sources[starts[1] : starts[-2]] == sources[starts[2] : starts[-1]]
