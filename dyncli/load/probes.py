"""What instrumented code calls: each probe adds a few items to the log and gives back what it was given.

    log: list[object] = []
    with probes.recording(log):
        ...                                              # run instrumented code

The log is one flat list, because that is what costs least (120 ns for a decision; 170 ns with a tuple for each).
An entry begins with a point and an activation; the point's role says how many items it has (`program.WIDTHS`):

    ENTER            point, activation, thread, task, the caller's code, the instruction it is at
                     task: a number per asyncio task, or None
    LAZY             point, the definer's activation, the generator expression's, its iterable
    CONDITION, SINGLE     point, activation, left, right, outcome      a bare truth test has its value on the left
    OPERAND          the same
    WHOLE            point, activation, outcome
    LOOP, SUBJECT    point, activation, value
    HANDLER          point, activation, name of the exception's type
    LEFT             point, 0, the code of a `with` that an exception leaves, the instruction it is at
    others           point, activation

Operands that are plain numbers, strings or None are kept as they are, others as a `Seen`.
An outcome is a bool, or an `asking.Verdict` where more is to be told.
Builtins are bound here once: a script may replace `bool` or `len`, the recorder must not notice.
"""

from __future__ import annotations

import builtins
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import get_ident
from types import FrameType, ModuleType
from typing import Any
from weakref import WeakSet, ref

from dyncli.load import asking, forced_arms, seen, tasks
from dyncli.load.forced_arms import ARMS
from dyncli.load.seen import UNSEEN, Reader, describe, name_of, strip
from dyncli.load.unheard import unheard

Log = list[Any]
Probe = Callable[..., Any]
Probes = dict[str, Probe]
#: The point of every `LEFT` (`program.Program`).
LEFT_POINT = 0
#: By the identity of an iterator: its activation; if it is asynchronous, what gives it while it lives.
Lazies = dict[int, tuple[int, Callable[[], object] | None]]

#: The files whose frames are no part of a user's traceback.
FILES = frozenset({__file__, asking.__file__, forced_arms.__file__, seen.__file__, tasks.__file__})
#: Marks frames of this module as none of the user's, as the engine's are: an op's site is looked for further out.
__dyncore__ = True
#: Probes that are added on demand, which do nothing unless `trace.looking` or `force` replaces them.
ADDED: Probes = {
    "_dy_look": lambda place, activation: None,
    "_dy_look_at": lambda place, activation, number, value: True,
    "_dy_halt": lambda place: None,
    "_dy_patched": lambda number, place, value: value,
    "_dy_open": lambda activation, key, index: True,
    "_dy_chosen": lambda activation, key, index: False,
    "_dy_arms": ARMS,  # type: ignore[dict-item]
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
    """The probes that write to `log`, by the names instrumented code calls them by.

    lazies: the generator expressions that are known already, where a log is written on.
    """
    return {
        **_running(log),
        **_loops(log, {} if lazies is None else lazies),
        **asking.probes(log),
        **ADDED,
    }


def _running(log: Log) -> Probes:
    """The probes that tell who is running."""
    add = log.extend
    getframe, id_ = sys._getframe, id
    exec_, eval_, type_, exception = exec, eval, type, sys.exception

    def enter(point: int) -> int:
        activation = next_activation()
        try:
            caller = getframe(2)
        except ValueError:  # called by nothing that is Python
            add((point, activation, get_ident(), None, None, 0))
            return activation
        add((point, activation, get_ident(), None, caller.f_code, caller.f_lasti))
        return activation

    def enter_async(point: int) -> int:
        activation = next_activation()
        caller = getframe(2)
        add((point, activation, get_ident(), tasks.task_number(), caller.f_code, caller.f_lasti))
        return activation

    def enter_known(point: int) -> int:
        frame = getframe(1)
        caller = frame.f_back
        activation = _known[id_(frame)] = next_activation()
        if caller is None:
            add((point, activation, get_ident(), None, None, 0))
        else:
            add((point, activation, get_ident(), None, caller.f_code, caller.f_lasti))
        return activation

    def enter_async_known(point: int) -> int:
        frame = getframe(1)
        caller: Any = frame.f_back
        activation = _known[id_(frame)] = next_activation()
        add((point, activation, get_ident(), tasks.task_number(), caller.f_code, caller.f_lasti))
        return activation

    def enter_module(point: int, activation: int) -> None:
        add((point, activation, get_ident(), None, None, 0))

    def at(point: int, activation: int) -> None:
        add((point, activation))

    def close(point: int, activation: int, value: Any) -> Any:
        add((point, activation))
        return value

    def made(point: int, activation: int, function: Any, *given: Any) -> tuple[Any, ...]:
        if function is exec_ or function is eval_:
            add((point, activation))
        return given

    def caught(point: int, activation: int) -> None:
        error: Any = sys.exception()
        add((point, activation, name_of(type_(error))))
        try:
            strip(error, FILES)
        except RecursionError:  # near the limit the script's handler comes first
            return

    def finally_(point: int, activation: int) -> None:
        add((point, activation))
        if exception() is not None:
            handled()

    def handled() -> None:
        """Shows a script an exception without the frames of the recorder."""
        error = exception()
        if error is not None:
            try:
                strip(error, FILES)
            except RecursionError:
                return

    def left() -> None:
        """The same before an `__exit__`, which may be a library's and call the script's own."""
        frame = getframe(1)
        add((LEFT_POINT, 0, frame.f_code, frame.f_lasti))
        handled()

    return {
        "_dy_finally": finally_,
        "_dy_handled": left,
        "_dy_enter": enter,
        "_dy_enter_async": enter_async,
        "_dy_enter_known": enter_known,
        "_dy_enter_async_known": enter_async_known,
        "_dy_within": _within,
        "_dy_within_known": _within_known,
        "_dy_enter_module": enter_module,
        "_dy_leave": close,
        "_dy_at": at,
        "_dy_close": close,
        "_dy_code": made,
        "_dy_caught": caught,
    }


def _loops(log: Log, lazies: Lazies) -> Probes:
    """The probes of loops, comprehensions and `match`."""
    add = log.extend
    iter_, id_, chain = iter, id, itertools.chain

    def loop(point: int, activation: int, iterable: Any) -> Any:
        try:
            value = describe(iterable)
        except RecursionError:
            value = UNSEEN
        add((point, activation, value))
        return iterable

    def only(point: int, activation: int, value: Any, kind: str) -> Any:
        add((point, activation, describe([value] if kind == "list" else (value,))))
        return value

    def step(point: int, activation: int) -> bool:
        add((point, activation))
        return True

    def stepped(point: int, activation: int, value: Any) -> Any:
        add((point, activation))
        return value

    def lazy(point: int, activation: int, done: int, iterable: Any) -> Any:
        iterator = iter_(iterable)
        own = next_activation()
        add((point, activation, own, describe(iterable)))
        whole = chain(iterator, _End(add, (done, own)))
        lazies[id_(whole)] = own, None
        return whole

    def lazily_known(point: int, iterator: object) -> int:
        activation = _known[id_(sys._getframe(1))] = lazily(point, iterator)
        return activation

    def lazily(point: int, iterator: object) -> int:
        found = lazies.get(id_(iterator))
        if found is None or (found[1] is not None and found[1]() is not iterator):  # `async for`: first seen here
            found = lazies[id_(iterator)] = next_activation(), _reference(iterator)
            add((point, 0, found[0], None))
        return found[0]

    return {
        "_dy_loop": loop,
        "_dy_only": only,
        "_dy_step": step,
        "_dy_stepped": stepped,
        "_dy_lazy": lazy,
        "_dy_lazily": lazily,
        "_dy_lazily_known": lazily_known,
        "_dy_subject": loop,
    }


def _reference(iterator: object) -> Callable[[], object]:
    """What gives an iterator, which may end when the script lets go of it."""
    try:
        return ref(iterator)
    except TypeError:  # of a class with slots
        return lambda: iterator


#: The activations of frames that others ask for theirs: a class body in a function, a comprehension on Python 3.11.
_known: dict[int, int] = {}
_GENERIC = "<generic parameters of "


def _within() -> int:
    """The activation that code runs in which is called by what it stands in."""
    return _known_around(sys._getframe(1))


def _within_known() -> int:
    """The same, kept for code that stands in this."""
    frame = sys._getframe(1)
    activation = _known[id(frame)] = _known_around(frame)
    return activation


def _known_around(frame: FrameType) -> int:
    around = frame.f_back
    while around is not None and around.f_code.co_name.startswith(_GENERIC):
        around = around.f_back
    while around is not None and id(around) not in _known:  # a script may have its own `__build_class__`
        around = around.f_back
    return 0 if around is None else _known[id(around)]


def activation_of(frame: FrameType) -> int | None:
    """The activation of a frame that keeps it, as all do where something more is wanted of a program."""
    return _known.get(id(frame))


#: The numbers of activations, never used twice in a process: a generator may outlive its recording.
next_activation = itertools.count(1).__next__


class _Forgotten(list[Any]):
    """A log that keeps nothing, for instrumented code that runs outside a recording."""

    __slots__ = ()

    def extend(self, items: Any) -> None:
        """Keeps nothing."""


@contextmanager
def recording(
    log: Log,
    readers: Mapping[type, Reader] | None = None,
    change: Callable[[Probes], Probes] | None = None,
    lazies: Lazies | None = None,
) -> Iterator[Log]:
    """Lets instrumented code write to `log` while the context is open.

    readers: how to read operands that are not plain, by exact type (`seen.Reader`).
    change: replaces probes by others, to force outcomes (`dyncli.load.force`).  lazies: as of `build`.
    """
    before = {name: getattr(builtins, name) for name in _OUTSIDE}
    readers_before = dict(seen.readers)
    probes = build(log, lazies)
    _install(change(probes) if change is not None else probes)
    seen.readers.update(readers or {})
    try:
        with unheard():
            yield log
    finally:
        _install(before)
        seen.readers.clear()
        seen.readers.update(readers_before)


@contextmanager
def changed(change: Callable[[Probes], Probes]) -> Iterator[None]:
    """Puts other probes in the place of some while the context is open, within a recording."""
    before = {name: getattr(builtins, name) for name in _OUTSIDE}
    _install(change(dict(before)))
    try:
        yield
    finally:
        _install(before)


def pause() -> None:
    """Lets instrumented code report nothing more until the recording ends."""
    _install(_OUTSIDE)


class _Builtins(ModuleType):
    """A module whose names are listed without those of probes."""

    def __dir__(self) -> list[str]:
        return sorted(name for name in self.__dict__ if not name.startswith("_dy_"))


_Builtins.__name__ = _Builtins.__qualname__ = "module"
_Builtins.__module__ = "builtins"


def script_builtins() -> ModuleType:
    """A module `builtins` for one script: what it redefines there is redefined for it alone."""
    own = _Builtins(builtins.__name__, builtins.__doc__)
    own.__dict__.update(builtins.__dict__)
    _spaces.add(own)
    return own


def _install(probes: Probes) -> None:
    for space in (builtins, *_spaces):
        for name, probe in probes.items():
            setattr(space, name, probe)


_spaces: WeakSet[ModuleType] = WeakSet()  # the builtins of scripts


# Instrumented code may be called when nothing is recorded: after a run, in another process, by a finalizer.
_OUTSIDE = build(_Forgotten())
_install(_OUTSIDE)
