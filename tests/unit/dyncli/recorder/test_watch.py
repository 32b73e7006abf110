"""A tape that looks tells the same of every value and gradient, whether it looks at once or at many together."""

from __future__ import annotations

import tracemalloc
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncli.recorder.events.collectors.statistics import Statistics, all_finite, norm_of, norms_of
from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.events.rows import ENOUGH, sorted_out, vectors
from dyncli.records.model import Stats
from dyncore.graph import events
from dyncore.graph.events import AGAIN, ROWS, SMALL
from tests.unit.dyncli.recorder.logs import reported_log, trace_log


def sizes(turns: int) -> None:
    """Values of all sizes, several in one op, taken apart, summed and stretched; some zero, some with NaN and Inf."""
    x = torch.linspace(-1, 2, 3, requires_grad=True)
    w = torch.full((40, 40), 0.01, requires_grad=True)
    wide = torch.ones(20, 30, requires_grad=True)
    h = torch.zeros(40)
    total = torch.zeros(())
    for turn in range(turns):
        h = torch.tanh(w @ h + x.sum())
        one, other = h.chunk(2)
        total = total + (one * other).sum() + (wide.t() * 0.5).mean()
        x = x * 0.9 + x.exp() * 0.01
        if turn % 7 == 3:
            total = total + (h * 0).sum() + (h - h).sqrt().sum() * 0 + torch.log(x - x.detach()).sum() * 0
    (total + wide.double().square().sum()).backward()


def told(tape: EventLog, turns: int) -> tuple[list[Any], list[Any], list[Any]]:
    """What the tape says of the results, of what nodes got, and of bad gradients handed on."""
    with events.listen(tape):
        sizes(turns)
    (one,) = tape.backward.passes
    values = [[known(what) for _, what in noted.outputs] for noted in tape.ops]
    gots = [known(got) for _, got, _, _ in one.nodes]
    rows = {rank: row for row, (rank, *_) in enumerate(one.nodes)}
    bad = [(rows[one.nodes.bad[place]], known(one.nodes.bad[place + 3])) for place in range(0, len(one.nodes.bad), 4)]
    return values, gots, bad


def known(what: Any) -> Any:
    """What was seen, so that it can be compared: elements, or the norm to some digits, or how many are bad."""
    if what.__class__ is tuple:
        return (tuple(what[0]), what[1].name, *map(known, what[2:]))
    if isinstance(what, Stats):
        return what.nan, what.inf, what.zeros
    if isinstance(what, float) and not isinstance(what, np.generic):
        return f"{what:.5g}"
    return None if what is None else (what.dtype.name, str(np.asarray(what).tolist()))


def test_many_together_are_seen_as_each_alone() -> None:
    """Of more ops and nodes than are looked at together."""
    values, gots, bad = told(trace_log([]), 100)
    expected_values, expected_gots, expected_bad = told(reported_log(Statistics(), at_once=True), 100)
    assert len(values) > 3 * ROWS and len(gots) > 3 * ROWS
    assert expected_values == values
    assert expected_gots == gots
    assert bad and set(bad) < set(expected_bad)
    assert all(gots[row + 1] == what for row, what in set(expected_bad) - set(bad))  # what the next node got


def test_vectors_sorted_out_by_their_sizes() -> None:
    """Elements and places are those of the vectors one by one, whatever small, empty or repeated ones lie between."""
    chance = np.random.default_rng(3)
    for _ in range(200):
        lengths = [17, *chance.choice([AGAIN, 0, 1, 3, SMALL, SMALL + 1, 40, 256], chance.integers(0, 30)).tolist()]
        elements = chance.random(sum(max(length, 0) for length in lengths)).astype(np.float32)
        each = [*vectors(lengths, elements.tobytes())]
        small, larger = sorted_out(lengths, elements.tobytes())
        own = [place for place, length in enumerate(lengths) if length != AGAIN]
        assert b"".join(each[place].tobytes() for place in own if lengths[place] <= SMALL) == small
        found = {place: row.tolist() for places, rows in larger for place, row in zip(places, rows, strict=True)}
        assert {place: each[place].tolist() for place in own if lengths[place] > SMALL} == found


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "int64"])
def test_norms_of_many(dtype: str) -> None:
    """Whatever they hold: zeros, numbers too small or large to be squared, NaN and Inf, in any order of memory."""
    rows = np.ones((9, 6, 5))
    rows[1], rows[2], rows[3] = 0, 1e-30, 1e30
    rows[4, 2, 2], rows[5, 0, 0], rows[6, 0] = np.nan, -np.inf, 0
    with np.errstate(all="ignore"):
        arrays = [*rows.astype(dtype)]
    arrays[7] = np.ones((5, 6), dtype).T
    for some in (arrays, arrays[:2], [*arrays, np.ones(30)], [*arrays, np.full(70, 2, dtype)]):
        expected = [known(norm_of(array)) for array in some]
        assert expected == [known(what) for what in norms_of(some)]
        assert all_finite(some) == all(np.isfinite(array).all() for array in some)
    assert all_finite(arrays[:4] if dtype != "float16" else arrays[:3]) and all_finite([])


@pytest.mark.parametrize("value", [0.0, 0.1, -3.0, 1e-30, 3e38, np.nan, -np.inf])
@pytest.mark.parametrize("shape", [(100, 100), (10_000,)], ids=str)
def test_a_number_stretched_is_seen_as_written_out(value: float, shape: tuple[int, ...]) -> None:
    """The gradient of a sum is told as the same numbers in memory of their own are, and not copied for it."""
    stretched = np.broadcast_to(np.float32(value), shape)
    expected = norm_of(stretched.copy())
    tracemalloc.start()
    found = norm_of(stretched)
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if isinstance(expected, Stats):
        assert expected == found
    else:
        assert found == pytest.approx(expected, rel=1e-6)
        assert highest < stretched.nbytes


WRITES = {
    "an op": lambda y: y.detach().mul_(0),
    "an item": lambda y: y.detach().__setitem__(0, 9),
    "a view of it": lambda y: y.detach()[1:].fill_(7),
    "data": lambda y: y.data.zero_(),
    "chance": lambda y: y.detach().uniform_(),
    "NumPy": lambda y: np.multiply(y.detach().numpy(), 0, out=y.detach().numpy()),
    "init": lambda y: torch.nn.init.ones_(y.detach()),
    "a step": lambda y: _step(y.detach()),
    "out": lambda y: torch.add(y.detach(), 1, out=y.detach()),
}


def _step(parameter: Any) -> None:
    parameter.requires_grad_()
    parameter.grad = torch.ones(parameter.shape)
    torch.optim.SGD([parameter], lr=1.0).step()


@pytest.mark.parametrize("size", [3, 64])
@pytest.mark.parametrize("more", [0, ROWS])
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_what_was_there_before_a_write(write: Any, more: int, size: int) -> None:
    """A result is told as it was made, however soon it is written in place."""
    x = torch.ones(size, requires_grad=True)
    tape = trace_log([])
    with events.listen(tape):
        y = x * 2.0
        z = y + 1.0
        for _ in range(more):
            z = z + 0.0
        write(y)
        write(z)
        kept = y * 1.0
    noted = [known(what) for op in tape.ops for _, what in op.outputs]
    assert [known(_as_seen(np.full(size, value, np.float32))) for value in (2, *[3] * (more + 1))] == noted[: more + 2]
    assert (kept.detach().numpy() != 2).any()


def _as_seen(array: Any) -> Any:
    return array if array.size <= events.SMALL else (array.shape, array.dtype, norm_of(array))


def test_a_write_after_many_ops() -> None:
    """Values that were packed are told as they were, too."""
    x = torch.ones(3, requires_grad=True)
    tape = trace_log([])
    with events.listen(tape):
        first = x * 2.0
        y = first
        for _ in range(ENOUGH + events.ROWS):
            y = y * 1.0
        first.detach().zero_()
        y.sum().backward()
    assert len(tape.ops.blocks) == 1
    values = [op.outputs[0][1].tolist() for op in tape.ops]
    assert [[2, 2, 2]] * (ENOUGH + events.ROWS + 1) == values[: ENOUGH + events.ROWS + 1] and [0, 0, 0] == values[-2]


def test_large_gradients_are_let_go_of() -> None:
    """A trace holds no gradient longer than a run nobody hears, so that their memory is there for the next ones."""
    size = 50_000
    highest = []
    for tape in (None, trace_log([])):
        with nullcontext() if tape is None else events.listen(tape):
            y = x = torch.ones(size, requires_grad=True)
            for _ in range(12):
                y = torch.tanh(y * 0.999)
            loss = y.sum()
            tracemalloc.start()
            loss.backward()
            highest.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert x.grad is not None
    alone, traced = highest
    assert traced - alone < 2.5 * size * x.element_size()  # the gradient of the leaf is copied
