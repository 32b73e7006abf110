"""The static half of a recording: every place that reports, and what it stands for.

Instrumented code calls probes with small integers, the numbers of `Point`s.
A point says what such a call means (`Role`) and to which `Construct` of the source it belongs.
One `Program` holds the tables of a model script and of all modules it imports from its own folder.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import IntEnum
from types import CodeType
from typing import TYPE_CHECKING, NamedTuple

from dyncli.records.model import Site

if TYPE_CHECKING:
    from dyncli.instrument.breakpoint_spec import DebugRequest


class Kind(IntEnum):
    """The meaning of an entry of the log where it is read without a replay, as by `cover`."""

    NOTHING = 0
    SINGLE = 1
    STEP = 2
    ENTER = 3
    LEAVE = 4  # for now: a generator may go on
    WHOLE = 5
    CONDITION = 6
    OPERAND = 7
    LOOP = 8
    LAZY = 9
    WHILE = 10
    CHOICE = 11  # a case or a handler
    VALUED = 12
    RETURN = 13


class Role(IntEnum):
    """The role of an entry of the log: its one declaration.

    width: how many items it takes in the log; the first is the number of a point, the second the id of a call.
    handler: the method of the replay that plays it, without its underscore.  kind: what it means without a replay.
    probes: those that write it.
    """

    width: int
    handler: str
    kind: Kind
    probes: tuple[str, ...]

    def __new__(cls, width: int, handler: str, kind: Kind, *probes: str) -> Role:
        """Create a role with the next number."""
        number = len(cls.__members__)
        role = int.__new__(cls, number)
        role._value_, role.width, role.handler, role.kind, role.probes = number, width, handler, kind, probes
        return role

    ENTER = 6, "enter", Kind.ENTER, "@enter", "@enter_async", "@enter_unbound", "@enter_module"
    LEAVE = 2, "leave", Kind.RETURN, "@at", "@close"
    SUSPEND = 2, "suspend", Kind.LEAVE, "@close"
    RESUME = 2, "resume", Kind.NOTHING, "@close"
    AWAITED = 2, "awaited", Kind.NOTHING, "@close"
    DELEGATE = 2, "delegate", Kind.NOTHING, "@close"
    CONDITION = (
        5, "condition", Kind.CONDITION, "@compared", "@compared_end", "@link",
        "@truth", "@truth_end", "@truth_known", "@truth_known_end",
    )  # fmt: skip
    WHOLE = 3, "whole", Kind.WHOLE, "@test", "@end"
    SINGLE = 5, "single", Kind.SINGLE, "@compared", "@truth", "@truth_known"
    OPERAND = (
        5, "operand", Kind.OPERAND, "@stop_false", "@stop_false_known", "@stop_false_compared",
        "@stop_true", "@stop_true_known", "@stop_true_compared", "@stop_link",
    )  # fmt: skip
    LOOP = 3, "loop", Kind.LOOP, "@loop"
    ITERATION = 2, "iteration", Kind.STEP, "@at", "@step", "@stepped"
    DONE = 2, "done", Kind.NOTHING, "@at"
    BREAK = 2, "break", Kind.NOTHING, "@at"
    SUBJECT = 3, "subject", Kind.NOTHING, "@subject"
    CASE = 2, "case", Kind.CHOICE, "@at"
    HANDLER = 3, "handler", Kind.CHOICE, "@caught"
    CLOSE = 2, "close", Kind.NOTHING, "@at", "@close", "@left", "@finally"
    FINALLY_END = 2, "finally_end", Kind.LEAVE, "@at"
    LAZY = 4, "lazy", Kind.LAZY, "@lazy", "@lazy_async", "@lazily"
    WHILE = 2, "while", Kind.WHILE, "@at"
    MADE = 2, "made", Kind.NOTHING, "@code"
    VALUED = 5, "valued", Kind.VALUED, "@valued"


#: The local variable of a function that holds the id of its call; no script can spell it.
CALL_ID = "@call"


@dataclass(slots=True, eq=False)
class ConditionText:
    """The source of one comparison or truth test; `op` is None for a bare truth test, whose source is `lhs`.

    Of a name to which the statement before assigned what a call returned, `lhs` is the call.
    spans: where lhs and rhs stand, as (line, col, end_line, end_col); of that name, where the name does.
    made: of a truth test, where what has the lhs's truth stands.
    """

    text: str
    op: str | None
    lhs: str
    rhs: str | None
    spans: tuple[tuple[int, int, int, int], ...] = ()
    made: tuple[int, int, int, int] | None = None


# How the conditions of a test combine: a condition's index, ("not", x), ("and", x, ...), ("or", x, ...).
# None is a constant.
Formula = int | None | tuple["str | Formula", ...]


@dataclass(slots=True, eq=False)
class Construct:
    """One `if`, loop, `and`, `match`, ... of the source; its index in `Program.constructs` is its key.

    site: None for a loop that decides nothing (`while True`), which `stands` somewhere all the same.
    kind, line: as in `Site`.
    opens: whether its arms hold anything that can run.  loop: the key of the loop around it in the same function.
    group: equal for the clauses of one comprehension.
    spans: the parts whose value a `for` or `match` depends on; of a function, what has the truth of its result.
    patterns: of a `match`, the pattern of each case.

    A comparison whose result is kept and what a function returns are constructs, too, which decide nothing: the kinds
    are `valued`, with the target as text, and `returned`, with the source, or with none for a comparison.
    The formula of the former is what the comparison makes of the value: 0, ("not", 0), or ("and", None, 0) and
    ("or", None, 0) of the last operand.
    """

    kind: str
    line: int
    text: str
    function: int
    site: Site | None = None
    opens: bool = True
    loop: int | None = None
    group: int | None = None
    conditions: list[ConditionText] = field(default_factory=list)
    formula: Formula = None
    spans: tuple[tuple[int, int, int, int], ...] = ()
    patterns: tuple[ast.pattern, ...] = ()
    stands: Site | None = None


@dataclass(slots=True, eq=False)
class Function:
    """A function, lambda, generator expression or module body: its lines in `file` (as displayed) and `path` (real).

    kind: function, async, lambda, genexpr or module.
    """

    name: str
    file: str
    path: str
    line: int
    end_line: int
    kind: str = "function"

    def holds(self, path: str, line: int) -> bool:
        """Return whether a line lies in its source."""
        return self.path == path and self.line <= line <= self.end_line


class Point(NamedTuple):
    """One call of a probe.  key: its construct, or -1.  index: which condition, arm, case or operand.

    chain: the keys of the constructs that may still be open when it is reached; all others have ended by then.
    """

    role: Role
    key: int
    chain: frozenset[int]
    index: int = 0  # type: ignore[assignment]
    function: int = 0


@dataclass(slots=True, eq=False)
class Program:
    """The tables of one loaded script.

    sources: the text of each file by the name it is shown by, the script first.  left_out: files that got no probes.
    debug_request: what is to be looked at besides, with probes of its own.
    pinned: whether outcomes of tests may be put in the place of others.
    chosen: the lines where a case of a `match` may be taken instead of another.
    around: what the `with`s stand in that a `return` leaves; the index of its point counts them from 1.
    other_values: the number of a function and a name that may hold neither its last comparison nor a constant from
    above it.  constants: by the key of a loop the names that are given constants in it.
    made: the points where code is made that may decide something, each with its file, its line, and `exec` or `eval`.
    """

    points: list[Point] = field(default_factory=list)
    constructs: list[Construct] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    debug_request: DebugRequest | None = None
    pinned: bool = False
    chosen: frozenset[int] = frozenset()
    around: list[frozenset[int]] = field(default_factory=list)
    other_values: set[tuple[int, str]] = field(default_factory=set)
    constants: dict[int, set[str]] = field(default_factory=dict)
    made: dict[int, tuple[str, int, str]] = field(default_factory=dict)

    def owners(self, code: CodeType) -> tuple[Function, ...]:
        """Return the functions that a code object may belong to; a comprehension or class belongs to its function."""
        path, line = code.co_filename, code.co_firstlineno
        here = [function for function in self.functions if function.path == path]
        name = code.co_qualname
        if name == "<module>":
            return tuple(each for each in here if each.kind == "module")
        for inner in ("<listcomp>.", "<setcomp>.", "<dictcomp>."):
            name = name.replace(inner, "")
        exact = [each for each in here if each.name == name and line <= each.line]
        nearest = min((each.line for each in exact), default=None)
        if nearest is not None:
            return tuple(each for each in exact if each.line == nearest)
        holding = [each for each in here if each.line <= line <= each.end_line or each.kind == "module"]
        innermost = max((each.line for each in holding), default=None)
        return tuple(each for each in holding if each.line == innermost)

    @property
    def sites(self) -> tuple[Site, ...]:
        """Every decision site, by file and place; those of a module that was loaded twice, once."""
        found = dict.fromkeys(construct.site for construct in self.constructs if construct.site is not None)
        return tuple(sorted(found, key=lambda site: (site.file, site.line, site.col, site.end_line, site.end_col)))
