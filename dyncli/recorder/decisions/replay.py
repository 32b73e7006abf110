"""The log of a run, played again offline: decisions, scopes, and where each op stood.

    replayed = replay(program, log, marks)
    replayed.decisions, replayed.scopes, replayed.signature
    replayed.places[number]                              # scope and controlling decision of marks[number]

The log says what was reached, in which call frame; everything else follows from the program's tables.
An entry closes every construct of its call frame that cannot be open at its point (`Point.chain`).
`Deciding` has the handler of each role: branches and repetition, from their entries in the log to drafts.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType
from typing import Any, NamedTuple

from dyncli.instrument.program import Construct, Point, Program, Role
from dyncli.instrument.runtime.condition_probes import Changed, RecordedOperand, Verdict
from dyncli.recorder.decisions.call_stack import Running
from dyncli.recorder.decisions.finish import finished, python_condition, python_decision, signature
from dyncli.recorder.decisions.log_gap import Gap
from dyncli.recorder.provenance.call_frames import (
    CallFrame,
    Draft,
    Open,
    Plan,
    RawCondition,
    ScopeNode,
    Tested,
)
from dyncli.recorder.provenance.provenance import Provenance, comparison_of
from dyncli.records.columns import ScopeRows, Shared
from dyncli.records.model import Calls, Condition, Decision


class Deciding(Running):
    """Makes a draft of every decision, and opens and closes its arms."""

    # Loops

    def _loop(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
        self._begin_loop(point, call_frame)

    def _begin_loop(self, point: Plan, call_frame: CallFrame) -> None:
        draft = self._draft(call_frame, point.construct, "loop", 0)
        draft.trips = 0
        subject = self.log[self.at + (2 if point.role is Role.LOOP else 3)]
        draft.forced = type(subject) is Changed and subject.forced
        draft.subject = subject.value if type(subject) is Changed else subject
        scope = call_frame.scope
        call_frame.open.append(Open(point.key, scope, scope, draft, loop=True))

    def _lazy(self, point: Plan, _: CallFrame) -> None:
        known = self.call_frames.get(self.log[self.at + 1])
        definer = self.current if known is None else known
        if known is not None:  # an `async for` is first seen from inside
            self._unwind_to(definer, point)
        function = self.program.functions[point.index]
        number = self.log[self.at + 2]
        call_frame = self.call_frames[number] = CallFrame(number, function, definer, definer.scope, definer.thread)
        call_frame.suspended = True
        self._begin_loop(point, call_frame)
        self.current = definer

    def _while(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
        scope = call_frame.scope
        call_frame.open.append(Open(point.key, scope, scope, None, loop=True))

    def _iteration(self, point: Plan, call_frame: CallFrame) -> None:
        if call_frame.function.kind == "genexpr" and self.current is not call_frame:
            self._resumed(call_frame)
        self._unwind_to(call_frame, point)
        opened = self._loop_entry(call_frame, point)
        decision = None
        if opened.draft is not None:
            if opened.index < 0:
                opened.draft.at = self.at  # until then it asks what it goes over for its length
            opened.draft.trips = opened.draft.outcome = opened.index + 2
            decision = opened.draft.number
        self._begin_step(call_frame, opened, point.construct, decision)

    def _begin_step(self, call_frame: CallFrame, opened: Open, construct: Construct, decision: int | None) -> None:
        if self.constants and opened.key in self.constants:
            self.comparisons.begin_step(call_frame.number, opened.key)
        opened.index += 1
        name = self._step_names.get(opened.key)
        if name is None:
            name = construct.text if construct.kind != "while" else f"while {construct.text}"
            self._step_names[opened.key] = name
        site, line = construct.site or construct.stands, construct.line
        opened.scope = ScopeNode(opened.outer, "iteration", name, site, opened.index, decision, line)

    def _loop_entry(self, call_frame: CallFrame, point: Plan) -> Open:
        """Return the open loop of a step or test; open one that began before the log did."""
        if not call_frame.open or call_frame.open[-1].key != point.key:
            scope = call_frame.scope
            _, steps = self.skipped.pop((self.log[self.at + 1], point.key), (False, 0))
            call_frame.open.append(Open(point.key, scope, scope, None, loop=True, index=steps - 1))
        return call_frame.open[-1]

    def _done(self, point: Plan, call_frame: CallFrame) -> None:
        self._leave_loop(point, call_frame, "exhausted")
        if point.index:  # a generator expression is over with its first loop
            call_frame.suspended = False
            self._back_from(call_frame)

    def _break(self, point: Plan, call_frame: CallFrame) -> None:
        self._record_leaving(call_frame)
        if not point.index:
            self._leave_loop(point, call_frame, "break")
            return
        self.current = call_frame  # a `finally` or an `__exit__` still runs in this step
        for opened in call_frame.open:
            if opened.key == point.key and opened.draft is not None:
                opened.draft.exit = "break"

    def _leave_loop(self, point: Plan, call_frame: CallFrame, how: str) -> None:
        self.current = call_frame
        opened = call_frame.open
        while opened:
            last = opened.pop()
            if last.key == point.key:
                if last.draft is not None:
                    last.draft.end(how, self.shared[len(self.drafts)])
                return
            self._end(last, point)

    # Tests

    def _condition(self, point: Plan, call_frame: CallFrame) -> None:
        self.current = call_frame
        condition = self._tested(point, call_frame)
        waiting = call_frame.conditions.get(point.key)
        if waiting is None or waiting[-1][0] >= point.index:  # the rest of a test that raised is dropped
            waiting = call_frame.conditions[point.key] = []
        waiting.append((point.index, condition))
        if type(condition) is RawCondition and condition.exception is not None:
            self._raised(point, call_frame, condition.exception)

    def _single(self, point: Plan, call_frame: CallFrame) -> None:
        condition = self._tested(point, call_frame)
        if isinstance(condition, Condition):
            self._decide(point, call_frame, condition.outcome, None, ((0, condition),))
        elif condition.exception is not None:
            call_frame.conditions[point.key] = [(0, condition)]
            self._raised(point, call_frame, condition.exception)
        else:
            self._decide(point, call_frame, condition.outcome, condition.verdict, ((0, condition),))

    def _whole(self, point: Plan, call_frame: CallFrame) -> None:
        outcome = self.log[self.at + 2]
        verdict = outcome if type(outcome) is Verdict else None
        conditions = call_frame.conditions.pop(point.key, ())
        self._decide(point, call_frame, outcome if verdict is None else verdict.outcome, verdict, conditions)

    def _operand(self, point: Plan, call_frame: CallFrame) -> None:
        self._condition(point, call_frame)
        waiting = call_frame.conditions.get(point.key)
        if not waiting:
            return
        construct = point.construct
        index, last = waiting[-1]
        verdict = last.verdict if type(last) is RawCondition else None
        outcome = last.outcome if verdict is None or verdict.forced is None else verdict.forced
        stops = outcome is (construct.kind == "or")
        if stops or index == len(construct.conditions) - 1:
            self._decide(point, call_frame, not stops, verdict, call_frame.conditions.pop(point.key))

    def _valued(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
        left, right, outcome = self.log[self.at + 2 : self.at + 5]
        verdict = outcome if type(outcome) is Verdict else None
        truth = outcome if verdict is None else verdict.outcome
        comparison = comparison_of(point.construct, left, right, truth, self.at)
        if verdict is not None and verdict.result is not None:
            self.comparisons.of_tensor[verdict.result] = comparison
        self.comparisons.keep(comparison, point.construct, call_frame.number, self.at + point.width)

    def _tested(self, point: Plan, call_frame: CallFrame) -> RawCondition | Condition:
        """Read the comparison or truth test at this entry; final if only Python can be behind it."""
        assert point.text is not None
        log, at, is_truth = self.log, self.at, point.text.op is None
        left, right, outcome = log[at + 2], log[at + 3], log[at + 4]
        behind = None
        if outcome is not True and outcome is not False:
            if is_truth and outcome.result is not None:
                behind = self.comparisons.of_result(outcome.result, outcome.outcome)
            return RawCondition(point.index, left, right, outcome.outcome, outcome, at, behind)
        if (
            point.silent
            and (type(left) is not RecordedOperand or left.trace is None)
            and (type(right) is not RecordedOperand or right.trace is None)
        ):
            return python_condition(point.text, left, right, outcome)
        if is_truth and (left is True or left is False):
            behind = self.comparisons.of_truth(call_frame.number, point.text, point.function, at, left)
        return RawCondition(point.index, left, right, outcome, None, at, behind)

    def _decide(
        self, point: Plan, call_frame: CallFrame, outcome: bool, verdict: Verdict | None, conditions: Tested
    ) -> None:
        """Add the decision of a test, and open the arm or iteration that it leads to."""
        self._unwind_to(call_frame, point)
        construct = point.construct
        kind, site = construct.kind, construct.site
        assert site is not None
        forced = verdict is not None and verdict.forced is not None
        if kind == "while":
            if forced:
                outcome = bool(verdict and verdict.forced)
            self._decide_while(point, call_frame, construct, outcome, conditions, forced)
            return
        if kind == "and" or kind == "or":
            arm = "rest" if outcome else "short"
            stays = outcome
            outcome = conditions[-1][1].outcome
        else:
            if forced:
                outcome = bool(verdict and verdict.forced)
            arm = site.arms[0 if outcome else 1]
            stays = arm != "pass" and arm != "drop"
        number = self._decision(call_frame, construct, arm, outcome, conditions, forced)
        if stays and construct.opens:
            self._open_arm(call_frame, point.key, arm, number)

    def _decide_while(
        self, point: Plan, call_frame: CallFrame, construct: Construct, outcome: bool, conditions: Tested, forced: bool
    ) -> None:
        opened = self._loop_entry(call_frame, point)
        arm = "body" if outcome else "exit"
        number = self._decision(call_frame, construct, arm, outcome, conditions, forced, opened.outer, opened.index + 1)
        if outcome:
            self._begin_step(call_frame, opened, construct, number)
        else:
            call_frame.open.pop()

    def _decision(
        self, call_frame: CallFrame, construct: Construct, arm: str, outcome: bool, conditions: Tested, forced: bool,
        scope: ScopeNode | None = None, iteration: int | None = None,
    ) -> int:  # fmt: skip
        """Append a decision, final if all its conditions are, and return its number."""
        for _, condition in conditions:
            if type(condition) is not Condition:
                break
        else:
            if conditions and not forced:
                if scope is None:
                    scope = call_frame.open[-1].scope if call_frame.open else call_frame.base
                if scope.number is None or call_frame.epoch != self.epoch:
                    self._ready(call_frame, scope)
                drafts = self.drafts
                number: int = self.shared[len(drafts)]
                drafts.append(
                    python_decision(
                        number,
                        construct,
                        arm,
                        outcome,
                        iteration,
                        scope,
                        call_frame,
                        conditions,
                        self.phase,
                        self.tests,
                    )
                )
                return number
        draft = self._draft(call_frame, construct, arm, outcome, scope)
        draft.conditions, draft.forced, draft.iteration = conditions, forced, iteration
        return draft.number

    def _raised(self, point: Plan, call_frame: CallFrame, exception: str) -> None:
        self._unwind_to(call_frame, point)
        construct = point.construct
        scope, iteration = call_frame.scope, None
        if construct.kind == "while":
            opened = self._loop_entry(call_frame, point)
            scope, iteration = opened.outer, opened.index + 1
        draft = self._draft(call_frame, construct, "raise", False, scope)
        draft.conditions, draft.exception, draft.iteration = call_frame.conditions.pop(point.key), exception, iteration

    def _subject(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
        subject = self.log[self.at + 2]
        verdict = None
        if type(subject) is Changed:
            subject, verdict = subject.value, Verdict(True)
            verdict.forced = True
        call_frame.conditions[point.key] = [(0, RawCondition(0, subject, None, True, verdict, self.at))]

    def _case(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
        construct = point.construct
        assert construct.site is not None
        arm = construct.site.arms[point.index]
        draft = self._draft(call_frame, construct, arm, point.index)
        draft.conditions = call_frame.conditions.pop(point.key, ())
        for _, condition in draft.conditions:
            if type(condition) is RawCondition:
                condition.outcome = arm != "no match"
                draft.forced = condition.verdict is not None
        self._open_arm(call_frame, point.key, arm, draft.number)

    def _handler(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
        construct = point.construct
        assert construct.site is not None
        arm = construct.site.arms[point.index]
        draft = self._draft(call_frame, construct, arm, point.index)
        draft.exception = self.log[self.at + 2]
        self._open_arm(call_frame, point.key, arm, draft.number)

    def _open_arm(self, call_frame: CallFrame, key: int, arm: str, decision: int) -> None:
        outer = call_frame.open[-1].scope if call_frame.open else call_frame.base
        scope = ScopeNode(outer, "arm", arm, self.program.constructs[key].site, None, decision)
        call_frame.open.append(Open(key, outer, scope))

    def _ready(self, call_frame: CallFrame, scope: ScopeNode | None) -> ScopeNode:
        """Return the scope of a decision, numbered, with the callers of its call frame known."""
        if scope is None:
            scope = call_frame.open[-1].scope if call_frame.open else call_frame.base
        if scope.number is None:
            self.scopes.number(scope)
        if call_frame.epoch != self.epoch:
            call_frame.trace_callers(self.epoch)
        return scope

    def _draft(
        self, call_frame: CallFrame, construct: Construct, arm: str, outcome: int, scope: ScopeNode | None = None
    ) -> Draft:
        scope = self._ready(call_frame, scope)
        draft = Draft(
            self.shared[len(self.drafts)], construct, arm, outcome, scope, call_frame.path, call_frame.recursion,
            self.at, self.phase,
        )  # fmt: skip
        self.drafts.append(draft)
        return draft


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
    scopes: ScopeRows
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
        self.modules: list[CallFrame] = []
        self.recomputing: list[CallFrame] = []  # who ran backward, of each recomputation that is not over
        self.made: set[int] = set()

    def _plan(self, point: Point) -> Plan:
        step = getattr(type(self), f"_{point.role.handler}")  # not bound: no cycle keeps a replay
        construct = self.program.constructs[point.key] if point.key >= 0 else _NO_CONSTRUCT
        condition = point.role in (Role.CONDITION, Role.SINGLE, Role.OPERAND, Role.VALUED)
        silent = condition and not self.provenance.may_tell(construct)
        return Plan(
            step, point.role.width, point.role in (Role.ENTER, Role.LAZY), point.role, point.key,
            point.chain, point.index, point.function, construct,
            construct.conditions[point.index] if condition else None, silent,
        )  # fmt: skip

    def play(self) -> None:
        """Replay the whole log."""
        log, call_frames = self.log, self.call_frames
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
                plan.step(self, plan, self.root)
            else:
                call_frame = call_frames.get(log[at + 1]) or self._unknown(plan, log[at + 1])
                if call_frame.thread != self.current.thread:
                    self._switch_thread(call_frame.thread)
                plan.step(self, plan, call_frame)
            at += plan.width
        for mark in marks[next_mark:]:
            self._mark(mark)
        self._finish()

    def _made(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
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
        call_frame = _holding(self.current, path, line)
        if call_frame is None:
            for thread, running in self.threads.items():
                call_frame = _holding(running, path, line)
                if call_frame is not None:
                    self._switch_thread(thread)
                    break
        if call_frame is not None:
            self.current = call_frame
            self._end_arms(call_frame, code, lasti)

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
        for number, call_frame in self.call_frames.items():
            for opened in call_frame.open:
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
        for number, call_frame in self.call_frames.items():
            if self.gap is not None and number not in self.seen_after:
                continue
            for opened in call_frame.open:
                if opened.draft is not None and opened.draft.until is None:
                    how = "break" if call_frame.suspended else "stopped" if self.stopped else "raise"
                    if call_frame.returned:
                        how = opened.draft.exit or how
                    opened.draft.end(how, self.shared[len(self.drafts)])


def _holding(call_frame: CallFrame | None, path: str, line: int) -> CallFrame | None:
    """Return the innermost call, of one and its callers, whose function holds a line."""
    while call_frame is not None and not call_frame.function.holds(path, line):
        call_frame = call_frame.parent
    return call_frame


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
    shared = Shared() if shared is None else shared
    played = Replay(program, log, marks, provenance or Provenance(program), gap, shared, stopped)
    played.play()
    decisions = finished(played.drafts, played.provenance, played.tests, played.leaving)
    return Replayed(
        decisions,
        played.scopes.finished,
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
