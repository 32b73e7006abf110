"""The log of a run, played again offline: decisions, scopes, and where each op stood.

    replayed = replay(program, log, marks)
    replayed.decisions, replayed.scopes, replayed.signature
    replayed.places[number]                              # scope and controlling decision of marks[number]

The log says what was reached, in which activation; everything else follows from the program's tables.
An entry closes every construct of its activation that cannot be open at its point (`Point.chain`).
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import Any, NamedTuple

from dyncli.instrument.program import Construct, Point, Program, Role
from dyncli.recorder.decisions.constructs import Deciding
from dyncli.recorder.decisions.finish import finished, signature
from dyncli.recorder.decisions.log_gap import Gap
from dyncli.recorder.provenance.call_frames import Activation, Draft, Open, Plan, ScopeNode
from dyncli.recorder.provenance.provenance import Provenance
from dyncli.records.columns import Shared
from dyncli.records.model import Calls, Decision, Scope

#: Something that happened between two entries: (length of the log then, what, more).  What: `op` or `escape`, more
#: being (path, line, code, instruction) or None; `enter` a module, more being its name; `exit` it; `phase`, more being
#: its name; `run` begins the run itself, after the script was loaded.
Mark = tuple[int, str, Any]

_NO_CONSTRUCT = Construct("", 0, "", 0)
_MODULE = -2  # the key of a module that was entered: it is in no chain


class Where(NamedTuple):
    """Where an op or an escape stood: its scope, the decision it ran under, and the functions on the stack."""

    scope: int
    under: int | None
    call_path: tuple[str, ...]


class Replayed(NamedTuple):
    """The contents of a log.  places: one for each mark, None for those that are no op and no escape.

    calls: of every function that was called.  drafts: what the decisions were made from.
    made: where code was made by `exec` or `eval`, each with its file, its line and which of them.
    """

    decisions: tuple[Decision, ...]
    scopes: tuple[Scope, ...]
    places: tuple[Where | None, ...]
    signature: str
    calls: tuple[Calls, ...] = ()
    drafts: Sequence[Draft | Decision] = ()
    made: tuple[tuple[str, int, str], ...] = ()


class Replay(Deciding):
    """The state while a log is played."""

    def __init__(
        self,
        program: Program,
        log: Sequence[Any],
        marks: Sequence[Mark],
        provenance: Provenance,
        gap: Gap | None,
        shared: Shared,
        stopped: bool,
    ) -> None:
        super().__init__(program, log, provenance, shared)
        self.gap, self.stopped = gap, stopped
        self.marks = marks
        self.places: list[Where | None] = []
        self.modules: list[Activation] = []
        self.recomputing: list[Activation] = []  # who ran backward, of each recomputation that is not over
        self.made: set[int] = set()

    def _plan(self, point: Point) -> Plan:
        step = getattr(self, f"_{point.role.handler}")
        construct = self.program.constructs[point.key] if point.key >= 0 else _NO_CONSTRUCT
        condition = point.role in (Role.CONDITION, Role.SINGLE, Role.OPERAND)
        silent = condition and not self.provenance.may_tell(construct)
        return Plan(
            step, point.role.width, point.role in (Role.ENTER, Role.LAZY), point.role, point.key,
            point.chain, point.index, point.function, construct,
            construct.conditions[point.index] if condition else None, silent,
        )  # fmt: skip

    def play(self) -> None:
        """Replay the whole log."""
        log, activations = self.log, self.activations
        plans = self.plans = [self._plan(point) for point in self.program.points]
        marks, next_mark = self.marks, 0
        length, at = len(log), 0
        gap_at = -1 if self.gap is None else self.gap.at
        mark_at = marks[0][0] if marks else length
        while at < length:
            while mark_at <= at:
                self._mark(marks[next_mark])
                next_mark += 1
                mark_at = marks[next_mark][0] if next_mark < len(marks) else length
            self.at = at
            if at == gap_at:
                self._cross()
            plan = plans[log[at]]
            if plan.begins:
                plan.step(plan, self.root)
            else:
                activation = activations.get(log[at + 1]) or self._unknown(plan, log[at + 1])
                if activation.thread != self.current.thread:
                    self._switch_thread(activation.thread)
                plan.step(plan, activation)
            at += plan.width
        for mark in marks[next_mark:]:
            self._mark(mark)
        self._finish()

    def _made(self, point: Plan, activation: Activation) -> None:
        self._unwind_to(activation, point)
        self.made.add(self.log[self.at])

    # Between the entries

    def _mark(self, mark: Mark) -> None:
        _, what, more = mark
        place = None
        if what == "op" or what == "escape":
            if more is not None:
                self._return_to(*more)
            scope = self.current.scope
            self.current.trace_callers(self.epoch)
            place = Where(self.scopes.number(scope), scope.under, self.current.path)
        elif what == "enter":
            outer = self.current.scope
            self.current.open.append(Open(_MODULE, outer, ScopeNode(outer, "module", more)))
            self.modules.append(self.current)
        elif what == "exit":
            self._leave_module()
        elif what == "phase":
            self.phase = more
            if more == "recompute":
                self.recomputing.append(self.current)
        elif what == "recomputed":  # often by an exception, which leaves no entry: enough was computed again
            self.current = self.recomputing.pop()
        elif what == "run":  # what came before was loading
            self.phase, self.current, self.calls, self.returns = "forward", self.root, {}, {}
            self.threads.clear()
        self.places.append(place)

    def _return_to(self, path: str, line: int, code: CodeType, lasti: int) -> None:
        """Make the function that holds a line the running one: calls that raised leave no entry."""
        activation = _holding(self.current, path, line)
        if activation is None:
            for thread, running in self.threads.items():
                activation = _holding(running, path, line)
                if activation is not None:
                    self._switch_thread(thread)
                    break
        if activation is not None:
            self.current = activation
            self._end_arms(activation, code, lasti)

    def _leave_module(self) -> None:
        if not self.modules:
            return
        self.current = self.modules.pop()
        if any(opened.key == _MODULE for opened in self.current.open):
            while self.current.open.pop().key != _MODULE:
                pass

    def _cross(self) -> None:
        """Pass the place where a part of the log was taken out: open loops went on there, or began anew."""
        assert self.gap is not None
        self.skipped = dict(self.gap.steps)
        at = self.at
        while at < len(self.log):
            self.seen_after.add(self.log[at + 1])
            at += self.program.points[self.log[at]].role.width
        for number, times in self.gap.calls.items():
            self.calls[number] = self.calls.get(number, 0) + times
        for number, times in self.gap.returns.items():
            self.returns[number] = self.returns.get(number, 0) + times
        for number, activation in self.activations.items():
            for opened in activation.open:
                anew, count = self.skipped.get((number, opened.key), (False, 0))
                if anew:
                    opened.draft, opened.index = None, count - 1
                else:
                    opened.index += count

    def called(self) -> tuple[Calls, ...]:
        """List every called function in source order."""
        functions = self.program.functions
        found = [
            Calls(function.file, function.line, function.name, self.calls[number], self.returns.get(number, 0))
            for number, function in enumerate(functions)
            if function.kind != "module" and number in self.calls
        ]
        return tuple(found)

    def _finish(self) -> None:
        """End the loops that are open: left by an exception, by a stop of the run, or in a generator left alone."""
        for number, activation in self.activations.items():
            if self.gap is not None and number not in self.seen_after:
                continue
            for opened in activation.open:
                if opened.draft is not None and opened.draft.until is None:
                    how = "break" if activation.suspended else "stopped" if self.stopped else "raise"
                    if activation.returned:
                        how = opened.draft.exit or how
                    opened.draft.end(how, self.shared[len(self.drafts)])


def _holding(activation: Activation | None, path: str, line: int) -> Activation | None:
    """Return the innermost call, of one and its callers, whose function holds a line."""
    while activation is not None and not activation.function.holds(path, line):
        activation = activation.parent
    return activation


@contextmanager
def _no_collection() -> Iterator[None]:
    """Disable garbage collection while objects are made that all stay alive."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def replay(
    program: Program,
    log: Sequence[Any],
    marks: Sequence[Mark] = (),
    provenance: Provenance | None = None,
    gap: Gap | None = None,
    *,
    shared: Shared | None = None,
    stopped: bool = False,
) -> Replayed:
    """Return what a log says.

    provenance: where the tested values came from; without it only tensors are known.
    gap: what was taken out of the log, if something was.
    shared: the numbers of the record's other tables.
    stopped: whether the run was ended from outside, by a limit or a key.
    """
    with _no_collection():
        shared = Shared() if shared is None else shared
        played = Replay(program, log, marks, provenance or Provenance(program), gap, shared, stopped)
        played.play()
        decisions = finished(played.drafts, played.provenance, played.tests)
    return Replayed(
        decisions,
        tuple(played.scopes.finished),
        tuple(played.places),
        signature(decisions),
        played.called(),
        played.drafts,
        tuple(program.made[point] for point in sorted(played.made)),
    )


def entered(program: Program, log: Sequence[Any]) -> set[int]:
    """Return the numbers of the functions that were called while a log was written."""
    points, widths = program.points, [role.width for role in Role]
    found: set[int] = set()
    at = 0
    while at < len(log):
        point = points[log[at]]
        if point.role is Role.ENTER:
            found.add(point.function)
        at += widths[point.role]
    return found
