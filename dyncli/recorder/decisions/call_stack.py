"""Who is running: calls, generators, coroutines, tasks and threads, followed through the log."""

from __future__ import annotations

import dis
import threading
from collections.abc import Sequence
from types import CodeType
from typing import Any, NamedTuple

from dyncli.instrument.program import Construct, Function, Program, Role
from dyncli.instrument.runtime.condition_probes import is_stand_in
from dyncli.instrument.runtime.probes import FILES
from dyncli.recorder.decisions.finish import Tests
from dyncli.recorder.naming import position
from dyncli.recorder.provenance.call_frames import CallFrame, Draft, Open, Plan, ScopeNode, Scopes
from dyncli.recorder.provenance.provenance import Comparisons, Provenance
from dyncli.records.columns import Shared
from dyncli.records.model import Decision

FURTHEST = 1_000_000  # items of the log, that are searched for the entry of a probe that is calling something
#: Constructs with an arm that stands before the test: `arm if test else other`.
_ARM_FIRST = ("ifexp", "compif")
_CACHE = 0  # an operation code
_CALLS = ("CALL", "CALL_KW", "CALL_FUNCTION_EX", "PRECALL")
_EXITS = ("__exit__", "__aexit__", "_exit_wrapper")
_THREADS = (threading.__file__, f"{threading.__file__.removesuffix('threading.py')}concurrent/futures/thread.py")
_ROOT_FUNCTION = Function("", "", "", 0, 0, "module")


class Instruction(NamedTuple):
    """Where an instruction begins, a line and a column; is_head: whether it asks a loop's iterator for more.

    asks: whether it asks what a test of the script's does, in its place.
    """

    is_head: bool
    begins: tuple[int, int]
    asks: bool


class Running:
    """Knows which call frame runs now, and what is open in each."""

    def __init__(self, program: Program, log: Sequence[Any], provenance: Provenance, shared: Shared) -> None:
        self.program = program
        self.provenance = provenance
        self.log = log
        self.shared = shared
        self.scopes = Scopes(shared)
        self.tests = Tests()
        self.comparisons = Comparisons(program)
        self.constants = program.constants
        self.leaving: dict[int, Construct] = {}  # by the number of a decision in whose arm a loop was left
        self.drafts: list[Draft | Decision] = []
        self.phase = "forward"
        self._step_names: dict[int, str] = {}  # by the key of a loop
        self.call_frames: dict[int, CallFrame] = {}
        self.root = CallFrame(0, _ROOT_FUNCTION, None, self.scopes.root, None)
        self.current = self.root
        self.threads: dict[int | None, CallFrame] = {}  # who runs in each but the one that runs now
        self.first_thread: int | None = None
        self.returning: CallFrame | None = None  # left by a `return` inside `with`: its `__exit__` may come
        self.returning_from: frozenset[int] = frozenset()  # what that `with` stands in
        self.epoch = 0
        self._instructions: dict[tuple[int, int], Instruction] = {}  # of instructions, by their code's identity
        self._owners: dict[int, tuple[Function, ...]] = {}  # by the identity of a code object, which the log keeps
        self.at = 0
        self.plans: list[Plan] = []
        self.skipped: dict[tuple[int, int], tuple[bool, int]] = {}
        self.seen_after: set[int] = set()
        self.calls: dict[int, int] = {}
        self.returns: dict[int, int] = {}

    def _enter(self, point: Plan, _: CallFrame) -> None:
        number, thread, task, code, lasti = self.log[self.at + 1 : self.at + 6]
        if self.first_thread is None:
            self.first_thread = thread
        if thread != self.current.thread:
            self._switch_thread(thread)
        caller = self.root if code is not None and _begins_thread(code) else self.current
        while task is not None and caller.task is not None and caller.task != task and caller.parent is not None:
            caller = caller.parent
        function = self.program.functions[point.function]
        self.calls[point.function] = self.calls.get(point.function, 0) + 1
        back = None
        if self.returning is not None and (function.name.endswith(_EXITS) or self._is_exit(code)):
            back, caller = caller, self.returning
            self._end_within(caller, code, lasti)
        elif code is not None:
            caller = self._caller_of(code, lasti, caller)
        base = ScopeNode(caller.scope, "call", function.name) if function.kind != "module" else caller.scope
        call_frame = CallFrame(number, function, caller, base, thread)
        call_frame.task = task if task is not None else caller.task
        call_frame.back = back
        call_frame.caller = code, lasti
        call_frame.asked = code is not None and self._is_call(code, lasti)
        call_frame.awaited = call_frame.asked and function.kind == "function" and self._is_waiting(code, lasti)
        self.call_frames[number] = self.current = call_frame

    def _is_exit(self, code: CodeType | None) -> bool:
        """Return whether code of a library's ends a `with`: `ExitStack`, `closing`."""
        return code is not None and code.co_name in _EXITS and not self._owners_of(code)

    def _caller_of(self, code: CodeType, lasti: int, running: CallFrame) -> CallFrame:
        """Return the call that runs `code`: the running one, or one around it that went on after an exception.

        A call that ends by an exception leaves no entry; who swallows it may be no script: `hasattr`, `list(...)`.
        """
        owners = self._owners_of(code)
        if not owners:
            if code.co_filename in FILES:
                self._unwind_ahead(running)
            return running
        found: CallFrame | None = running
        while found is not None and not any(found.function is owner for owner in owners):
            found = found.parent
        if found is None:
            return running
        if self._instruction(code, lasti).asks:
            self._unwind_ahead(found)
        else:
            self._end_arms(found, code, lasti)
        return found

    def _owners_of(self, code: CodeType) -> tuple[Function, ...]:
        """Return the functions that a code object may belong to, looked up once."""
        owners = self._owners.get(id(code))
        if owners is None:
            owners = self._owners[id(code)] = self.program.owners(code)
        return owners

    def _unwind_ahead(self, call_frame: CallFrame) -> None:
        """Close what cannot be open while a test calls something: the call id's next entry shows what is."""
        plans, log, at = self.plans, self.log, self.at
        furthest = min(len(log), at + FURTHEST)
        while at < furthest:
            plan = plans[log[at]]
            if log[at + 1] == call_frame.number and plan.role is not Role.ENTER:
                self._unwind_to(call_frame, plan)
                return
            at += plan.width

    def _end_arms(self, call_frame: CallFrame, code: CodeType, lasti: int) -> None:
        """Close the arms that end, without an entry of their own, before an instruction's call.

        The head of a loop or of a `with` makes such a call once its body is over or has raised.
        """
        opened = call_frame.open
        if not opened:
            return
        is_head, begins, _ = self._instruction(code, lasti)
        while opened and opened[-1].key >= 0:
            construct = self.program.constructs[opened[-1].key]
            site = construct.site
            if opened[-1].loop:
                return
            if not is_head and (site is None or construct.kind in _ARM_FIRST or begins >= (site.line, site.col)):
                return
            opened.pop()

    def _end_within(self, call_frame: CallFrame, code: CodeType | None, lasti: int) -> None:
        """Close what is open inside a `with` whose `__exit__` is called after a `return`."""
        opened, begins = call_frame.open, None
        if code is not None and call_frame.function in self.program.owners(code):
            begins = self._instruction(code, lasti).begins
        while opened and opened[-1].key >= 0:
            construct = self.program.constructs[opened[-1].key]
            col = 0 if construct.site is None else construct.site.col
            stays = opened[-1].key in self.returning_from if begins is None else (construct.line, col) < begins
            if stays:
                return
            opened.pop()

    def _instruction(self, code: CodeType, lasti: int) -> Instruction:
        """Look up `_instruction_of`, with a cache."""
        instruction = self._instructions.get((id(code), lasti))
        if instruction is None:
            instruction = self._instructions[id(code), lasti] = _instruction_of(code, lasti)
        return instruction

    def _leave(self, point: Plan, call_frame: CallFrame) -> None:
        self.returns[point.function] = self.returns.get(point.function, 0) + 1
        if point.key >= 0:
            number, caller = call_frame.number, call_frame.caller
            self.comparisons.leave(number, point.construct, caller, self.at, self.at + point.width)
        self.comparisons.end(call_frame.number)
        if any(opened.loop for opened in call_frame.open):
            self._record_leaving(call_frame)
        for opened in call_frame.open:
            if opened.key in point.chain:
                if opened.draft is not None and opened.draft.until is None:
                    # Also where it passes a `break` in a `finally`.
                    opened.draft.end("return", self.shared[len(self.drafts)])
            else:
                self._end(opened, point)
        call_frame.returned = True
        call_frame.suspended = False
        if point.index:  # what the `with` stands in goes on until its `__exit__` is over
            self.returning, self.returning_from = call_frame, self.program.around[point.index - 1]
        self._back_from(call_frame)

    def _record_leaving(self, call_frame: CallFrame) -> None:
        """Remember the decision in whose arm a loop is left."""
        innermost = next((opened for opened in reversed(call_frame.open) if opened.key >= 0), None)
        if innermost is not None and not innermost.loop and innermost.scope.decision is not None:
            self.leaving[innermost.scope.decision] = self.program.constructs[innermost.key]

    def _suspend(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
        call_frame.suspended = True
        self._back_from(call_frame)

    def _back_from(self, call_frame: CallFrame) -> None:
        """Make the caller the running call again, past those that only delegate with `yield from`."""
        caller = call_frame.back or call_frame.parent or self.root
        call_frame.back = None
        while call_frame.suspended and caller.delegating and caller.parent is not None:
            caller = caller.parent
        self.current = caller
        if caller is self.root and call_frame.thread != self.first_thread:
            self._switch_thread(self.first_thread)  # which waited for this one, or goes on beside it

    def _resume(self, point: Plan, call_frame: CallFrame) -> None:
        self._resumed(call_frame)
        call_frame.delegating = False
        self._unwind_to(call_frame, point)

    def _resumed(self, call_frame: CallFrame) -> None:
        """Continue a generator after its `yield`."""
        call_frame.suspended = False
        self._continue(call_frame)

    def _continue(self, call_frame: CallFrame) -> None:
        """Continue a generator: whoever runs now called it, directly or through `yield from`."""
        outermost = call_frame
        while outermost.parent is not None and outermost.parent.delegating and not outermost.awaited:
            outermost = outermost.parent
        if outermost.awaited:
            self.current = call_frame
            return
        if self.returning is not None and outermost.parent is self.returning:
            outermost.back = self.current  # a `@contextmanager` goes on after its caller has returned
        elif outermost.parent is not self.current and not outermost.is_below(self.current):
            outermost.parent = self.current
            self.epoch += 1
        if outermost.asked and outermost.parent is self.current:
            self._move_below(call_frame, outermost)
        self.current = call_frame

    def _thrown_into(self, call_frame: CallFrame) -> None:
        """Continue a generator that something was thrown into, or that is closed; it may leave no other entry."""
        while self.current.suspended and self.current.parent is not None:
            self.current = self.current.parent  # that was another one's end
        self._continue(call_frame)

    def _move_below(self, call_frame: CallFrame, outermost: CallFrame) -> None:
        """Move a generator, and those that delegate to it, below the scope that asks for a value now."""
        passing = [call_frame]
        while passing[-1] is not outermost and passing[-1].parent is not None:
            passing.append(passing[-1].parent)
        for each in reversed(passing):
            if each.parent is not None:
                each.move_to(each.parent.scope)

    def _is_call(self, code: CodeType, lasti: int) -> bool:
        """Return whether an instruction of the script is a call.

        `next(g)`, `await g.asend(v)`, and no head of a loop.
        """
        if not self._owners_of(code):
            return False
        at = _beginning(code, lasti)
        operation, before = (dis.opname[code.co_code[at]] for at in (at, max(0, at - 4)))
        return operation in _CALLS or (operation == "SEND" and before == "GET_AWAITABLE")

    @staticmethod
    def _is_waiting(code: CodeType, lasti: int) -> bool:
        """Return whether an instruction waits for what it calls: that of an `await`."""
        return dis.opname[code.co_code[_beginning(code, lasti)]] == "SEND"

    def _delegate(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
        call_frame.delegating = True
        self.current = call_frame

    def _finally_end(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)
        if call_frame.returned:
            self._back_from(call_frame)

    def _unknown(self, point: Plan, number: int) -> CallFrame:
        """Create the call frame of a call that began before the log did."""
        function = self.program.functions[point.function]
        base = self.scopes.root if function.kind == "module" else ScopeNode(self.scopes.root, "call", function.name)
        call_frame = self.call_frames[number] = CallFrame(number, function, self.root, base, self.current.thread)
        return call_frame

    def _switch_thread(self, thread: int | None) -> None:
        if self.current is not self.root:
            self.threads[self.current.thread] = self.current
        self.current = self.threads.pop(thread, self.root)

    def _unwind_to(self, call_frame: CallFrame, point: Plan) -> None:
        """Make `call_frame` the running call and close what cannot be open at `point`."""
        if call_frame.suspended and call_frame is not self.current and not call_frame.parent_returned:
            self._thrown_into(call_frame)
        self.current = call_frame
        if self.returning is not None and not self.returning.is_below(call_frame):
            self.returning = None
        opened = call_frame.open
        if not opened:
            return
        chain = point.chain
        while opened and opened[-1].key not in chain:
            last = opened.pop()
            if last.draft is not None:
                self._end(last, point, call_frame.suspended and self._closes(point))

    def _closes(self, point: Plan) -> bool:
        """Return whether a generator that resumes from a `yield` without a value was closed, and nothing was thrown."""
        return point.role is not Role.HANDLER or self.log[self.at + 2] == "GeneratorExit"

    def _end(self, opened: Open, point: Plan, closed: bool = False) -> None:
        if opened.draft is None or opened.draft.until is not None:
            return
        if opened.draft.exit is not None and point.role is not Role.HANDLER:
            opened.draft.end(opened.draft.exit, self.shared[len(self.drafts)])
            return
        group = self.program.constructs[opened.key].group
        ends_comprehension = group is not None and (
            group == point.construct.group if point.key >= 0 else group == point.index
        )
        how = "exhausted" if ends_comprehension else "break" if closed else "raise"
        opened.draft.end(how, self.shared[len(self.drafts)])

    def _close(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)

    def _awaited(self, point: Plan, call_frame: CallFrame) -> None:
        self._unwind_to(call_frame, point)


def _beginning(code: CodeType, lasti: int) -> int:
    """Return the offset where an instruction begins; `lasti` may point at the last of its inline caches."""
    while lasti > 0 and code.co_code[lasti] == _CACHE:
        lasti -= 2
    return lasti


def _begins_thread(code: CodeType) -> bool:
    """Return whether code is what a thread begins with: it calls a `run`, the target, or what was given to a pool."""
    return code.co_name in ("run", "_bootstrap_inner") and code.co_filename in _THREADS


def _instruction_of(code: CodeType, lasti: int) -> Instruction:
    line, _, col, _ = position(code, lasti)
    is_head = dis.opname[code.co_code[_beginning(code, lasti)]] in ("FOR_ITER", "GET_ANEXT")
    return Instruction(is_head, (line or 0, col or 0), is_stand_in(code))
