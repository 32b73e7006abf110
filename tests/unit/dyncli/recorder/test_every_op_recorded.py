"""Every op of the table, called often, is heard as at first: it has code of its own then."""

from __future__ import annotations

import warnings
from functools import partial
from time import perf_counter_ns
from typing import Any

import numpy as np
import pytest

from dyncore.binding.lazy import load_all
from dyncore.dispatch.registry import TABLE
from dyncore.dispatch.specialize.cache import WARM
from dyncore.graph import events
from tests.unit.core.ops.samples import calls_of, collect
from tests.unit.dyncli.recorder.logs import tables_log, trace_log, whole_log

SAMPLES, _ = collect()
load_all()
ROUNDING = 1000  # nanoseconds
OFTEN = WARM + 1  # calls: the last runs the text written for the op


def heard(kind: Any, run: Any) -> list[Any]:
    """Return what a tape of this kind notes of a call; check that its times are in order."""
    tape = kind([])
    began = perf_counter_ns() - ROUNDING
    with events.listen(tape):
        run()
    ended = perf_counter_ns() + ROUNDING
    rows = [*tape.ops]
    if kind is not tables_log:
        times = [time for row in rows for time in (row.started, row.ended)]
        assert [began, *times, ended] == sorted([began, *times, ended])
    return [
        (row.op.name, str((*row.rest, *row.kwargs.values())), len(row.inputs), [str(what) for _, what in row.outputs])
        for row in rows
    ]


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_op_called_often_is_recorded_as_at_first(name: str) -> None:
    """Sixteen calls of `sort` in a run raised: the code it had then told of its results as of one tensor."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for *args, kwargs in calls_of(name, SAMPLES[name]):
            run = partial(TABLE[name].entry, *args, **kwargs)
            before = [heard(kind, run) for kind in (tables_log, whole_log, trace_log)]
            for _ in range(OFTEN):
                run()
            with events.listen(tables_log([])):  # what runs for a listener is compiled apart
                for _ in range(OFTEN):
                    run()
            assert before == [heard(kind, run) for kind in (tables_log, whole_log, trace_log)]
