"""Who was running: call frames of functions, and the scopes and constructs open in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple

from dyncli.instrument.program import ConditionText, Construct, Function, Role
from dyncli.instrument.runtime.condition_probes import Verdict
from dyncli.records.columns import ScopeRows, Shared
from dyncli.records.model import Condition, Site


@lru_cache(4096)
def _longer(path: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Append to a call path; equal ones are one tuple."""
    return (*path, name)


@lru_cache(4096)
def _step(line: int, index: int) -> tuple[tuple[int, int]]:
    """Return an iteration of the loop at a line, to be appended to the enclosing ones."""
    return ((line, index),)


class ScopeNode:
    """A scope before it has a number: most hold nothing and never get one."""

    __slots__ = ("decision", "index", "iterations", "kind", "name", "number", "parent", "site", "under")

    def __init__(
        self,
        parent: ScopeNode | None,
        kind: str,
        name: str,
        site: Site | None = None,
        index: int | None = None,
        decision: int | None = None,
        line: int | None = None,
    ) -> None:
        self.parent = parent
        self.kind = kind
        self.name = name
        self.site = site
        self.index = index
        self.decision = decision
        self.number: int | None = None
        self.under: int | None = decision
        self.iterations: tuple[tuple[int, int], ...] = ()
        if parent is not None:
            if decision is None:
                self.under = parent.under
            self.iterations = parent.iterations
        if line is not None and index is not None:
            self.iterations += _step(line, index)

    def moved(self, parent: ScopeNode) -> ScopeNode:
        """Copy this node below another parent."""
        other = ScopeNode(parent, self.kind, self.name, self.site, self.index, self.decision)
        within = self.parent.iterations if self.parent is not None else ()
        other.iterations += self.iterations[len(within) :]
        return other


class Scopes:
    """The scopes that hold something, numbered in the order they are first asked for; number 0 is the root."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.root = ScopeNode(None, "root", "")
        self.finished = ScopeRows()
        self.number(self.root)

    def number(self, node: ScopeNode) -> int:
        """Return the number of a scope; number the scopes around it first."""
        number = node.number
        if number is not None:
            return number
        parent = node.parent
        if parent is not None and parent.number is None:
            waiting: list[ScopeNode] = []
            while parent is not None and parent.number is None:
                waiting.append(parent)
                parent = parent.parent
            for scope in reversed(waiting):
                self.number(scope)
            parent = node.parent
        finished = self.finished
        node.number = number = self.shared[len(finished)]
        above = None if parent is None else parent.number
        finished.append(above, node.kind, node.name, node.site, node.index, node.decision)
        return number


@dataclass(slots=True, eq=False)
class Plan:
    """A `Point` with all that its entries need at hand, looked up once for each point of a program.

    step: what an entry of it does, a function of the replay.  width: how many items it has.
    begins: whether it begins a call frame, or is of none.
    construct: of its key, or a nameless one.  text: of its condition, if it has one.
    silent: whether only Python can be behind what is tested here, unless a tensor is seen.
    """

    step: Callable[[Any, Plan, CallFrame], None]
    width: int
    begins: bool
    role: Role
    key: int
    chain: frozenset[int]
    index: int
    function: int
    construct: Construct
    text: ConditionText | None
    silent: bool


class Comparison(NamedTuple):
    """A comparison of a construct whose result was kept, with its sides as the log has them, where it stands `at`.

    alone: whether the value that was kept would be another if it had another outcome, and by nothing else.
    """

    construct: Construct
    text: ConditionText
    left: Any
    right: Any
    outcome: bool
    at: int
    alone: bool = True


#: The code of a call's caller, None if that is none of Python's, and the instruction.
Caller = tuple[CodeType | None, int]


@dataclass(slots=True, eq=False)
class RawCondition:
    """A condition as the log has it: operands are plain values or `RecordedOperand`.

    behind: the comparison that had made the truth that was tested.
    """

    index: int
    left: Any
    right: Any
    outcome: bool
    verdict: Verdict | None
    at: int
    behind: Comparison | None = None

    @property
    def exception(self) -> str | None:
        """The name of what was raised instead of an outcome."""
        return None if self.verdict is None else self.verdict.exception


#: The conditions of a test that were evaluated, with their places among all of the test's; final where Python alone is
#: behind them.
Tested = Sequence[tuple[int, RawCondition | Condition]]


@dataclass(slots=True, eq=False)
class Draft:
    """A decision that may still change: a loop's is begun before its trips are known."""

    number: int
    construct: Construct
    arm: str
    outcome: bool | int
    scope: ScopeNode
    call_path: tuple[str, ...]
    recursion: int
    at: int
    phase: str
    conditions: Tested = ()
    subject: Any = None
    iteration: int | None = None
    trips: int | None = None
    exit: str | None = None
    exception: str | None = None
    forced: bool = False
    until: int | None = None

    def end(self, how: str, until: int) -> None:
        """Record how a loop ended, after so many decisions."""
        self.exit, self.until = how, until


@dataclass(slots=True, eq=False)
class Open:
    """A construct that has begun in a call frame and not ended: an arm, or a loop at its step `index`."""

    key: int
    outer: ScopeNode
    scope: ScopeNode
    draft: Draft | None = None
    loop: bool = False
    index: int = -1


class CallFrame:
    """One call of a function: who called it, and what is open in it.

    number: as the log has it, 0 of what is around them all.
    back: who runs after it, where that is not its caller: an `__exit__` is called by a function that has returned.
    caller: the code that called it and the instruction, if that was Python's.
    asked: whether a call in the script began it, so that a generator is asked for each value there, by no loop.
    awaited: whether a coroutine waits for it, a generator that an `__await__` is: whoever lets it go on, the coroutine
    called it.
    """

    __slots__ = (
        "asked", "conditions", "awaited", "back", "base", "caller", "delegating", "epoch", "function", "number", "open",
        "parent", "path", "recursion", "returned", "suspended", "task", "thread",
    )  # fmt: skip

    def __init__(
        self, number: int, function: Function, parent: CallFrame | None, base: ScopeNode, thread: int | None
    ) -> None:
        self.number = number
        self.function = function
        self.parent = parent
        self.base = base
        self.thread = thread
        self.task: int | None = parent.task if parent is not None else None
        self.back: CallFrame | None = None
        self.caller: Caller = None, 0
        self.open: list[Open] = []
        self.conditions: dict[int, list[tuple[int, RawCondition | Condition]]] = {}
        self.suspended = self.delegating = self.returned = self.asked = self.awaited = False
        self.epoch = -1
        self.path: tuple[str, ...] = ()
        self.recursion = 0

    @property
    def scope(self) -> ScopeNode:
        """The innermost scope."""
        return self.open[-1].scope if self.open else self.base

    @property
    def is_visible(self) -> bool:
        """Return whether a call path names it: module bodies and generator expressions are no functions."""
        return self.function.kind not in ("module", "genexpr")

    @property
    def parent_returned(self) -> bool:
        """Return whether whoever called this last is over: what ends a generator then is that nobody holds it."""
        return self.parent is None or self.parent.returned

    def move_to(self, scope: ScopeNode) -> None:
        """Continue in another scope of the present caller; open arms and loops move there."""
        if self.base.parent is scope:
            return
        before, self.base = self.base, self.base.moved(scope)
        after = self.base
        for opened in self.open:
            begun = opened.scope is not before
            opened.outer = after
            if begun:
                before, after = opened.scope, opened.scope.moved(after)
            opened.scope = after

    def trace_callers(self, epoch: int) -> None:
        """Set `path`, the functions on the stack, and `recursion`; both hold until `epoch` changes."""
        waiting: list[CallFrame] = []
        above: CallFrame | None = self
        while above is not None and above.epoch != epoch:
            waiting.append(above)
            above = above.parent
        for call_frame in reversed(waiting):
            parent = call_frame.parent
            call_frame.epoch = epoch
            call_frame.path = parent.path if parent is not None else ()
            call_frame.recursion = parent.recursion if parent is not None else 0
            if call_frame.is_visible:
                call_frame.path = _longer(call_frame.path, call_frame.function.name)
                call_frame.recursion = call_frame.same_below()

    def same_below(self) -> int:
        """Return how many call frames of the same function are its callers, directly or not."""
        caller = self.parent
        while caller is not None and caller.function is not self.function:
            caller = caller.parent
        return 0 if caller is None else caller.recursion + 1

    def is_below(self, other: CallFrame | None) -> bool:
        """Return whether `other` was called from here, directly or not."""
        while other is not None and other is not self:
            other = other.parent
        return other is self
