"""The functions that instrumented code calls: each adds items to the log and returns its argument.

    log: list[object] = []
    with probes.recording(log):
        ...                                              # run instrumented code

The log is one flat list, because that is what costs least (120 ns for a decision; 170 ns with a tuple for each).
An entry begins with a point and the id of a call; the point's role says how many items it has (`program.Role`):

    ENTER            point, call id, thread, task, the caller's code, the instruction it is at
                     task: a number per asyncio task, or None
    LAZY             point, the definer's call id, the generator expression's, its iterable
    CONDITION, SINGLE     point, call id, left, right, outcome      a bare truth test has its value on the left
    OPERAND          the same
    WHOLE            point, call id, outcome
    LOOP, SUBJECT    point, call id, value
    HANDLER          point, call id, name of the exception's type
    others           point, call id

Operands that are plain numbers, strings or None are kept as they are, others as a `RecordedOperand`.
An outcome is a bool, or an `condition_probes.Verdict` where more is recorded.
Builtins are bound here once: a script may replace `bool` or `len`, the recorder must not notice.
"""

from __future__ import annotations

import builtins
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from threading import get_ident
from types import AsyncGeneratorType, CodeType, FrameType, ModuleType, TracebackType
from typing import Any
from weakref import WeakSet, ref

from dyncli.instrument.program import CALL_ID
from dyncli.instrument.runtime import condition_probes, forced_arms, tasks
from dyncli.instrument.runtime.condition_probes import (
    QUIET,
    UNREAD,
    Reader,
    describe,
    is_stand_in,
    known_readers,
    name_of,
)
from dyncli.instrument.runtime.forced_arms import ARMS

Log = list[Any]
Probe = Callable[..., Any]
Probes = dict[str, Probe]
#: By the identity of an iterator: its call id; if it is asynchronous, what gives it while it lives.
Lazies = dict[int, tuple[int, Callable[[], object] | None]]

#: The files whose frames are no part of a user's traceback.
FILES = frozenset({__file__, condition_probes.__file__, forced_arms.__file__, tasks.__file__})
_isinstance = isinstance
_traceback_of = BaseException.__dict__["__traceback__"].__get__
#: Marks frames of this module as none of the user's, as the engine's are: an op's site is looked for further out.
__dyncore__ = True
#: Probes that are added on demand, which do nothing unless `recorder.debug.watchpoints` or `force` replaces them.
ADDED: Probes = {
    "@look": lambda place, call_id: None,
    "@look_at": lambda place, call_id, number, value: True,
    "@halt": lambda place: None,
    "@patched": lambda number, place, value: value,
    "@open": lambda call_id, key, index: True,
    "@chosen": lambda call_id, key, index: False,
    "@arms": ARMS,  # type: ignore[dict-item]
}


class _End:
    """An iterator of nothing that reports that it was reached."""

    __slots__ = ("_items", "_report")

    def __init__(self, report: Callable[[tuple[Any, ...]], None], items: tuple[Any, ...]) -> None:
        self._report = report
        self._items = items

    def __iter__(self) -> _End:
        return self

    def __next__(self) -> Any:
        self._report(self._items)
        raise StopIteration


def build(log: Log, lazies: Lazies | None = None) -> Probes:
    """Build the probes that write to `log`, by the names under which instrumented code calls them.

    lazies: the generator expressions that are known already, where a log is written on.
    """
    return {
        **_running(log),
        **_raising(log),
        **_loops(log),
        **_generator_expressions(log, {} if lazies is None else lazies),
        **condition_probes.probes(log),
        **ADDED,
    }


def _running(log: Log) -> Probes:
    """Return the probes that report who is running."""
    add, known, exec_, eval_ = log.extend, _known, exec, eval

    def at(point: int, call: int) -> None:
        add((point, call))

    def close(point: int, call: int, value: Any) -> Any:
        add((point, call))
        return value

    def code(point: int, call: int, function: Any, *given: Any) -> tuple[Any, ...]:
        if function is exec_ or function is eval_:
            add((point, call))
        return given

    def within() -> int:
        frame: Any = sys._getframe(1)
        while known.get(id(frame), (None,))[0] is not frame.f_code:
            frame = frame.f_back
        return known[id(frame)][1]

    def listed(names: Any) -> Any:
        """Take the variable of the recorder's out of what `locals()`, `vars()` or `dir()` gave."""
        if type(names) is dict:
            names.pop(CALL_ID, None)
        elif type(names) is list and CALL_ID in names:
            names.remove(CALL_ID)
        return names

    return {**_entering(log), "@at": at, "@close": close, "@code": code, "@within": within, "@listed": listed}


def _entering(log: Log) -> Probes:
    """Return the probes that functions and modules begin with."""
    add, getframe, id_ = log.extend, sys._getframe, id

    def enter(point: int) -> int:
        call = next_call_id()
        try:
            caller = getframe(2)
        except ValueError:  # called by nothing that is Python
            add((point, call, get_ident(), None, None, 0))
            return call
        add((point, call, get_ident(), None, caller.f_code, caller.f_lasti))
        return call

    def enter_async(point: int) -> int:
        call = next_call_id()
        caller = getframe(2)
        add((point, call, get_ident(), tasks.task_number(), caller.f_code, caller.f_lasti))
        return call

    def enter_unbound(point: int) -> int:
        """Enter a lambda that cannot keep its call id itself."""
        frame = getframe(1)
        caller = frame.f_back
        call = next_call_id()
        _known[id_(frame)] = frame.f_code, call
        code, lasti = (None, 0) if caller is None else (caller.f_code, caller.f_lasti)
        add((point, call, get_ident(), None, code, lasti))
        return call

    def enter_module(point: int, call: int) -> None:
        add((point, call, get_ident(), None, None, 0))

    return {
        "@enter": enter,
        "@enter_async": enter_async,
        "@enter_unbound": enter_unbound,
        "@enter_module": enter_module,
    }


def _raising(log: Log) -> Probes:
    """Return the probes of handlers, `finally` and `with`, which hide the recorder's frames from the script."""
    add, type_, exception = log.extend, type, sys.exception

    def caught(point: int, call: int) -> None:
        error: Any = exception()
        add((point, call, name_of(type_(error))))
        try:
            strip(error)
        except RecursionError:  # near the limit the script's handler comes first
            return

    def left(point: int, call: int) -> None:
        error = exception()
        add((point, call))
        if error is not None:
            try:
                strip(error)
            except RecursionError:
                return

    return {"@caught": caught, "@left": left, "@finally": left, "@BaseException": BaseException}


def _is_recorders(code: CodeType) -> bool:
    """Return whether a frame of `code` is the recorder's: of its files, or one that stands in for a test."""
    return code.co_filename in FILES or is_stand_in(code)


def strip(error: BaseException) -> None:
    """Take the recorder's frames out of an exception's traceback.

    So goes a function of the script's that the recursion limit let begin for its first probe alone.
    """
    traceback: TracebackType | None = _traceback_of(error)
    while traceback is not None and _is_recorders(traceback.tb_frame.f_code):
        traceback = traceback.tb_next
    if traceback is None:
        return
    if traceback is not _traceback_of(error):
        error.__traceback__ = traceback
    while (following := traceback.tb_next) is not None:
        if _is_recorders(following.tb_frame.f_code):
            traceback.tb_next = following.tb_next
        else:
            traceback = following
    if _isinstance(error, RecursionError):
        end_at_the_limit(error)


def end_at_the_limit(error: BaseException) -> None:
    """Take a function that only began, for its first probe, out of a traceback that ends in it."""
    before = last = None
    traceback: TracebackType | None = _traceback_of(error)
    while traceback is not None:
        if not _is_recorders(traceback.tb_frame.f_code):
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


def _loops(log: Log) -> Probes:
    """Build the probes of loops, comprehensions and `match`."""
    add = log.extend

    def loop(point: int, call_id: int, iterable: Any) -> Any:
        try:
            value = describe(iterable)
        except RecursionError:
            value = UNREAD
        add((point, call_id, value))
        return iterable

    def step(point: int, call_id: int) -> bool:
        add((point, call_id))
        return True

    def stepped(point: int, call_id: int, value: Any) -> Any:
        add((point, call_id))
        return value

    return {
        "@loop": loop,
        "@subject": loop,
        "@step": step,
        "@stepped": stepped,
    }


def _generator_expressions(log: Log, lazies: Lazies) -> Probes:
    """Return the probes of generator expressions, which are known by the iterators they hold."""
    add, iter_, id_, chain = log.extend, iter, id, itertools.chain

    def lazy(point: int, call_id: int, done: int, iterable: Any) -> Any:
        try:
            iterator = iter_(iterable)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                return iterable  # which is none: Python says so where it shows it
            raise
        own = next_call_id()
        add((point, call_id, own, describe(iterable)))
        whole = chain(iterator, _End(add, (done, own)))
        lazies[id_(whole)] = own, None
        return whole

    def lazy_async(point: int, call: int, iterable: Any) -> Any:
        """Report a generator expression over an async generator, which is its own iterator."""
        if type(iterable) is AsyncGeneratorType:
            own = next_call_id()
            add((point, call, own, describe(iterable)))
            lazies[id_(iterable)] = own, _reference(iterable)
        return iterable

    def lazily(point: int, step: int, iterator: object) -> int:
        """Return the call id of a generator expression by the iterator it holds, and report a step of its loop."""
        found = lazies.get(id_(iterator))
        if found is None or (found[1] is not None and found[1]() is not iterator):  # `async for`: first seen here
            found = lazies[id_(iterator)] = next_call_id(), _reference(iterator)
            add((point, 0, found[0], None))
        add((step, found[0]))
        return found[0]

    return {"@lazy": lazy, "@lazy_async": lazy_async, "@lazily": lazily}


def _reference(iterator: object) -> Callable[[], object]:
    """Return what gives an iterator, which may end when the script lets go of it."""
    try:
        return ref(iterator)
    except TypeError:  # of a class with slots
        return lambda: iterator


#: By the identity of a frame: its code and its call id, where a lambda cannot keep that itself.
_known: dict[int, tuple[CodeType, int]] = {}


def call_id_of(frame: FrameType) -> int | None:
    """Return the call id of a frame of instrumented code."""
    found: int | None = frame.f_locals.get(CALL_ID)
    return found


#: The ids of calls, never used twice in a process: a generator may outlive its recording.
next_call_id = itertools.count(1).__next__


class _Forgotten(list[Any]):
    """A log that keeps nothing, for instrumented code that runs outside a recording."""

    __slots__ = ()

    def extend(self, items: Any) -> None:
        """Drop the items."""


@contextmanager
def recording(
    log: Log,
    readers: Mapping[type, Reader] | None = None,
    change: Callable[[Probes], Probes] | None = None,
    lazies: Lazies | None = None,
) -> Iterator[Log]:
    """Write the entries of instrumented code to `log` while the context lasts.

    readers: how to read operands that are not plain, by exact type (`condition_probes.Reader`).
    change: replaces probes by others, to force outcomes (`dyncli.instrument.runtime.force`).  lazies: as of `build`.
    """
    before = {name: getattr(builtins, name) for name in _OUTSIDE}
    readers_before = dict(known_readers)
    probes = build(log, lazies)
    _install(change(probes) if change is not None else probes)
    known_readers.update(readers or {})
    QUIET.update(kind for kind in known_readers if kind.__module__.partition(".")[0] == "dyncore")
    try:
        yield log
    finally:
        _install(before)
        known_readers.clear()
        known_readers.update(readers_before)


@contextmanager
def changed(change: Callable[[Probes], Probes]) -> Iterator[None]:
    """Replace some probes, within a recording, while the context lasts."""
    before = {name: getattr(builtins, name) for name in _OUTSIDE}
    _install(change(dict(before)))
    try:
        yield
    finally:
        _install(before)


def pause() -> None:
    """Record nothing more until the recording ends."""
    _install(_OUTSIDE)


class _Builtins(ModuleType):
    """A module whose names are listed without those of probes."""

    def __dir__(self) -> list[str]:
        return sorted(name for name in self.__dict__ if name[0] != "@")


_Builtins.__name__ = _Builtins.__qualname__ = "module"
_Builtins.__module__ = "builtins"


def script_builtins() -> ModuleType:
    """Create a `builtins` module for one script, so that changes to it stay in that script."""
    own = _Builtins(builtins.__name__, builtins.__doc__)
    own.__dict__.update(builtins.__dict__)
    _spaces.add(own)
    return own


def _install(probes: Probes) -> None:
    for space in (builtins, *_spaces):
        vars(space).update(probes)


_spaces: WeakSet[ModuleType] = WeakSet()  # the builtins of scripts


# Instrumented code may be called when nothing is recorded: after a run, in another process, by a finalizer.
_OUTSIDE = build(_Forgotten())
_install(_OUTSIDE)
