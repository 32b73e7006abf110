"""The decision log of one run: loading a script with probes, what was decided then, and the replay of the log.

A script that decides for ever must not fill the memory: the log is looked at now and then, by a timer that counts
processor time and so disturbs no waiting.  Past its bound the middle is taken out, again and again: how a run began and
how it went on last are both kept.
"""

from __future__ import annotations

import signal
import sys
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from itertools import accumulate, takewhile
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dyncli.analysis.loading import LOAD
from dyncli.instrument.runtime import probes
from dyncli.instrument.runtime.condition_probes import PLAIN, Reader
from dyncli.instrument.runtime.importer import Importer, Maker
from dyncli.recorder.decisions.log_gap import Gap, beginning, shortened
from dyncli.recorder.decisions.replay import Mark, Where, entered, replay
from dyncli.recorder.engine import Listener, Parameter, Size, Tensor, listen
from dyncli.recorder.events.event_log import EventLog, user_frame
from dyncli.recorder.naming import placed
from dyncli.recorder.provenance.call_frames import Draft
from dyncli.recorder.provenance.provenance import Provenance, Shape
from dyncli.recorder.settings import held_too_long
from dyncli.records.columns import ScopeRows, Shared
from dyncli.records.digest import blake2b
from dyncli.records.model import Calls, Decision, Site, Source

if TYPE_CHECKING:
    from dyncli.instrument.program import Program
    from dyncli.instrument.runtime.force import Forced, Pin
    from dyncli.instrument.runtime.live_functions import LiveFunctions
    from dyncli.recorder.debug.watchpoints import DebugProbes
    from dyncli.recorder.tables.assemble import Assembly

BEFORE = -1  # the number of every tensor that is tested while the script is loaded: no op of the run made it
MOST_ESCAPES = 100_000
MOST_AT_LOAD = 200_000  # items of the log, some 30,000 decisions
MOST_ITEMS = 2_000_000  # some 300,000 decisions, 2 s to play again
MOST_OF_STOPPED = 70_000  # some 10,000 decisions: 20 MB of `--json`, 500 MB without
_INTERRUPTING = [number for name in ("SIGALRM", "SIGINT") if (number := getattr(signal, name, None)) is not None]
_PERIOD_SECONDS = 0.02

_getframe = sys._getframe


class LoadingListener(Listener):
    """The listener of loading.  log: the decision log; escapes: as of an event log."""

    def __init__(self, log: list[Any]) -> None:
        self.log = log
        self.escapes: list[tuple[int, str, Any, int, Any, int]] = []

    def escape(self, tensor: Tensor, how: str, value: Any) -> None:
        if len(self.escapes) >= MOST_ESCAPES:
            return
        frame = user_frame(_getframe(2))
        kept = value if value.__class__ in PLAIN else None
        self.escapes.append((BEFORE, how, kept, len(self.log), frame.f_code, frame.f_lasti))


def _of_run(where: Where | None, before_run: int, shared: Shared) -> int | None:
    """Return the controlling decision of an op, from the first of the run, as the one object of that number."""
    if where is None or where.under is None or where.under < before_run:
        return None
    number: int = shared[where.under - before_run]
    return number


def split_loading(
    decisions: tuple[Decision, ...], scopes: ScopeRows, shared: Shared
) -> tuple[tuple[Decision, ...], tuple[Decision, ...]]:
    """Separate the decisions of loading from those of the run; number each from 0, and adjust the scopes.

    No decision of the run stands under one of loading.
    """
    count = sum(1 for _ in takewhile(lambda decision: decision.phase == LOAD, decisions))
    if not count:
        return (), decisions

    def moved(number: int | None) -> int | None:
        return None if number is None or number < count else shared[number - count]

    loading = tuple(
        decision._replace(until=None if decision.until is None else min(decision.until, count))
        for decision in decisions[:count]
    )
    run = tuple(
        decision._replace(seq=shared[number], under=moved(decision.under), until=moved(decision.until))
        for number, decision in enumerate(decisions[count:])
    )
    scopes.drop_decisions(count)
    return loading, run


class Decided(NamedTuple):
    """Contents of the log.  op_scopes, op_under: for each op of the event log, its scope and its controlling decision.

    made: as of `Replayed`.
    """

    decisions: tuple[Decision, ...]
    loading: tuple[Decision, ...]
    scopes: ScopeRows
    signature: str
    op_scopes: list[int]
    op_under: list[int | None]
    calls: tuple[Calls, ...]
    made: tuple[tuple[str, int, str], ...]


class Decisions:
    """The log of one run.

    force: the arms to be forced.  keep: whether `kept` is to hold what the decisions were made from.
    make_debug_probes: makes the probes of `--watch`, `--break` and `--patch` for a program.
    importer: of the script, or the functions of this process that are recorded.
    run_start: how long the log was when the run began, after loading.
    """

    def __init__(
        self,
        force: tuple[str, ...] = (),
        *,
        keep: bool = False,
        make_debug_probes: Callable[[Program], DebugProbes | None] | None = None,
        importer: Importer | LiveFunctions,
    ) -> None:
        self.log: list[Any] = []
        self.importer = importer
        self.pins: tuple[Pin, ...] = ()
        self.forced: Forced | None = None
        self.prepared: Path | None = None
        self.cap = Cap(self.log, self.importer.program)
        self.called_before: set[int] = set()
        self.run_start = 0
        self.never_ran = False
        self.maker = Maker(self.importer.program)
        self.lazies: probes.Lazies = {}
        self.left_at_load = 0
        self.loading_listener = LoadingListener(self.log)
        self.keep = keep
        self.kept: tuple[Sequence[Draft | Decision], Provenance] | None = None
        self.debug_probes = make_debug_probes(self.importer.program) if make_debug_probes is not None else None
        if self.debug_probes is not None:
            self.importer.program.debug_request = self.debug_probes.debug_request
        if force:
            from dyncli.instrument.runtime.force import parse

            self.pins = parse(force)
            self.importer.program.pinned = True
            self.importer.program.chosen = frozenset(pin.line for pin in self.pins)

    def prepare(self, path: Path, display: str) -> None:
        """Instrument the script without running it, and find the decisions to be forced."""
        assert isinstance(self.importer, Importer)
        self.importer.prepare(path, display)
        self.prepared = path
        if self.debug_probes is not None:
            self.debug_probes.check(display)
        if self.pins:
            from dyncli.instrument.runtime.force import Forced

            self.forced = Forced(self.pins, self.importer.program, self.log, held_too_long)

    def execute(self, path: Path, display: str, name: str) -> ModuleType:
        """Run a script with probes."""
        assert isinstance(self.importer, Importer)
        if self.prepared != path:
            self.prepare(path, display)
            if self.forced is not None:  # loading began before they were known
                with probes.changed(self.forced.change):
                    return self.importer.execute(path, display, name)
        return self.importer.execute(path, display, name)

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Write the script's entries before the run to the log, and collect the functions called then."""
        log, program = self.log, self.importer.program
        change = self._change()
        with (
            self.importer.recording(log, self._readers(lambda tensor: BEFORE), change, self.lazies),
            capped(Cap(log, program, ([], [], []), MOST_AT_LOAD)) as cap,
            listen(self.loading_listener),
        ):
            try:
                yield
            except BaseException:  # how it went on last is to be seen
                self.cap, self.run_start, self.never_ran = cap, len(log), True
                raise
        self._loaded(cap)

    def _loaded(self, cap: Cap) -> None:
        """Cut what was written while the script was loaded to at most MOST_AT_LOAD items."""
        log, program = self.log, self.importer.program
        cut = cap.gap if cap.cuts else None
        if cut is not None or len(log) > MOST_AT_LOAD:
            rest = beginning(program, log, MOST_AT_LOAD if cut is None else min(cut.at, MOST_AT_LOAD))
            rest.skip(program, log, len(log))
            for gap in filter(None, (cut, rest)):
                self.left_at_load += gap.decisions
                self.called_before |= set(gap.calls)
        self.called_before |= entered(program, log)
        self.run_start = len(log)

    @property
    def left_out(self) -> int:
        """Return how many decisions in the middle of the run are not in the log."""
        return self.cap.gap.decisions if self.cap.gap is not None else 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Forced arms in modules that were never imported, and files too deeply nested for probes."""
        waiting = self.forced.waiting if self.forced is not None else ()
        deep = self.importer.program.left_out
        left_out = self.left_out
        early = self.left_at_load
        return (
            *(f"`{pin.text}` forced nothing: that file was not imported" for pin in waiting),
            *([f"{early:,} decisions made while the script was loaded are left out of the log"] if early else ()),
            *([f"{left_out:,} decisions in the middle of the run are left out of the log"] if left_out else ()),
            *(f"the decisions of {file} are not recorded: it is nested too deeply" for file in deep),
        )

    @contextmanager
    def recording(self, log: EventLog) -> Iterator[None]:
        """Write the script's entries to the log; tested tensors are numbered as in `events`."""
        readers = self._readers(log.tensors.number) | dict(log.readers)
        change = self._change()
        self.cap = Cap(self.log, self.importer.program, (log.ops, log.escapes, log.between_ops))
        with self.importer.recording(self.log, readers, change, self.lazies), capped(self.cap):
            yield

    def _readers(self, number: Callable[[Any], int]) -> dict[type, Reader]:
        """Return how operands are read where they are tested; `number` gives that of a tensor."""

        def read(tensor: Any) -> tuple[Any, int | None]:
            array = tensor._array
            known = number(tensor)
            if array.ndim == 0 or array.size == 1:
                return array.item(), known
            return {"type": "Tensor", "shape": tuple(array.shape)}, known

        return {Tensor: read, Parameter: read, Size: _read_size, np.ndarray: _read_array, np.generic: _read_number}

    def _change(self) -> Callable[[probes.Probes], probes.Probes]:
        """Return the function that replaces some probes: for made code, forced arms, watchpoints and patches."""
        forced, debug_probes = self.forced, self.debug_probes

        def change(names: probes.Probes) -> probes.Probes:
            plain = names["@code"]
            names = {**names, "@code": lambda *given: self.maker.probe(plain, *given)}
            names = forced.change(names) if forced is not None else names
            return debug_probes.change(self.log, names) if debug_probes is not None else names

        return change

    def shorten(self) -> None:
        """Keep only the beginning and the end of the log of a stopped run."""
        if not self.never_ran:
            self.cap.shorten(self.run_start)

    def replayed(self, log: EventLog, assembly: Assembly, *, stopped: bool = False) -> Decided:
        """Return the log as decisions, with the scope and the controlling decision of every op."""
        before = [(0, "phase", LOAD), (self.run_start, "run", None)] if self.run_start else []
        marks = before + _marks(log, self.cap)
        program = self.importer.program
        positions = self.cap.positions(1, (escape[3] for escape in log.escapes))
        escapes = [(*escape[:3], at, *escape[4:6]) for escape, at in zip(log.escapes, positions, strict=True)]
        early = [escape for escape in self.loading_listener.escapes if escape[3] <= self.run_start]
        provenance = Provenance(program, assembly.op_of, early + escapes, self._entered, assembly.is_drawn)
        found = replay(program, self.log, marks, provenance, self.cap.gap, shared=assembly.shared, stopped=stopped)
        loading, decisions = (
            ((), found.decisions) if self.never_ran else split_loading(found.decisions, found.scopes, assembly.shared)
        )
        before_run = len(loading)
        if self.keep:
            self.kept = found.drafts[before_run:], provenance
        places = [where for where, mark in zip(found.places, marks, strict=True) if mark[1] == "op"]
        return Decided(
            decisions,
            loading,
            found.scopes,
            found.signature,
            [0 if where is None else where.scope for where in places],
            [_of_run(where, before_run, assembly.shared) for where in places],
            self._calls(found.calls),
            found.made,
        )

    def _entered(self) -> set[int]:
        """Return the numbers of the functions that were called, while the script was loaded and after."""
        gap = set() if self.cap.gap is None else set(self.cap.gap.calls)
        return self.called_before | entered(self.importer.program, self.log) | gap

    def _calls(self, found: tuple[Calls, ...]) -> tuple[Calls, ...]:
        """Append the functions that were called only before the run, with 0 calls."""
        known = {(calls.file, calls.line, calls.function) for calls in found}
        functions = [self.importer.program.functions[number] for number in sorted(self.called_before)]
        before = [Calls(each.file, each.line, each.name, 0, 0) for each in functions if each.kind != "module"]
        return (*found, *(calls for calls in before if (calls.file, calls.line, calls.function) not in known))

    @property
    def reached(self) -> tuple[str, ...]:
        """The forced arms that were in force at least once."""
        return self.forced.reached if self.forced is not None else ()

    @property
    def sites(self) -> tuple[Site, ...]:
        """Every decision site of the script and its neighbours, reached or not."""
        return self.importer.program.sites

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files that ran."""
        return tuple(
            Source(file, blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(), text)
            for file, text in self.importer.program.sources.items()
        )


def _read_size(size: Size) -> tuple[Any, int | None]:
    return Shape(size), None


def _read_array(array: Any) -> tuple[Any, int | None]:
    if array.size == 1 and array.dtype.kind in "biuf":
        return array.item(), None
    return {"type": "ndarray", "shape": tuple(array.shape)}, None


def _read_number(number: Any) -> tuple[Any, int | None]:
    value = number.item()
    plain = type(value) in (bool, int, float, str)
    return (value if plain else {"type": type(number).__name__}), None


def _marks(log: EventLog, cap: Cap) -> list[Mark]:
    """Return what happened between two entries of the log, in the order in which it happened."""
    lines: dict[tuple[CodeType, int], tuple[str, int, CodeType, int]] = {}
    ops: list[tuple[int, int, int, str, Any]] = []
    places = [*log.ops.places()]
    at_ops = cap.positions(0, (at for at, _, _ in places))
    for number, (_, code, lasti) in enumerate(places):
        key = code, lasti
        where = lines.get(key)
        if where is None:
            found = placed(*key)
            where = lines[key] = (found.file, found.line, *key)
        ops.append((at_ops[number], number, 1, "op", where))
    at_turns = cap.positions(2, (turn[0] for turn in log.transitions))
    turns = [(at, count, 0, what, more) for at, (_, count, what, more) in zip(at_turns, log.transitions, strict=True)]
    return [(at, what, more) for at, _, _, what, more in sorted(ops + turns, key=lambda each: each[:3])]


class Cap:
    """The limit on a log's length.  noted: lists that grow with the log and hold its length then, such as the ops."""

    def __init__(self, log: list[Any], program: Program, noted: Iterable[Sized] = (), most: int | None = None) -> None:
        self.log, self.program, self.most = log, program, MOST_ITEMS if most is None else most
        self.noted = list(noted)
        self.gap: Gap | None = None
        self.bounds: list[int] = []  # lengths of the log, where an entry begins
        self.cuts: list[tuple[list[int], int]] = []

    def look(self) -> None:
        """Take the middle out of a log longer than its bound, keeping a tenth of the bound at the end if possible."""
        length = len(self.log)
        if length >= self.most * 2 // 3:
            if self.gap is None:
                self.gap = Gap(length)
            self.bounds.append(length)
        if length <= self.most or self.gap is None:
            return
        ends = [bound for bound in self.bounds[:-1] if bound <= length - self.most // 10] or self.bounds[:-1]
        if not ends or ends[-1] <= self.gap.at:
            return
        taken = ends[-1] - self.gap.at
        self.gap.skip(self.program, self.log, ends[-1])
        self.cuts.append(([len(each) for each in self.noted], taken))
        self.bounds = [bound - taken for bound in self.bounds if bound >= ends[-1]]

    def shorten(self, begun: int, most: int | None = None) -> None:
        """Take out more of the middle of what was written since `begun`, once the run is over."""
        length = len(self.log)
        most = MOST_OF_STOPPED if most is None else most
        if length - begun > most:
            self.gap = shortened(self.log, self.program, begun, most, self.gap if self.cuts else None)
            self.cuts.append(([len(each) for each in self.noted], length - len(self.log)))

    def positions(self, which: int, lengths: Iterable[int]) -> list[int]:
        """Convert the positions of `noted[which]` to the log of now; `lengths` were the log's when they were made."""
        lengths = list(lengths)
        if self.gap is None or not self.cuts:
            return lengths
        counts = [cut[0][which] for cut in self.cuts]
        before = [0, *accumulate(taken for _, taken in self.cuts)]
        head, total = self.gap.at, before[-1]
        whole = (length + before[bisect_right(counts, place)] for place, length in enumerate(lengths))
        return [at if at <= head else max(head, at - total) for at in whole]


@contextmanager
def capped(cap: Cap) -> Iterator[Cap]:
    """Check the log's length on a timer; without one, or off the main thread, never."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield cap
        return

    looking = False

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal looking
        if looking:  # the timer goes on meanwhile
            return
        looking = True
        try:
            masked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
            try:  # blocking runs handlers that are due, which may raise once the signals are blocked
                signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTING)
                cap.look()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        finally:
            looking = False

    before: Any = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, _PERIOD_SECONDS, _PERIOD_SECONDS)
    try:
        yield cap
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
