"""Operators whose operands' forms are known note what ran by themselves, and no less than those that ask."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore.dispatch.specialize.cache import UNWRITTEN, WARM
from dyncore.graph import events
from dyncore.graph.known_shape import forget_known_shape
from tests.runs import recorded
from tests.unit.dyncli.recorder.logs import tables_log, trace_log, whole_log

FORMS = ((3,), (64,), (300,), (2, 3), (40, 40))
STEPS: tuple[Callable[[Any, Any, Any], Any], ...] = (
    lambda y, x, c: y * 0.5, lambda y, x, c: y + 2, lambda y, x, c: 3 - y, lambda y, x, c: y * x,
    lambda y, x, c: y - c, lambda y, x, c: c * y, lambda y, x, c: c + y, lambda y, x, c: y * 0,
    lambda y, x, c: torch.tanh(y), lambda y, x, c: y + torch.ones(1), lambda y, x, c: -y + True,
    lambda y, x, c: torch.exp(y), lambda y, x, c: y * 1e30, lambda y, x, c: y * 1e30, lambda y, x, c: y - y,
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """The operators run the text written for them, with a listener and without."""
    for _ in range(WARM):
        steps((3,), known=True)
        noted(whole_log, (3,), known=True)


def steps(shape: tuple[int, ...], known: bool) -> Any:
    """Every way that an operator takes; not known: each operand's node has forgotten the form."""
    x = torch.ones(shape, requires_grad=True)
    constant = torch.full(shape, 0.5)
    y = x
    for step in STEPS:
        if not known:
            forget_known_shape(x)
            forget_known_shape(y)
        y = step(y, x, constant)
    return y


def noted(kind: Any, shape: tuple[int, ...], known: bool) -> list[Any]:
    """What a tape says of the steps; numbers counted from the first."""
    tape = kind([])
    with events.listen(tape):
        result = steps(shape, known)
        result.sum().backward()
    rows = [*tape.ops]
    first = max(number for each in rows for number in each.inputs)
    found = []
    for each in rows:
        outputs = [
            (number - first, *map(str, what if type(what) is tuple else (what,))) for number, what in each.outputs
        ]
        inputs = [number - first for number in each.inputs]
        found.append((each.op.name, inputs, outputs, each.rest, each.lasti, each.rank and each.rank - first, each.at))
    return found


@pytest.mark.parametrize("shape", FORMS)
@pytest.mark.parametrize("kind", [tables_log, whole_log, trace_log])
def test_known_shapes_record_the_same_as_unknown_ones(kind: Any, shape: tuple[int, ...]) -> None:
    """A record has the same ops, operands, values and lines, whether shapes were known or asked for."""
    assert noted(kind, shape, known=False) == noted(kind, shape, known=True)


def test_times_of_ops_do_not_overlap() -> None:
    """An op in the midst of others ended after it began, and began when the one before had ended."""
    tape = whole_log([])
    with events.listen(tape):
        steps((3,), known=True)
    rows = [*tape.ops]
    assert all(each.started <= each.ended for each in rows)
    assert all(one.ended <= other.started for one, other in pairwise(rows))


def test_detached_listener_leaves_the_code_as_before() -> None:
    """Specialised functions run their own text for a listener, and none of it afterwards, also if the block raised."""
    with events.listen(whole_log([])):
        pass
    steps((3,), known=True)
    specialized = [each for each in events.recorder.running if UNWRITTEN not in each.codes]
    assert "mul" in {each.function.__name__ for each in specialized}
    with pytest.raises(ZeroDivisionError), events.listen(whole_log([])):
        steps((3,), known=True)
        assert [each.codes[True] for each in specialized] == [each.function.__code__ for each in specialized]
        raise ZeroDivisionError
    steps((3,), known=True)
    assert [each.codes[False] for each in specialized] == [each.function.__code__ for each in specialized]


def test_listener_is_attached_to_functions_that_are_called_alone() -> None:
    """However many were compiled before: a check of gradients attaches one for each of its thousands of evaluations."""
    x = torch.ones(3, requires_grad=True)
    for _ in range(WARM):
        x.cos()
    with events.listen(whole_log([])):
        for _ in range(WARM):
            x.sin()
        assert {"sin"} == {each.function.__name__ for each in events.recorder.running}


def test_detached_listener_leaves_nothing_of_it_in_functions() -> None:
    """Names that held a log would keep its arrays alive."""
    with events.listen(whole_log([])):
        steps((3,), known=True)
        running = [*events.recorder.running]
        assert all(each.names["report"] is not None for each in running)
    assert running and all(each.names["rows"] is None and each.names["clock"] is None for each in running)


def test_listener_without_rows_receives_operators() -> None:
    """A listener of its own kind, without rows, hears of every op with its operands and result."""

    class Ear(events.Listener):
        def __init__(self) -> None:
            self.heard: list[Any] = []

        def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
            self.heard.append((op.name, len(args), result._array.tolist()))

    x = torch.ones(2, requires_grad=True)
    with events.listen(Ear()) as ear:
        (x * 3 + x - 0.5).tanh()
    assert [("mul", 2, [3.0, 3.0]), ("add", 2, [4.0, 4.0]), ("sub", 2, [3.5, 3.5])] == ear.heard[:3]
    assert "tanh" == ear.heard[3][0]
    np.testing.assert_allclose(ear.heard[3][2], np.tanh([3.5, 3.5]), rtol=1e-6)


def test_ops_inside_composite_are_not_recorded() -> None:
    """Steps of what is heard as one are no ops of the record, though somebody listens."""
    x = torch.ones(3, requires_grad=True)
    tape = whole_log([])
    with events.listen(tape):
        y = x * 2
        with events.not_recorded():
            x * 3 + x
            torch.tanh(y)
        y - x
    assert ["mul", "sub"] == [each.op.name for each in tape.ops]


@pytest.mark.parametrize("mode", ["nullcontext()", "torch.autograd.set_detect_anomaly(True)"])
def test_first_dimension_of_pieces_is_recorded_in_no_mode(tmp_path: Path, mode: str) -> None:
    """The general functions of ops leave out what is the default, and so do those written for them."""
    source = (
        f"from contextlib import nullcontext\nimport dyncore as torch\ndef forward(x):\n    with {mode}:\n"
        "        return x.split(1), x.split(1, 0), x.chunk(2, -1), x.unbind(), x.unbind(1), [*x], torch.cat([x, x])\n"
    )
    record = recorded(tmp_path, source, "[[1, 2], [3, 4]]")
    assert ["1", "1", "2, -1", "", "1", "", ""] == [op.args for op in record.ops]
