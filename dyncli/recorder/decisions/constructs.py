"""Branches and repetition: loops, tests, `match` and handlers, from their entries in the log to drafts."""

from __future__ import annotations

from dyncli.instrument.program import Construct, Role
from dyncli.instrument.runtime.condition_probes import Changed, RecordedOperand, Verdict
from dyncli.recorder.decisions.call_stack import Running
from dyncli.recorder.decisions.finish import python_condition, python_decision
from dyncli.recorder.provenance.call_frames import Activation, Draft, Open, Plan, RawCondition, ScopeNode, Tested
from dyncli.records.model import Condition


class Deciding(Running):
    """Makes a draft of every decision, and opens and closes its arms."""

    # Loops

    def _loop(self, point: Plan, activation: Activation) -> None:
        self._unwind_to(activation, point)
        self._begin_loop(point, activation)

    def _begin_loop(self, point: Plan, activation: Activation) -> None:
        draft = self._draft(activation, point.construct, "loop", 0)
        draft.trips = 0
        subject = self.log[self.at + (2 if point.role is Role.LOOP else 3)]
        draft.forced = type(subject) is Changed and subject.forced
        draft.subject = subject.value if type(subject) is Changed else subject
        scope = activation.scope
        activation.open.append(Open(point.key, scope, scope, draft, loop=True))

    def _lazy(self, point: Plan, _: Activation) -> None:
        known = self.activations.get(self.log[self.at + 1])
        definer = self.current if known is None else known
        if known is not None:  # an `async for` is first seen from inside
            self._unwind_to(definer, point)
        function = self.program.functions[point.index]
        number = self.log[self.at + 2]
        activation = self.activations[number] = Activation(number, function, definer, definer.scope, definer.thread)
        activation.suspended = True
        self._begin_loop(point, activation)
        self.current = definer

    def _while(self, point: Plan, activation: Activation) -> None:
        self._unwind_to(activation, point)
        scope = activation.scope
        activation.open.append(Open(point.key, scope, scope, None, loop=True))

    def _iteration(self, point: Plan, activation: Activation) -> None:
        if activation.function.kind == "genexpr" and self.current is not activation:
            self._resumed(activation)
        self._unwind_to(activation, point)
        opened = self._loop_entry(activation, point)
        decision = None
        if opened.draft is not None:
            opened.draft.trips = opened.draft.outcome = opened.index + 2
            decision = opened.draft.number
        self._begin_step(opened, point.construct, decision)

    def _begin_step(self, opened: Open, construct: Construct, decision: int | None) -> None:
        opened.index += 1
        name = self._step_names.get(opened.key)
        if name is None:
            name = construct.text if construct.kind != "while" else f"while {construct.text}"
            self._step_names[opened.key] = name
        site, line = construct.site or construct.stands, construct.line
        opened.scope = ScopeNode(opened.outer, "iteration", name, site, opened.index, decision, line)

    def _loop_entry(self, activation: Activation, point: Plan) -> Open:
        """Return the open loop of a step or test; open one that began before the log did."""
        if not activation.open or activation.open[-1].key != point.key:
            scope = activation.scope
            _, steps = self.skipped.pop((self.log[self.at + 1], point.key), (False, 0))
            activation.open.append(Open(point.key, scope, scope, None, loop=True, index=steps - 1))
        return activation.open[-1]

    def _done(self, point: Plan, activation: Activation) -> None:
        self._leave_loop(point, activation, "exhausted")
        if point.index:  # a generator expression is over with its first loop
            activation.suspended = False
            self._back_from(activation)

    def _break(self, point: Plan, activation: Activation) -> None:
        if not point.index:
            self._leave_loop(point, activation, "break")
            return
        self.current = activation  # a `finally` or an `__exit__` still runs in this step
        for opened in activation.open:
            if opened.key == point.key and opened.draft is not None:
                opened.draft.exit = "break"

    def _leave_loop(self, point: Plan, activation: Activation, how: str) -> None:
        self.current = activation
        opened = activation.open
        while opened:
            last = opened.pop()
            if last.key == point.key:
                if last.draft is not None:
                    last.draft.end(how, self.shared[len(self.drafts)])
                return
            self._end(last, point)

    # Tests

    def _condition(self, point: Plan, activation: Activation) -> None:
        self.current = activation
        condition = self._tested(point)
        waiting = activation.conditions.get(point.key)
        if waiting is None or waiting[-1][0] >= point.index:  # the rest of a test that raised is dropped
            waiting = activation.conditions[point.key] = []
        waiting.append((point.index, condition))
        if type(condition) is RawCondition and condition.exception is not None:
            self._raised(point, activation, condition.exception)

    def _single(self, point: Plan, activation: Activation) -> None:
        condition = self._tested(point)
        if isinstance(condition, Condition):
            self._decide(point, activation, condition.outcome, None, ((0, condition),))
        elif condition.exception is not None:
            activation.conditions[point.key] = [(0, condition)]
            self._raised(point, activation, condition.exception)
        else:
            self._decide(point, activation, condition.outcome, condition.verdict, ((0, condition),))

    def _whole(self, point: Plan, activation: Activation) -> None:
        outcome = self.log[self.at + 2]
        verdict = outcome if type(outcome) is Verdict else None
        conditions = activation.conditions.pop(point.key, ())
        self._decide(point, activation, outcome if verdict is None else verdict.outcome, verdict, conditions)

    def _operand(self, point: Plan, activation: Activation) -> None:
        self._condition(point, activation)
        waiting = activation.conditions.get(point.key)
        if not waiting:
            return
        construct = point.construct
        index, last = waiting[-1]
        verdict = last.verdict if type(last) is RawCondition else None
        outcome = last.outcome if verdict is None or verdict.forced is None else verdict.forced
        stops = outcome is (construct.kind == "or")
        if stops or index == len(construct.conditions) - 1:
            self._decide(point, activation, not stops, verdict, activation.conditions.pop(point.key))

    def _tested(self, point: Plan) -> RawCondition | Condition:
        """Read the comparison or truth test at this entry; final if only Python can be behind it."""
        log, at = self.log, self.at
        left, right, outcome = log[at + 2], log[at + 3], log[at + 4]
        if outcome is not True and outcome is not False:
            return RawCondition(point.index, left, right, outcome.outcome, outcome, at)
        if (
            point.silent
            and (type(left) is not RecordedOperand or left.trace is None)
            and (type(right) is not RecordedOperand or right.trace is None)
        ):
            assert point.text is not None
            return python_condition(point.text, left, right, outcome)
        return RawCondition(point.index, left, right, outcome, None, at)

    def _decide(
        self, point: Plan, activation: Activation, outcome: bool, verdict: Verdict | None, conditions: Tested
    ) -> None:
        """Add the decision of a test, and open the arm or iteration that it leads to."""
        self._unwind_to(activation, point)
        construct = point.construct
        kind, site = construct.kind, construct.site
        assert site is not None
        forced = verdict is not None and verdict.forced is not None
        if kind == "while":
            if forced:
                outcome = bool(verdict and verdict.forced)
            self._decide_while(point, activation, construct, outcome, conditions, forced)
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
        number = self._decision(activation, construct, arm, outcome, conditions, forced)
        if stays and construct.opens:
            self._open_arm(activation, point.key, arm, number)

    def _decide_while(
        self, point: Plan, activation: Activation, construct: Construct, outcome: bool, conditions: Tested, forced: bool
    ) -> None:
        opened = self._loop_entry(activation, point)
        arm = "body" if outcome else "exit"
        number = self._decision(activation, construct, arm, outcome, conditions, forced, opened.outer, opened.index + 1)
        if outcome:
            self._begin_step(opened, construct, number)
        else:
            activation.open.pop()

    def _decision(
        self, activation: Activation, construct: Construct, arm: str, outcome: bool, conditions: Tested, forced: bool,
        scope: ScopeNode | None = None, iteration: int | None = None,
    ) -> int:  # fmt: skip
        """Append a decision, final if all its conditions are, and return its number."""
        for _, condition in conditions:
            if type(condition) is not Condition:
                break
        else:
            if conditions and not forced:
                if scope is None:
                    scope = activation.open[-1].scope if activation.open else activation.base
                if scope.number is None or activation.epoch != self.epoch:
                    self._ready(activation, scope)
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
                        activation,
                        conditions,
                        self.phase,
                        self.tests,
                    )
                )
                return number
        draft = self._draft(activation, construct, arm, outcome, scope)
        draft.conditions, draft.forced, draft.iteration = conditions, forced, iteration
        return draft.number

    def _raised(self, point: Plan, activation: Activation, exception: str) -> None:
        self._unwind_to(activation, point)
        construct = point.construct
        scope, iteration = activation.scope, None
        if construct.kind == "while":
            opened = self._loop_entry(activation, point)
            scope, iteration = opened.outer, opened.index + 1
        draft = self._draft(activation, construct, "raise", False, scope)
        draft.conditions, draft.exception, draft.iteration = activation.conditions.pop(point.key), exception, iteration

    def _subject(self, point: Plan, activation: Activation) -> None:
        self._unwind_to(activation, point)
        subject = self.log[self.at + 2]
        verdict = None
        if type(subject) is Changed:
            subject, verdict = subject.value, Verdict(True)
            verdict.forced = True
        activation.conditions[point.key] = [(0, RawCondition(0, subject, None, True, verdict, self.at))]

    def _case(self, point: Plan, activation: Activation) -> None:
        self._unwind_to(activation, point)
        construct = point.construct
        assert construct.site is not None
        arm = construct.site.arms[point.index]
        draft = self._draft(activation, construct, arm, point.index)
        draft.conditions = activation.conditions.pop(point.key, ())
        for _, condition in draft.conditions:
            if type(condition) is RawCondition:
                condition.outcome = arm != "no match"
                draft.forced = condition.verdict is not None
        self._open_arm(activation, point.key, arm, draft.number)

    def _handler(self, point: Plan, activation: Activation) -> None:
        self._unwind_to(activation, point)
        construct = point.construct
        assert construct.site is not None
        arm = construct.site.arms[point.index]
        draft = self._draft(activation, construct, arm, point.index)
        draft.exception = self.log[self.at + 2]
        self._open_arm(activation, point.key, arm, draft.number)

    def _open_arm(self, activation: Activation, key: int, arm: str, decision: int) -> None:
        outer = activation.open[-1].scope if activation.open else activation.base
        scope = ScopeNode(outer, "arm", arm, self.program.constructs[key].site, None, decision)
        activation.open.append(Open(key, outer, scope))

    def _ready(self, activation: Activation, scope: ScopeNode | None) -> ScopeNode:
        """Return the scope of a decision, numbered, with the callers of its call frame known."""
        if scope is None:
            scope = activation.open[-1].scope if activation.open else activation.base
        if scope.number is None:
            self.scopes.number(scope)
        if activation.epoch != self.epoch:
            activation.trace_callers(self.epoch)
        return scope

    def _draft(
        self, activation: Activation, construct: Construct, arm: str, outcome: int, scope: ScopeNode | None = None
    ) -> Draft:
        scope = self._ready(activation, scope)
        draft = Draft(
            self.shared[len(self.drafts)], construct, arm, outcome, scope, activation.path, activation.recursion,
            self.at, self.phase,
        )  # fmt: skip
        self.drafts.append(draft)
        return draft
