"""The form of an operand in the log: its value now, never the object.

Objects of the user's are not touched: only the exact type is looked at, never an attribute.
What is not plain is described by a reader registered for its type, by its length if it is a builtin container,
or by the name of its type.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from types import CodeType, TracebackType
from typing import Any

PLAIN = frozenset({int, float, bool, str, type(None)})
SHORT = 8
#: The first variable of code that stands in for a test of the script's (`condition_probes`).
STAND_IN = "@left"

_type, _len, _all, _list, _tuple, _isinstance = type, len, all, list, tuple, isinstance
name_of = type.__dict__["__name__"].__get__  # a metaclass may define `__name__` otherwise
_bases_of = type.__dict__["__mro__"].__get__
_traceback_of = BaseException.__dict__["__traceback__"].__get__
SIZED: dict[type, Callable[[Any], int]] = {
    kind: kind.__len__ for kind in (list, tuple, dict, set, frozenset, bytes, bytearray, range)
}
#: Types whose truth and comparisons run no code of the script's and warn of nothing; whoever records adds to them.
QUIET: set[type] = {int, float, bool, str, type(None)}


class RecordedOperand:
    """An operand as the log keeps it; trace: the number of the tensor that it was, or None."""

    __slots__ = ("trace", "value")

    def __init__(self, value: Any, trace: int | None = None) -> None:
        self.value = value
        self.trace = trace


#: Stands for an operand near the recursion limit, where no reader can be called.
UNREAD = RecordedOperand({"type": "object"})
#: Gives the value of an object of a type, and the number of its tensor or None.
Reader = Callable[[Any], tuple[Any, int | None]]

#: The readers by exact type; whoever records sets them (`probes.recording(log, readers)`).
readers: dict[type, Reader] = {}


def describe(value: Any) -> Any:
    """Return `value` itself if it is plain, else a `RecordedOperand`."""
    kind = _type(value)
    if kind in PLAIN or kind is RecordedOperand:
        return value
    reader = readers.get(kind) or _inherited(kind)
    if reader is not None:
        return RecordedOperand(*reader(value))
    size = SIZED.get(kind)
    if size is None:
        return RecordedOperand({"type": name_of(kind)})
    count = size(value)
    if kind is _tuple and count <= SHORT and _all([_type(item) in PLAIN for item in value]):
        return RecordedOperand((*value,))  # a copy: nothing of the user's is kept
    return RecordedOperand({"type": name_of(kind), "len": count})


def _inherited(kind: type) -> Reader | None:
    """Return the reader of the nearest base class that has one; None if none has."""
    for base in _bases_of(kind)[1:-1]:
        if base in readers:
            return readers[base]
    return None


def type_name(value: object) -> str:
    """Return the name of a value's type, without running a method of the user's."""
    return str(name_of(_type(value)))


def is_recorders(code: CodeType, files: frozenset[str]) -> bool:
    """Return whether a frame of `code` is the recorder's: of its `files`, or one that stands in for a test."""
    return code.co_filename in files or code.co_varnames[:1] == (STAND_IN,)


def strip(error: BaseException, files: frozenset[str]) -> None:
    """Take the recorder's frames out of an exception's traceback.

    So goes a function of the script's that the recursion limit let begin for its first probe alone.
    """
    traceback: TracebackType | None = _traceback_of(error)
    while traceback is not None and is_recorders(traceback.tb_frame.f_code, files):
        traceback = traceback.tb_next
    if traceback is None:
        return
    if traceback is not _traceback_of(error):
        error.__traceback__ = traceback
    while (following := traceback.tb_next) is not None:
        if is_recorders(following.tb_frame.f_code, files):
            traceback.tb_next = following.tb_next
        else:
            traceback = following
    if _isinstance(error, RecursionError):
        end_at_the_limit(error, files)


def end_at_the_limit(error: BaseException, files: frozenset[str]) -> None:
    """Take a function that only began, for its first probe, out of a traceback that ends in it."""
    before = last = None
    traceback: TracebackType | None = _traceback_of(error)
    while traceback is not None:
        if not is_recorders(traceback.tb_frame.f_code, files):
            before, last = last, traceback
        traceback = traceback.tb_next
    if before is not None and last is not None and _only_begun(last):
        before.tb_next = None
        error.args = ("maximum recursion depth exceeded",)


def _only_begun(traceback: TracebackType) -> bool:
    """Return whether a frame ended in the probe that it begins with, which stands at a place without width."""
    positions = traceback.tb_frame.f_code.co_positions()
    line, end_line, col, end_col = next(islice(positions, traceback.tb_lasti // 2, None))
    return line == end_line and col == end_col and col is not None
