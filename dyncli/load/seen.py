"""What the log keeps of an operand: its value now, never the object.

Objects of the user's are not touched: only the exact type is looked at, never an attribute.
What is not plain is described by a reader registered for its type, by its length if it is a builtin container,
or by the name of its type.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

PLAIN = frozenset({int, float, bool, str, type(None)})
SHORT = 8

_type, _len, _all, _list, _tuple = type, len, all, list, tuple
_name_of = type.__dict__["__name__"].__get__  # a metaclass may define `__name__` otherwise
_bases_of = type.__dict__["__mro__"].__get__
_traceback_of = BaseException.__dict__["__traceback__"].__get__
_SIZED: dict[type, Callable[[Any], int]] = {
    kind: kind.__len__ for kind in (list, tuple, dict, set, frozenset, bytes, bytearray, range)
}


class Seen:
    """A value as it was; trace: the number of the tensor it was, None if it was none."""

    __slots__ = ("trace", "value")

    def __init__(self, value: Any, trace: int | None = None) -> None:
        self.value = value
        self.trace = trace


#: Gives the value of an object of a type, and the number of its tensor or None.
Reader = Callable[[Any], tuple[Any, int | None]]

#: The readers by exact type; whoever records sets them (`probes.recording(log, readers)`).
readers: dict[type, Reader] = {}


def describe(value: Any) -> Any:
    """`value` itself if it is plain, else a `Seen`."""
    kind = _type(value)
    if kind in PLAIN or kind is Seen:
        return value
    reader = readers.get(kind) or _inherited(kind)
    if reader is not None:
        return Seen(*reader(value))
    size = _SIZED.get(kind)
    if size is None:
        return Seen({"type": _name_of(kind)})
    count = size(value)
    if kind is _tuple and count <= SHORT and _all([_type(item) in PLAIN for item in value]):
        return Seen((*value,))  # a copy: nothing of the user's is kept
    return Seen({"type": _name_of(kind), "len": count})


def _inherited(kind: type) -> Reader | None:
    """The reader of a base class, for a subclass of the user's."""
    for base in _bases_of(kind)[1:-1]:
        if base in readers:
            return readers[base]
    return None


def type_name(value: object) -> str:
    """The name of a value's type, without asking the value."""
    return str(_name_of(_type(value)))


def strip(error: BaseException, files: frozenset[str]) -> None:
    """Takes the frames of `files` out of an exception's traceback."""
    traceback: TracebackType | None = _traceback_of(error)
    while traceback is not None and traceback.tb_frame.f_code.co_filename in files:
        traceback = traceback.tb_next
    if traceback is None:
        return
    if traceback is not _traceback_of(error):
        error.__traceback__ = traceback
    while (following := traceback.tb_next) is not None:
        if following.tb_frame.f_code.co_filename in files:
            traceback.tb_next = following.tb_next
        else:
            traceback = following
