"""`record` and `recording`: one call, or one block, of this process as a Record."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from dyncli.api.inputs import Inputs
from dyncli.api.record import Record


def record(model: Any, /, *inputs: Any, **named: Any) -> Record:
    """Call a model, run backward from what it returns, and return the record.

    model: a function, lambda, method or Module of dyncore.  inputs, named: what it is called with; tensors as they
    are, while floats, lists of numbers and NumPy arrays become tensors that require grad, as for `dyncli run`.
    The model is left as it was: `.grad` of its parameters and of the inputs is put back, no mode or seed is changed.
    What the model does itself to its state, it has done.
    Raises NotAModel, BadArguments and ForeignTensor, which are TypeErrors, and whatever the model raises,
    with the frames of its own files in the traceback.
    """
    from dyncli.recorder.live import call_of

    given = Inputs(model, inputs, named)
    run = call_of(model, given.name)
    arguments = given.tensors()
    found = run.call(arguments, list(given.items()))
    if run.error is not None:
        from dyncli.script.frames import trimmed

        raise run.error.with_traceback(trimmed(run.error.__traceback__))
    return Record(found)


@contextmanager
def recording() -> Iterator[Record]:
    """Record a block: `with dyncli.recording() as record:`.

    The record is there after the block, also if the block raised.  Decisions of the functions that the block calls
    are in it; those written in the block itself are not, because its code is running already.
    Backward is not run unasked.
    """
    from dyncli.recorder.live import block_in

    frame: FrameType = sys._getframe(2)  # that of the `with`; one is contextlib's
    run = block_in(frame)
    made = Record()
    try:
        with run.block(lambda: frame.f_locals):
            yield made
    finally:
        made._data = run.finished()
        frame = None  # type: ignore[assignment]
    if run.error is not None:
        raise run.error
