"""What to say of a test on a tensor with several elements: where it stands, and which of them disagree."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np

from dyncli.load.asking import Verdict
from dyncli.load.instrument.program import Program, Role
from dyncli.trace.engine import SMALL, Tensor
from dyncli.trace.events.event_log import EventLog

SENTENCE = "Boolean value of Tensor with more than one value is ambiguous"
SYMBOLS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!="}
HINT = "hint: `.any()` or `.all()` says which of them is meant"


def notes(error: BaseException, traceback: TracebackType | None, program: Program, log: EventLog) -> tuple[str, ...]:
    """The notes on an error that asked several elements for one truth value; none for any other error."""
    if type(error) is not RuntimeError or str(error) != SENTENCE:
        return ()
    tensor = _asked(traceback)
    values = () if tensor is None else (f"values: {_values(tensor, log)}",)
    return (*_site(program, log.decisions), *values, HINT)


def _site(program: Program, log: Sequence[Any]) -> tuple[str, ...]:
    """The test that raised, if one did: it is the last entry of the log."""
    if len(log) < 5 or not isinstance(log[-1], Verdict) or log[-1].exception is None:
        return ()
    point = program.points[log[-5]]
    site = program.constructs[point.key].site
    if point.role not in (Role.CONDITION, Role.SINGLE, Role.OPERAND) or site is None:
        return ()
    text = program.constructs[point.key].conditions[point.index].text
    return (f"in the test `{text}` at {site.file}:{site.line}:{site.col}",)


def _asked(traceback: TracebackType | None) -> Tensor | None:
    """The tensor whose truth was asked: it is `self` where the error came up."""
    last = None
    while traceback is not None:
        last, traceback = traceback.tb_frame, traceback.tb_next
    found = last.f_locals.get("self") if last is not None and "__dyncore__" in last.f_globals else None
    return found if isinstance(found, Tensor) else None


def _values(tensor: Tensor, log: EventLog) -> str:
    truth = np.asarray(tensor._array) != 0
    count = int(truth.sum())
    text = f"{count:,} of {truth.size:,} {'is' if count == 1 else 'are'} True"
    operands = _operands(tensor, log)
    if operands:
        return f"{text}: {operands}"
    firsts = [
        f"the first {word} at {_index(where)}"
        for word, where in (("True", truth), ("False", ~truth))
        if where.any()
    ]  # fmt: skip
    return "; ".join([text, *firsts])


def _index(where: np.ndarray[Any, Any]) -> str:
    return str([int(part) for part in np.unravel_index(int(where.argmax()), where.shape)])


def _operands(tensor: Tensor, log: EventLog) -> str | None:
    """`[1, -1, 2] > 0` for a comparison of small tensors, `[1, 0, 2]` for a small tensor."""
    number = log.tensors.number(tensor)
    for noted in reversed([*log.ops]):
        if any(made == number for made, _ in noted.outputs):
            symbol = SYMBOLS.get(noted.op.name)
            sides = [_array(each, log) for each in noted.inputs]
            shown = [_text(side) for side in sides if side is not None] + [_text(np.asarray(v)) for v in noted.rest]
            if symbol is not None and len(shown) == 2 and all(shown):
                return f"{shown[0]} {symbol} {shown[1]}"
            break
    return _text(np.asarray(tensor._array))


def _array(number: int, log: EventLog) -> Any:
    source = log.tensors.sources.get(number)
    if source is not None:
        return np.asarray(source._array)
    for noted in log.ops:
        for made, what in noted.outputs:
            if made == number:
                return what if isinstance(what, np.ndarray | np.generic) else log.compared.get(number)
    return None


def _text(array: Any) -> str | None:
    if array.size > SMALL:
        return None
    short = {"float_kind": lambda value: f"{value:.6g}"}
    return np.array2string(array, separator=", ", formatter=short).replace("\n", "")  # type: ignore[arg-type]
