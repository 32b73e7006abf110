"""Where a model that gives something else each time parts from itself: two runs, line by line."""

from __future__ import annotations

import linecache
import re
import sys
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking.function_at_point import Problem
from dyncli.recorder.engine import Tensor
from dyncli.records.gradcheck import Place
from dyncli.script.frames import is_users

RUNS = 30
MOST_EVENTS = 20_000
PLAIN = (bool, int, float, complex, str, bytes, type(None))


class Event(NamedTuple):
    """A line about to run, or a return from it (`returned` is not None).  held: what its frame's names hold."""

    file: str
    name: str
    line: int
    held: dict[str, Any]
    returned: Any = None

    @property
    def where(self) -> tuple[str, str, int, bool]:
        """Which line of which function it is, and whether it returns."""
        return self.file, self.name, self.line, self.returned is not None


def place(problem: Problem) -> Place | None:
    """Find the line after which two runs first differ; None if RUNS more runs are all the same."""
    one = _events(problem)
    for _ in range(RUNS):
        other = _events(problem)
        found = _first(one, other)
        if found is not None:
            break
    else:
        return None
    event = one[_drawn(one, other, found)]
    text = linecache.getline(event.file, event.line).strip()
    return Place(problem.session.shown(event.file), event.line, text, event.name.strip("<>"))


def _events(problem: Problem) -> list[Event]:
    events: list[Event] = []

    def inside(frame: Any, kind: str, returned: Any) -> Any:
        if len(events) < MOST_EVENTS and kind in ("line", "return"):
            code = frame.f_code
            held = {name: _held(value) for name, value in frame.f_locals.items() if not name.startswith("_")}
            given = ("returned", _held(returned)) if kind == "return" else None
            events.append(Event(code.co_filename, code.co_name, frame.f_lineno, held, given))
        return inside

    def called(frame: Any, kind: str, more: Any) -> Any:
        return inside if is_users(frame.f_code.co_filename) else None

    before = sys.gettrace()
    with problem.session.listening(problem.session.watch()):
        sys.settrace(called)
        try:
            problem.function(problem.arrays)
        finally:
            sys.settrace(before)
    return events


def _held(value: Any) -> Any:
    """Return what can be compared of a value."""
    if isinstance(value, Tensor):
        return "tensor", np.asarray(value._array).tobytes()
    if isinstance(value, np.ndarray | np.generic):
        return "array", np.asarray(value).tobytes()
    if type(value) in PLAIN:
        return "plain", repr(value)
    if type(value) in (list, tuple) and len(value) < 100:
        inner = [_held(each) for each in value]
        return "tensor" if any(kind == "tensor" for kind, _ in inner) else "plain", inner
    return "other", None


def _first(one: list[Event], other: list[Event]) -> int | None:
    """Return the number of the event whose line made the first tensor that differs, or branched differently."""
    last: dict[tuple[str, str], int] = {}
    for number, (a, b) in enumerate(zip(one, other)):
        frame = (a.file, a.name)
        if a.where != b.where:
            return max(number - 1, 0)
        if a.returned != b.returned and a.returned[0:1] and a.returned[1][0] == "tensor":
            return number
        if any(kind == "tensor" and b.held.get(name) != (kind, held) for name, (kind, held) in a.held.items()):
            return last.get(frame, number)
        last[frame] = number
    return None


def _drawn(one: list[Event], other: list[Event], number: int) -> int:
    """Follow the difference on an event's line back to the event where it entered."""
    seen: set[int] = set()
    while number not in seen:
        seen.add(number)
        event, twin = one[number], other[number]
        words = set(re.findall(r"[A-Za-z_]\w*", linecache.getline(event.file, event.line)))
        names = [name for name in event.held if name in words and event.held[name] != twin.held.get(name)]
        source = _assigned(one, other, number, names) if names else _returned(one, other, number)
        if source is None:
            return number
        number = source
    return number


def _assigned(one: list[Event], other: list[Event], number: int, names: list[str]) -> int | None:
    """Return the event of the line after which one of the names first had another value."""
    at = one[number]
    last: int | None = None
    for index in range(number + 1):
        if (one[index].file, one[index].name) != (at.file, at.name):
            continue
        if any(one[index].held.get(name) != other[index].held.get(name) for name in names):
            return last
        last = index
    return None


def _returned(one: list[Event], other: list[Event], number: int) -> int | None:
    """Return the first return event, below a call on the event's line, whose value differs."""
    at = one[number]
    start = number
    while start > 0 and not (one[start].where[:3] == at.where[:3] and one[start].returned is None):
        start -= 1
    for index in range(start + 1, min(len(one), len(other))):
        if (one[index].file, one[index].name) == (at.file, at.name):
            return None
        if one[index].returned is not None and one[index].returned != other[index].returned:
            return index
    return None
