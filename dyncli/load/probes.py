"""What instrumented code calls: each probe adds a few items to the log and gives back what it was given.

    log: list[object] = []
    with probes.recording(log):
        ...                                              # run instrumented code

The log is one flat list, because that is what costs least (120 ns for a decision; 170 ns with a tuple for each).
An entry begins with a point and an activation; the point's role says how many items it has (`program.WIDTHS`):

    ENTER            point, activation, thread, task, the caller's code, the instruction it is at
                     task: a number per asyncio task, or None
    LAZY             point, the definer's activation, the generator expression's, its iterable
    ATOM, SINGLE     point, activation, left, right, outcome      a bare truth test has its value on the left
    OPERAND          the same
    WHOLE            point, activation, outcome
    LOOP, SUBJECT    point, activation, value
    HANDLER          point, activation, name of the exception's type
    others           point, activation

Operands that are plain numbers, strings or None are kept as they are, others as a `Seen`.
An outcome is a bool, or a `Verdict` where more is to be told.
Builtins are bound here once: a script may replace `bool` or `len`, the recorder must not notice.
"""

from __future__ import annotations

import builtins
import itertools
import operator
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import get_ident
from types import ModuleType
from typing import Any
from weakref import WeakSet

from dyncli.load import seen, tasks
from dyncli.load.seen import PLAIN, Reader, Seen, describe, strip, type_name

Log = list[Any]
Probe = Callable[..., Any]
Probes = dict[str, Probe]

#: The files whose frames are no part of a user's traceback.
FILES = frozenset({__file__, seen.__file__, tasks.__file__})
#: Marks frames of this module as none of the user's, as the engine's are: an op's site is looked for further out.
__dyncore__ = True
ACTIVATION = "_dy_a_"
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}
_NAMES = {
    "_dy_lt": "<", "_dy_le": "<=", "_dy_gt": ">", "_dy_ge": ">=", "_dy_eq": "==", "_dy_ne": "!=",
    "_dy_is": "is", "_dy_is_not": "is not", "_dy_in": "in", "_dy_not_in": "not in",
}  # fmt: skip


#: Probes that are added on demand, which do nothing unless `trace.looking` replaces them.
ADDED: Probes = {
    "_dy_look": lambda place, activation: None,
    "_dy_look_at": lambda place, activation, number, value: True,
    "_dy_halt": lambda place: None,
    "_dy_patched": lambda number, place, value: value,
}


class Verdict:
    """The outcome of a test of which more is to be told.

    result: the number of the tensor whose truth was asked.  exception: the name of what was raised instead.
    forced: the outcome that was put in its place.
    """

    __slots__ = ("exception", "forced", "outcome", "result")

    def __init__(self, outcome: bool, result: int | None = None, exception: str | None = None) -> None:
        self.outcome = outcome
        self.result = result
        self.exception = exception
        self.forced: bool | None = None


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


def build(log: Log) -> Probes:
    """The probes that write to `log`, by the names instrumented code calls them by."""
    return {**_running(log), **_loops(log), **_tests(log), **ADDED, "_dy_hide": _hide}


def _running(log: Log) -> Probes:
    """The probes that tell who is running."""
    add = log.extend
    getframe = sys._getframe

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

    def enter_module(point: int, activation: int) -> None:
        add((point, activation, get_ident(), None, None, 0))

    def at(point: int, activation: int) -> None:
        add((point, activation))

    def close(point: int, activation: int, value: Any) -> Any:
        add((point, activation))
        return value

    def caught(point: int, activation: int) -> None:
        error = sys.exception()
        add((point, activation, type_name(error)))
        if error is not None:
            strip(error, FILES)

    return {
        "_dy_enter": enter,
        "_dy_enter_async": enter_async,
        "_dy_enter_module": enter_module,
        "_dy_leave": close,
        "_dy_at": at,
        "_dy_close": close,
        "_dy_caught": caught,
    }


def _loops(log: Log) -> Probes:
    """The probes of loops, comprehensions and `match`."""
    add = log.extend
    lazies: dict[int, tuple[int, object]] = {}
    iter_, id_, chain = iter, id, itertools.chain

    def loop(point: int, activation: int, iterable: Any) -> Any:
        add((point, activation, describe(iterable)))
        return iterable

    def step(point: int, activation: int) -> bool:
        add((point, activation))
        return True

    def lazy(point: int, activation: int, done: int, iterable: Any) -> Any:
        iterator = iter_(iterable)
        own = next_activation()
        add((point, activation, own, describe(iterable)))
        whole = chain(iterator, _End(add, (done, own)))
        lazies[id_(whole)] = own, None
        return whole

    def lazily(point: int, iterator: object) -> int:
        found = lazies.get(id_(iterator))
        if found is None:  # `async for`: its iterator is first seen here, and kept
            found = lazies[id_(iterator)] = next_activation(), iterator
            add((point, 0, found[0], None))
        return found[0]

    return {"_dy_loop": loop, "_dy_step": step, "_dy_lazy": lazy, "_dy_lazily": lazily, "_dy_subject": loop}


def _tests(log: Log) -> Probes:
    """The probes of tests; each asks a truth value exactly once."""
    add = log.extend
    type_, plain = type, PLAIN
    kept: dict[int, Any] = {}
    known: dict[int, bool] = {}

    def settle(point: int, activation: int, left: Any, right: Any, result: Any) -> bool:
        """Reports a test whose operands or result are not plain, and gives its truth."""
        left = describe(left)
        right = describe(right)
        if result is True or result is False:
            add((point, activation, left, right, result))
            return result
        source = describe(result)
        trace = source.trace if type_(source) is Seen else None
        try:
            outcome = True if result else False  # noqa: SIM210  20 ns less than bool()
        except BaseException as error:
            add((point, activation, left, right, Verdict(False, trace, type_name(error))))
            kept.pop(activation, None)
            raise
        add((point, activation, left, right, outcome if trace is None else Verdict(outcome, trace)))
        return outcome

    def failed(point: int, activation: int, left: Any, right: Any, error: BaseException) -> None:
        add((point, activation, describe(left), describe(right), Verdict(False, None, type_name(error))))
        kept.pop(activation, None)

    def comparison(compare: Callable[[Any, Any], Any]) -> Probe:
        def probe(point: int, activation: int, left: Any, right: Any) -> bool:
            try:
                result = compare(left, right)
            except BaseException as error:
                failed(point, activation, left, right, error)
                raise
            if type_(left) in plain and type_(right) in plain:
                add((point, activation, left, right, result))
                return result  # type: ignore[no-any-return]
            return settle(point, activation, left, right, result)

        return probe

    def truth(point: int, activation: int, value: Any) -> bool:
        if type_(value) in plain:
            outcome = True if value else False  # noqa: SIM210
            add((point, activation, value, None, outcome))
            return outcome
        return settle(point, activation, value, None, value)

    def test(point: int, activation: int, value: Any) -> bool:
        outcome = True if value else False  # noqa: SIM210
        add((point, activation, outcome))
        return outcome

    def test_chain(point: int, activation: int, outcome: Any) -> bool:
        kept.pop(activation, None)  # the middle of `a < b < c`, when `a < b` is false
        return test(point, activation, outcome)

    # `and`, `or` as values: the operand that decides waits at its activation for one step

    def keep(activation: int, value: Any) -> Any:
        kept[activation] = value
        return value

    def take_false(activation: int) -> Any:
        known[activation] = False
        return kept.pop(activation)

    def take_true(activation: int) -> Any:
        known[activation] = True
        return kept.pop(activation)

    def stopping(on: bool) -> tuple[Probe, Probe, Probe]:
        """The tests that stop when an operand is `on`: of a value, of one whose truth may be known, of a comparison."""

        def stop(point: int, activation: int, value: Any) -> bool:
            if type_(value) in plain:
                outcome = True if value else False  # noqa: SIM210
                add((point, activation, value, None, outcome))
            else:
                outcome = settle(point, activation, value, None, value)
            if outcome is not on:
                return False
            kept[activation] = value
            return True

        def stop_known(point: int, activation: int, value: Any) -> bool:
            if activation not in known:
                return stop(point, activation, value)
            outcome = known.pop(activation)
            add((point, activation, describe(value), None, outcome))
            if outcome is not on:
                return False
            kept[activation] = value
            return True

        def stop_compare(point: int, activation: int, symbol: str, left: Any, right: Any) -> bool:
            try:
                result = COMPARE[symbol](left, right)
            except BaseException as error:
                failed(point, activation, left, right, error)
                raise
            if settle(point, activation, left, right, result) is not on:
                return False
            kept[activation] = result
            return True

        return stop, stop_known, stop_compare

    stop_false, stop_false_known, stop_false_compare = stopping(False)
    stop_true, stop_true_known, stop_true_compare = stopping(True)
    return {
        **{name: comparison(COMPARE[symbol]) for name, symbol in _NAMES.items()},
        "_dy_truth": truth,
        "_dy_test": test,
        "_dy_test_chain": test_chain,
        "_dy_keep": keep,
        "_dy_kept": kept.pop,
        "_dy_kept_false": take_false,
        "_dy_kept_true": take_true,
        "_dy_stop_false": stop_false,
        "_dy_stop_false_known": stop_false_known,
        "_dy_stop_false_compare": stop_false_compare,
        "_dy_stop_true": stop_true,
        "_dy_stop_true_known": stop_true_known,
        "_dy_stop_true_compare": stop_true_compare,
    }


def _hide(namespace: Any) -> Any:
    """What `locals()`, `vars()` or `dir()` gave, without the recorder's own variable."""
    if type(namespace) is dict:
        namespace.pop(ACTIVATION, None)
    elif type(namespace) is list and ACTIVATION in namespace:
        namespace.remove(ACTIVATION)
    return namespace


#: The numbers of activations, never used twice in a process: a generator may outlive its recording.
next_activation = itertools.count(1).__next__


class _Forgotten(list[Any]):
    """A log that keeps nothing, for instrumented code that runs outside a recording."""

    __slots__ = ()

    def extend(self, items: Any) -> None:
        """Keeps nothing."""


@contextmanager
def recording(
    log: Log, readers: Mapping[type, Reader] | None = None, change: Callable[[Probes], Probes] | None = None
) -> Iterator[Log]:
    """Lets instrumented code write to `log` while the context is open.

    readers: how to read operands that are not plain, by exact type (`seen.Reader`).
    change: replaces probes by others, to force outcomes (`dyncli.load.force`).
    """
    before = {name: getattr(builtins, name) for name in _OUTSIDE}
    readers_before = dict(seen.readers)
    probes = build(log)
    _install(change(probes) if change is not None else probes)
    seen.readers.update(readers or {})
    try:
        yield log
    finally:
        _install(before)
        seen.readers.clear()
        seen.readers.update(readers_before)


def pause() -> None:
    """Lets instrumented code report nothing more until the recording ends."""
    _install(_OUTSIDE)


def script_builtins() -> ModuleType:
    """A module `builtins` for one script: what it redefines there is redefined for it alone."""
    own = ModuleType(builtins.__name__, builtins.__doc__)
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
