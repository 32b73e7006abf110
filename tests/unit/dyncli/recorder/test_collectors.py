"""Collectors of an event log: each works by itself, and together they keep what each keeps alone."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncli.recorder.events.collectors import Collector, Shapes
from dyncli.recorder.events.collectors.digests import MOST_ELEMENTS, Digests
from dyncli.recorder.events.collectors.edges import Edges
from dyncli.recorder.events.collectors.saved_memory import SavedMemory
from dyncli.recorder.events.collectors.statistics import Statistics
from dyncli.recorder.events.collectors.values import Times, Values
from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.events.rows import shape_dtype
from dyncli.recorder.events.summary import Measured
from dyncli.records.model import Stats
from dyncore.graph import events

ALL = (Values, Times, Digests, Edges, Statistics, SavedMemory)
SUBSETS = [chosen for count in range(len(ALL) + 1) for chosen in combinations(ALL, count)]


def recorded(*collectors: Collector) -> EventLog:
    """Return the log of a small network whose last gradient is infinite, and of an optimizer's step."""
    x = torch.linspace(0.0, 1.0, 40, requires_grad=True)
    optimizer = torch.optim.SGD([x], lr=0.1)
    log = EventLog([], collectors)
    with events.listen(log):
        y = torch.cumsum(x * 2.0, 0)
        first, second = y.split([1, 39])
        (first.sqrt().sum() + second.sum() + x.norm()).backward()
        optimizer.step()
    return log


def results(log: EventLog) -> list[Any]:
    return [what for noted in log.ops for _, what in noted.outputs]


@pytest.mark.parametrize("chosen", SUBSETS, ids=lambda chosen: "+".join(each.__name__ for each in chosen) or "none")
def test_any_combination_records_every_op_and_what_each_keeps(chosen: tuple[type[Collector], ...]) -> None:
    log = recorded(*[each() for each in chosen])
    expected = recorded(Values())
    assert [each.op for each in expected.ops] == [each.op for each in log.ops]
    assert [*map(shape_dtype, results(expected))] == [*map(shape_dtype, results(log))]
    assert any(each.ended for each in log.ops) == (Times in chosen)
    keeps_small = {Values, Digests, Statistics} & {*chosen}
    assert any(isinstance(what, np.ndarray) for what in results(log)) == bool(keeps_small)
    assert any(isinstance(what[-1], Measured) for what in results(log) if isinstance(what, tuple)) == (
        Digests in chosen
    )
    nodes = log.backward.passes[0].nodes
    assert bool(nodes.along) == (Edges in chosen)
    assert bool(nodes.bad) == (Statistics in chosen)
    assert bool(log.writes.former) == (Statistics in chosen)
    assert bool(log.writes.silent) == (Statistics not in chosen)
    assert bool(log.saved) == (SavedMemory in chosen)


def test_gradients_are_kept_as_the_collectors_want_them() -> None:
    def gradients(*collectors: Collector) -> set[type]:
        return {type(got) for _, got, _, _ in recorded(*collectors).backward.passes[0].nodes}

    assert Measured in gradients(Values(), Digests())
    assert Stats in gradients(Values(), Edges())
    assert Measured not in gradients(Values(), Statistics())


def test_shapes_alone_are_those_of_the_values() -> None:
    log = recorded(Shapes(), SavedMemory())
    assert [*map(shape_dtype, results(recorded(Values())))] == results(log)
    assert log.clock is None


def test_copies_of_larger_results_end_with_the_room_for_them() -> None:
    """A saved record stays small however long the run is."""
    digests = Digests()
    digests.elements_left = 2 * MOST_ELEMENTS + 1
    kept = [digests.measured(np.ones(count)).kept for count in (MOST_ELEMENTS, MOST_ELEMENTS + 1, 1000, 1000, 20)]
    assert [MOST_ELEMENTS, None, 1000, None, 20] == [each if each is None else each.size for each in kept]
    assert 5 == digests.elements_left
