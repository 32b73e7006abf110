"""The log of a run, played again offline: decisions, scopes, and where each op stood.

    replayed = replay(program, log, marks)
    replayed.decisions, replayed.scopes, replayed.signature
    replayed.places[number]                              # scope and controlling decision of marks[number]

The log says what was reached, in which activation; everything else follows from the program's tables.
An entry closes every construct of its activation that cannot be open at its point (`Point.chain`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dyncli.load.instrument.program import WIDTHS, Construct, Function, Point, Program, Role
from dyncli.load.probes import Verdict
from dyncli.record.model import Decision, Scope
from dyncli.trace.activations import Activation, Draft, Open, RawAtom, ScopeNode, Scopes
from dyncli.trace.finish import finished
from dyncli.trace.path import signature
from dyncli.trace.provenance import Provenance

#: Something that happened between two entries: (length of the log then, what, more).  What: `op` or `escape`, more
#: being (path, line) or None; `enter` a module, more being its name; `exit` it; `phase`, more being its name.
Mark = tuple[int, str, Any]

_MODULE = -2                                             # the key of a module that was entered: it is in no chain
_ROOT_FUNCTION = Function("", "", "", 0, 0, "module")


@dataclass(frozen=True, slots=True)
class Where:
    """Where an op or an escape stood: its scope, the decision it ran under, and the functions on the stack."""

    scope: int
    under: int | None
    call_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a log says.  places: one for each mark, None for those that are no op and no escape."""

    decisions: tuple[Decision, ...]
    scopes: tuple[Scope, ...]
    places: tuple[Where | None, ...]
    signature: str


class Replay:
    """The state while a log is played."""

    def __init__(self, program: Program, log: Sequence[Any], marks: Sequence[Mark] = ()) -> None:
        self.program = program
        self.log = log
        self.marks = marks
        self.scopes = Scopes()
        self.drafts: list[Draft] = []
        self.places: list[Where | None] = []
        self.phase = "forward"
        self.activations: dict[int, Activation] = {}
        self.root = Activation(_ROOT_FUNCTION, None, self.scopes.root, None)
        self.current = self.root
        self.threads: dict[int | None, Activation] = {}
        self.modules: list[Activation] = []
        self.epoch = 0
        self.at = 0
        self._steps: list[Callable[[Point, Activation], None]] = [
            getattr(self, f"_{role.name.lower()}", self._close) for role in Role
        ]

    def play(self) -> None:
        """Goes through the whole log."""
        log, points, steps = self.log, self.program.points, self._steps
        widths = [WIDTHS.get(role, 2) for role in Role]
        marks, next_mark = self.marks, 0
        length, at = len(log), 0
        while at < length:
            while next_mark < len(marks) and marks[next_mark][0] <= at:
                self._mark(marks[next_mark])
                next_mark += 1
            self.at = at
            point = points[log[at]]
            role = point.role
            if role is Role.ENTER or role is Role.LAZY:
                steps[role](point, self.root)
            else:
                activation = self.activations.get(log[at + 1]) or self._unknown(point, log[at + 1])
                if activation.thread != self.current.thread:
                    self._switch_thread(activation.thread)
                steps[role](point, activation)
            at += widths[role]
        for mark in marks[next_mark:]:
            self._mark(mark)
        self._finish()

    # Who is running

    def _enter(self, point: Point, _: Activation) -> None:
        number, thread, task = self.log[self.at + 1 : self.at + 4]
        if self.current.thread is not None and thread != self.current.thread:
            self._switch_thread(thread)
        caller = self.current
        while task is not None and caller.task is not None and caller.task != task and caller.parent is not None:
            caller = caller.parent
        function = self.program.functions[point.function]
        base = ScopeNode(caller.scope, "call", function.name) if function.kind != "module" else caller.scope
        activation = Activation(function, caller, base, thread)
        activation.task = task if task is not None else caller.task
        self.activations[number] = self.current = activation

    def _lazy(self, point: Point, _: Activation) -> None:
        definer = self.activations.get(self.log[self.at + 1], self.current)
        function = self.program.functions[point.index]
        activation = Activation(function, definer, definer.scope, definer.thread)
        activation.suspended = True
        self._settle(definer, point)
        self.activations[self.log[self.at + 2]] = activation
        self._begin_loop(point, activation)
        self.current = definer

    def _leave(self, point: Point, activation: Activation) -> None:
        for opened in activation.open:
            if opened.draft is not None and opened.draft.exit is None:
                opened.draft.exit = "return"
        activation.returned = True
        activation.suspended = False
        self._back_from(activation)

    def _suspend(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)
        activation.suspended = True
        self._back_from(activation)

    def _back_from(self, activation: Activation) -> None:
        """Lets the caller run again; one that only passes on what it is given (`yield from`) is passed over."""
        caller = activation.parent or self.root
        while activation.suspended and caller.delegating and caller.parent is not None:
            caller = caller.parent
        self.current = caller

    def _resume(self, point: Point, activation: Activation) -> None:
        self._resumed(activation)
        activation.delegating = False
        self._settle(activation, point)

    def _resumed(self, activation: Activation) -> None:
        """A generator goes on: whoever runs now called it, itself or through `yield from`."""
        activation.suspended = False
        outermost = activation
        while outermost.parent is not None and outermost.parent.delegating:
            outermost = outermost.parent
        if outermost.parent is not self.current and not outermost.is_below(self.current):
            outermost.parent = self.current
            self.epoch += 1
        self.current = activation

    def _delegate(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)
        activation.delegating = True
        self.current = activation

    def _finally_end(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)
        if activation.returned:
            self._back_from(activation)

    def _unknown(self, point: Point, number: int) -> Activation:
        """An activation that began before the log did."""
        function = self.program.functions[point.function]
        base = self.scopes.root if function.kind == "module" else ScopeNode(self.scopes.root, "call", function.name)
        activation = self.activations[number] = Activation(function, self.root, base, self.current.thread)
        return activation

    def _switch_thread(self, thread: int | None) -> None:
        self.threads[self.current.thread] = self.current
        self.current = self.threads.get(thread, self.root)

    # What is open

    def _close(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)

    def _awaited(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)

    def _settle(self, activation: Activation, point: Point) -> None:
        """Makes `activation` the running one and ends what cannot be open at `point`."""
        self.current = activation
        opened = activation.open
        while opened and opened[-1].key not in point.chain:
            self._end(opened.pop(), point)

    def _end(self, opened: Open, point: Point) -> None:
        if opened.draft is None or opened.draft.exit is not None:
            return
        group = self.program.constructs[opened.key].group
        ends_comprehension = group is not None and (
            group == self.program.constructs[point.key].group if point.key >= 0 else group == point.index
        )
        opened.draft.exit = "exhausted" if ends_comprehension else "raise"

    # Loops

    def _loop(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)
        self._begin_loop(point, activation)

    def _begin_loop(self, point: Point, activation: Activation) -> None:
        draft = self._draft(activation, self.program.constructs[point.key], "loop", 0)
        draft.trips = 0
        draft.subject = self.log[self.at + (2 if point.role is Role.LOOP else 3)]
        scope = activation.scope
        activation.open.append(Open(point.key, scope, scope, draft, loop=True))

    def _while(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)
        scope = activation.scope
        activation.open.append(Open(point.key, scope, scope, None, loop=True))

    def _iteration(self, point: Point, activation: Activation) -> None:
        if activation.function.kind == "genexpr" and self.current is not activation:
            self._resumed(activation)
        self._settle(activation, point)
        opened = self._loop_entry(activation, point)
        decision = None
        if opened.draft is not None:
            opened.draft.trips = opened.draft.outcome = opened.index + 2
            decision = opened.draft.number
        self._begin_step(opened, self.program.constructs[point.key], decision)

    def _begin_step(self, opened: Open, construct: Construct, decision: int | None) -> None:
        opened.index += 1
        name = construct.text if construct.kind != "while" else f"while {construct.text}"
        opened.scope = ScopeNode(
            opened.outer, "iteration", name, construct.site, opened.index, decision, construct.line
        )  # fmt: skip

    def _loop_entry(self, activation: Activation, point: Point) -> Open:
        """The open loop of a step or test; one that began before the log did is opened now."""
        if not activation.open or activation.open[-1].key != point.key:
            scope = activation.scope
            activation.open.append(Open(point.key, scope, scope, None, loop=True))
        return activation.open[-1]

    def _done(self, point: Point, activation: Activation) -> None:
        self._leave_loop(point, activation, "exhausted")
        if activation.function.kind == "genexpr" and not point.chain:
            activation.suspended = False
            self._back_from(activation)

    def _break(self, point: Point, activation: Activation) -> None:
        self._leave_loop(point, activation, "break")

    def _leave_loop(self, point: Point, activation: Activation, how: str) -> None:
        self.current = activation
        opened = activation.open
        while opened:
            last = opened.pop()
            if last.key == point.key:
                if last.draft is not None:
                    last.draft.exit = how
                return
            self._end(last, point)

    # Tests

    def _atom(self, point: Point, activation: Activation) -> None:
        self.current = activation
        atom = self._raw_atom(point)
        waiting = activation.atoms.get(point.key)
        if waiting is None or waiting[-1].index >= atom.index:         # the rest of a test that raised is dropped
            waiting = activation.atoms[point.key] = []
        waiting.append(atom)
        if atom.verdict is not None and atom.verdict.exception is not None:
            self._raised(point, activation, atom.verdict.exception)

    def _single(self, point: Point, activation: Activation) -> None:
        atom = self._raw_atom(point)
        activation.atoms[point.key] = [atom]
        if atom.verdict is not None and atom.verdict.exception is not None:
            self._raised(point, activation, atom.verdict.exception)
        else:
            self._decide(point, activation, atom.outcome, atom.verdict)

    def _whole(self, point: Point, activation: Activation) -> None:
        outcome = self.log[self.at + 2]
        verdict = outcome if isinstance(outcome, Verdict) else None
        self._decide(point, activation, outcome if verdict is None else verdict.outcome, verdict)

    def _operand(self, point: Point, activation: Activation) -> None:
        self._atom(point, activation)
        waiting = activation.atoms.get(point.key)
        if not waiting:
            return
        construct = self.program.constructs[point.key]
        last, verdict = waiting[-1], waiting[-1].verdict
        outcome = last.outcome if verdict is None or verdict.forced is None else verdict.forced
        stops = outcome is (construct.kind == "or")
        if stops or last.index == len(construct.atoms) - 1:
            self._decide(point, activation, not stops, verdict)

    def _raw_atom(self, point: Point) -> RawAtom:
        left, right, outcome = self.log[self.at + 2 : self.at + 5]
        verdict = outcome if isinstance(outcome, Verdict) else None
        return RawAtom(point.index, left, right, outcome if verdict is None else verdict.outcome, verdict, self.at)

    def _decide(self, point: Point, activation: Activation, outcome: bool, verdict: Verdict | None) -> None:
        """A test had an outcome: the decision, and the arm or step it opens."""
        self._settle(activation, point)
        construct = self.program.constructs[point.key]
        site = construct.site
        assert site is not None
        forced = verdict is not None and verdict.forced is not None
        if forced and construct.kind not in ("and", "or"):
            outcome = bool(verdict and verdict.forced)
        arm = site.arms[0 if outcome else 1]
        if construct.kind in ("and", "or"):
            arm = "rest" if outcome else "short"
        atoms = activation.atoms.pop(point.key, [])
        if construct.kind == "while":
            self._decide_while(point, activation, construct, outcome, arm, atoms, forced)
            return
        draft = self._draft(activation, construct, arm, outcome)
        if construct.kind in ("and", "or"):
            draft.outcome = atoms[-1].outcome
        draft.atoms, draft.forced = atoms, forced
        if construct.opens and arm not in ("pass", "drop", "short"):
            self._open_arm(activation, point.key, draft)

    def _decide_while(
        self, point: Point, activation: Activation, construct: Construct, outcome: bool, arm: str,
        atoms: list[RawAtom], forced: bool,
    ) -> None:  # fmt: skip
        opened = self._loop_entry(activation, point)
        draft = self._draft(activation, construct, arm, outcome, opened.outer)
        draft.atoms, draft.forced, draft.iteration = atoms, forced, opened.index + 1
        if outcome:
            self._begin_step(opened, construct, draft.number)
        else:
            activation.open.pop()

    def _raised(self, point: Point, activation: Activation, exception: str) -> None:
        self._settle(activation, point)
        construct = self.program.constructs[point.key]
        scope, iteration = activation.scope, None
        if construct.kind == "while":
            opened = self._loop_entry(activation, point)
            scope, iteration = opened.outer, opened.index + 1
        draft = self._draft(activation, construct, "raise", False, scope)
        draft.atoms, draft.exception, draft.iteration = activation.atoms.pop(point.key), exception, iteration

    def _subject(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)
        activation.atoms[point.key] = [RawAtom(0, self.log[self.at + 2], None, True, None, self.at)]

    def _case(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)
        construct = self.program.constructs[point.key]
        assert construct.site is not None
        arm = construct.site.arms[point.index]
        draft = self._draft(activation, construct, arm, point.index)
        draft.atoms = activation.atoms.pop(point.key, [])
        for atom in draft.atoms:
            atom.outcome = arm != "no match"
        self._open_arm(activation, point.key, draft)

    def _handler(self, point: Point, activation: Activation) -> None:
        self._settle(activation, point)
        construct = self.program.constructs[point.key]
        assert construct.site is not None
        draft = self._draft(activation, construct, construct.site.arms[point.index], point.index)
        draft.exception = self.log[self.at + 2]
        self._open_arm(activation, point.key, draft)

    def _open_arm(self, activation: Activation, key: int, draft: Draft) -> None:
        site = self.program.constructs[key].site
        outer = activation.scope
        scope = ScopeNode(outer, "arm", draft.arm, site, decision=draft.number)
        activation.open.append(Open(key, outer, scope))

    def _draft(
        self, activation: Activation, construct: Construct, arm: str, outcome: int, scope: ScopeNode | None = None
    ) -> Draft:
        scope = activation.scope if scope is None else scope
        self.scopes.number(scope)
        activation.trace_callers(self.epoch)
        path, recursion = activation.path, activation.recursion
        draft = Draft(len(self.drafts), construct, arm, outcome, scope, path, recursion, self.at, self.phase)
        self.drafts.append(draft)
        return draft

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
        self.places.append(place)

    def _return_to(self, path: str, line: int) -> None:
        """Makes the function that holds a line the running one: calls that ended by an exception leave no entry."""
        activation: Activation | None = self.current
        while activation is not None and not activation.function.holds(path, line):
            activation = activation.parent
        if activation is not None:
            self.current = activation

    def _leave_module(self) -> None:
        if not self.modules:
            return
        self.current = self.modules.pop()
        if any(opened.key == _MODULE for opened in self.current.open):
            while self.current.open.pop().key != _MODULE:
                pass

    def _finish(self) -> None:
        """A loop that never ended was left by an exception, or by nobody asking its generator for more."""
        for activation in self.activations.values():
            for opened in activation.open:
                if opened.draft is not None and opened.draft.exit is None:
                    opened.draft.exit = "break" if activation.suspended else "raise"


def replay(
    program: Program, log: Sequence[Any], marks: Sequence[Mark] = (), provenance: Provenance | None = None
) -> Replayed:
    """What a log says.  `provenance` tells where the tested values came from; without it only tensors are known."""
    played = Replay(program, log, marks)
    played.play()
    decisions = finished(played.drafts, provenance or Provenance(program))
    return Replayed(decisions, played.scopes.finished(), tuple(played.places), signature(decisions))
