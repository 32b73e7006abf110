"""What decides and repeats: loops, tests, `match` and handlers, from their entries in the log to drafts."""

from __future__ import annotations

from dyncli.load.instrument.program import Construct, Point, Role
from dyncli.load.probes import Verdict
from dyncli.trace.activations import Activation, Draft, Open, RawAtom, ScopeNode
from dyncli.trace.running import Running


class Deciding(Running):
    """Makes a draft of every decision, and opens and closes its arms."""

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

    def _lazy(self, point: Point, _: Activation) -> None:
        known = self.activations.get(self.log[self.at + 1])
        definer = self.current if known is None else known
        if known is not None:  # an `async for` is first seen from inside
            self._settle(definer, point)
        function = self.program.functions[point.index]
        activation = Activation(function, definer, definer.scope, definer.thread)
        activation.suspended = True
        self.activations[self.log[self.at + 2]] = activation
        self._begin_loop(point, activation)
        self.current = definer

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
            _, steps = self.skipped.pop((self.log[self.at + 1], point.key), (False, 0))
            activation.open.append(Open(point.key, scope, scope, None, loop=True, index=steps - 1))
        return activation.open[-1]

    def _done(self, point: Point, activation: Activation) -> None:
        self._leave_loop(point, activation, "exhausted")
        if point.index:  # a generator expression is over with its first loop
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
        if waiting is None or waiting[-1].index >= atom.index:  # the rest of a test that raised is dropped
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
