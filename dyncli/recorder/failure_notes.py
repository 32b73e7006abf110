"""Write the notes and hints on what a script raised, on runs without an op, and on code without probes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from dyncli.instrument.program import Program, Role
from dyncli.instrument.runtime.condition_probes import Verdict
from dyncli.recorder.engine import SMALL, Tensor, is_engine
from dyncli.recorder.events.event_log import EventLog

AMBIGUOUS = "Boolean value of Tensor with more than one value is ambiguous"
SYMBOLS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!="}
HINT = "hint: `.any()` or `.all()` says which of them is meant"


def ambiguous_truth(
    error: BaseException, traceback: TracebackType | None, program: Program, log: EventLog
) -> tuple[str, ...]:
    """Build the notes on an error that tested several elements for one truth value; () for other errors."""
    if type(error) is not RuntimeError or str(error) != AMBIGUOUS:
        return ()
    tensor = _asked(traceback)
    values = () if tensor is None else (f"values: {_values(tensor, log)}",)
    return (*_site(program, log.decisions), *values, HINT)


def _site(program: Program, log: Sequence[Any]) -> tuple[str, ...]:
    """Name the test that raised, if one did: it is the last entry of the log."""
    if len(log) < 5 or not isinstance(log[-1], Verdict) or log[-1].exception is None:
        return ()
    point = program.points[log[-5]]
    site = program.constructs[point.key].site
    if point.role not in (Role.CONDITION, Role.SINGLE, Role.OPERAND) or site is None:
        return ()
    text = program.constructs[point.key].conditions[point.index].text
    return (f"in the test `{text}` at {site.file}:{site.line}:{site.col}",)


def _asked(traceback: TracebackType | None) -> Tensor | None:
    """Find the tensor whose truth was tested: it is `self` in the frame that raised."""
    last = None
    while traceback is not None:
        last, traceback = traceback.tb_frame, traceback.tb_next
    found = last.f_locals.get("self") if last is not None and is_engine(last.f_globals) else None
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
    """Format the operands of a comparison of small tensors, `[1, -1, 2] > 0`, or a small tensor, `[1, 0, 2]`."""
    number = log.tensors.number(tensor)
    for recorded in reversed([*log.ops]):
        if any(made == number for made, _ in recorded.outputs):
            symbol = SYMBOLS.get(recorded.op.name)
            sides = [_array(each, log) for each in recorded.inputs]
            shown = [_text(side) for side in sides if side is not None] + [_text(np.asarray(v)) for v in recorded.rest]
            if symbol is not None and len(shown) == 2 and all(shown):
                return f"{shown[0]} {symbol} {shown[1]}"
            break
    return _text(np.asarray(tensor._array))


def _array(number: int, log: EventLog) -> Any:
    source = log.tensors.sources.get(number)
    if source is not None:
        return np.asarray(source._array)
    for recorded in log.ops:
        for made, what in recorded.outputs:
            if made == number:
                return what if isinstance(what, np.ndarray | np.generic) else log.compared.get(number)
    return None


def _text(array: Any) -> str | None:
    if array.size > SMALL:
        return None
    short = {"float_kind": lambda value: f"{value:.6g}"}
    return np.array2string(array, separator=", ", formatter=short).replace("\n", "")  # type: ignore[arg-type]


def nothing_recorded(defined: Sequence[str], script: str) -> Iterator[str]:
    """Yield why no op was recorded, where that is known.

    defined: the functions and nn.Module classes of a script that was itself the run.
    """
    if defined:
        yield f"no op was recorded: the script itself was run; `{script}:{defined[0]}` with an input runs that alone"


MOST_MADE = 3  # places where code is made that are named


def code_without_probes(made: Sequence[tuple[str, int, str]], hidden: int, script: str) -> str:
    """Return what to say of such code in a run.

    made: where, by the name of the file shown, the line and the function.  hidden: how often it asked for values.
    """
    places = [f"`{how}` at {f'line {line}' if file == script else f'{file}:{line}'}" for file, line, how in made]
    if len(places) > MOST_MADE:
        places[MOST_MADE:] = [f"{len(places) - MOST_MADE} more"]
    where = " and ".join([", ".join(places[:-1]), places[-1]] if len(places) > 1 else places or ["`exec` or `eval`"])
    asked = f" asked tensors for values {hidden:,} {'time' if hidden == 1 else 'times'}:" if hidden else ":"
    return f"code made by {where}{asked} what it decides is not in the log"


def plain_value(error: BaseException, inputs: Sequence[tuple[str, Any]]) -> tuple[str, ...]:
    """Build the hint on an error about an input that should be a tensor and is not; () for other errors.

    inputs: (name, value) of the entry's parameters.
    """
    kind = _in_place_of_a_tensor(error)
    name = next((name for name, value in inputs if type(value).__name__ == kind), None)
    if name is None:
        return ()
    if kind == "int":
        return (f"hint: a whole number by itself stays an int: `{name}=1.0` or `{name}=[1]` is a tensor",)
    what = "None" if kind == "NoneType" else f"of type {kind}"
    return (f"hint: `{name}` is {what}, as it was given: `{name}=1.0` or `{name}=[1, 2]` is a tensor",)


def _in_place_of_a_tensor(error: BaseException) -> str | None:
    """Return the name of the type that was used in place of a Tensor; None for other errors."""
    if isinstance(error, AttributeError) and hasattr(Tensor, error.name or ""):
        return type(error.obj).__name__
    found = re.search(r"must be Tensor, not (\w+)", str(error)) if isinstance(error, TypeError) else None
    return found[1] if found else None


def refused_arguments(
    error: BaseException, traceback: TracebackType | None, arguments: Sequence[str]
) -> tuple[str, ...]:
    """Return the hint for a script whose `argparse` was not content with its arguments, nothing for any other end."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    where = None if traceback is None else traceback.tb_frame.f_globals.get("__name__")
    if not isinstance(error, SystemExit) or where != "argparse":
        return ()
    if arguments:
        return (f"hint: the script refused what stands after `--`: `{shlex.join(arguments)}`",)
    return ("hint: the script's own arguments go after `--`: `dyncli run script.py -- --epochs 1`",)
