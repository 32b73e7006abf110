"""What was noted of a tensor stays what it was then, whatever is written into its memory afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dyncore as torch
from dyncli.recorder.events.event_log import EventLog
from dyncore.graph import events
from tests.unit.dyncli.recorder.logs import saved_log, trace_log, whole_log

Shape = tuple[int, ...]
WRITES: dict[str, Callable[[Any], None]] = {
    "all of it": lambda kept: kept.add_(1),
    "through a view": lambda kept: kept[0].add_(1),
    "through a view that was there": lambda kept: kept.view(-1)[:2].fill_(5.0),
    "a part": lambda kept: kept.__setitem__(0, 7.0),
    "through what detach gave": lambda kept: kept.detach().mul_(2),
    "an array": lambda kept: kept.numpy().__setitem__(0, 9.0),
}
MADE: list[Callable[[Any], tuple[Any, ...]]] = [
    lambda kept: (kept.movedim(0, -1),),
    lambda kept: (kept.reshape(-1),),
    lambda kept: (kept.expand(1, *kept.shape),),
    lambda kept: (kept.t() if kept.ndim == 2 else kept.flatten(),),
    lambda kept: kept.unbind(0),
    lambda kept: kept.split(1, 0),
    lambda kept: (kept.detach(),),
    lambda kept: (kept * 2.0,),
    lambda kept: kept.max(0),
]


@pytest.mark.parametrize("log", [whole_log, trace_log, saved_log])
@pytest.mark.parametrize("shape", [(4,), (4, 3), (1, 2, 2)], ids=str)
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_each_op_is_noted_with_what_it_made(
    log: Callable[[list[Any]], EventLog], shape: Shape, write: Callable[[Any], None]
) -> None:
    """`kept = zeros(4, 3); kept[0] = x` made zeros, though the same memory holds x in the end."""
    expected = []
    one = log([])
    with events.listen(one):
        kept = torch.zeros(shape)
        expected.append((0, [kept._array.tolist()]))
        for _ in range(3):
            for made in MADE:
                before, results = len(one.ops), made(kept)
                if len(one.ops) > before:  # `reshape` to the same shape is no op
                    expected.append((before, [each._array.tolist() for each in results]))
            write(kept)
    noted = [*one.ops]
    assert expected == [(seq, [what.tolist() for _, what in noted[seq].outputs]) for seq, _ in expected]
