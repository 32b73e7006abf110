"""Where a tested value came from: a tensor, a number that left one, a shape, chance, or Python alone.

A tensor is seen as such.  A number is known again as the very object that `.item()` gave, or as the value of the call
that is tested.  Otherwise the source tells where it may have come from, and the run whether a value left a tensor
there: `scalar~`.
"""

from __future__ import annotations

import ast
import builtins
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from dyncli.instrument.program import ConditionText, Construct, Program, Role
from dyncli.instrument.runtime.condition_probes import RecordedOperand
from dyncli.instrument.transform.builder import OPPOSITES, Span, affirmed
from dyncli.recorder.naming import position
from dyncli.recorder.provenance.call_frames import Caller, Comparison, Draft, RawCondition
from dyncli.records.text import expression

if TYPE_CHECKING:
    from dyncli.recorder.provenance.backward_slice import ExpressionEnd, Flow

Place = tuple[str, Span]  # a file as it is shown, and a span of it
#: From weakest to strongest.
ORIGINS = ("python", "rng~", "rng", "shape", "scalar~", "scalar", "tensor")
SHAPES = frozenset({"shape", "size", "ndim", "dim", "numel", "nelement", "__len__"})
LISTS = frozenset({"tolist", "numpy", "__array__"})
ITEMS = SHAPES | LISTS
#: The methods of a class that answer a test of its objects, by the test's operator.
METHODS = {
    None: ("__bool__", "__len__"),
    "in": ("__contains__", "__eq__", "__hash__"), "not in": ("__contains__", "__eq__", "__hash__"),
    "==": ("__eq__",), "!=": ("__ne__", "__eq__"), "<": ("__lt__", "__gt__"), ">": ("__gt__", "__lt__"),
    "<=": ("__le__", "__ge__"), ">=": ("__ge__", "__le__"),
}  # fmt: skip
_STATEMENT = rb"(?:(?:el)?if|while|assert|async|for)\b"
_CALLED = ("forward", "__call__")  # functions that are called by another name
_SMALL_INTS = range(-5, 257)  # shared by the interpreter: two equal ones are one object


class Escape(NamedTuple):
    """A value that left a tensor: the tensor's number, how, the value, the log's length then, and where in the code.

    value: a number; a tuple of the numbers of a list; None for anything else.  order: its place among all.
    """

    trace: int
    how: str
    value: Any
    at: int
    code: CodeType
    lasti: int
    order: int = 0


class Origin(NamedTuple):
    """One of `ORIGINS`, and the op that produced the value.  others: those of the numbers it was reckoned with."""

    name: str
    op: int | None = None
    others: tuple[int, ...] = ()


class _BorneOut(NamedTuple):
    """The escapes behind a value that source and run agree on, each with whether only a length counts.

    otherwise: the origin where none of them had happened yet.
    """

    escapes: Sequence[tuple[Sequence[Escape], bool]]
    otherwise: Origin


class Shape(tuple[int, ...]):
    """The value of a shape that was tested itself."""


PYTHON = Origin("python")


def strongest_of(origins: Sequence[Origin]) -> Origin:
    """Return the strongest of some origins, `python` if there are none."""
    if len(origins) == 1:  # as of most tests
        return origins[0]
    return max(origins, key=lambda origin: ORIGINS.index(origin.name), default=PYTHON)


class Provenance:
    """Find the origin of the values tested in one run.

    op_of: the op that made the tensor of a number.  escapes: what left tensors, in order.
    is_drawn: whether a tensor was drawn, by chance alone.
    called: returns the numbers of the functions that were called; without it any may have been.
    """

    def __init__(
        self,
        program: Program,
        op_of: Callable[[int], int | None] = lambda trace: None,
        escapes: Iterable[tuple[int, str, Any, int, CodeType, int]] = (),
        called: Callable[[], Collection[int]] | None = None,
        is_drawn: Callable[[int], bool] = lambda trace: False,
    ) -> None:
        self.program = program
        self._called = called
        self._is_drawn = is_drawn
        self.op_of = op_of
        self.escapes = [Escape(*escape, order) for order, escape in enumerate(escapes)]
        self._borne: dict[tuple[str, Span, bool], _BorneOut] = {}
        self._telling: dict[int, bool] = {}  # by the number of a function

    def of_condition(self, draft: Draft, raw: RawCondition) -> Origin:
        """Find the origin of one comparison or truth test."""
        left, right, verdict = raw.left, raw.right, raw.verdict
        if (
            verdict is None
            and type(left) is not RecordedOperand
            and type(right) is not RecordedOperand
            and not self.may_tell(draft.construct)
        ):
            return PYTHON
        text = draft.construct.conditions[raw.index]
        if text.op in ("is", "is not"):
            return PYTHON
        sides = (left,) if text.op is None else (left, right)
        traces = [side.trace for side in sides if type(side) is RecordedOperand and side.trace is not None]
        if verdict is not None and verdict.result is not None:
            traces.insert(0, verdict.result)
        if traces:
            return Origin("tensor", self.op_of(traces[0]))
        if not self.may_tell(draft.construct):
            return PYTHON
        if text.op is None and _is_container(left):
            return self._inferred(draft, text.spans[0], raw.at, length=True)
        found = [self._of_operand(draft, side, span, raw.at) for side, span in zip(sides, text.spans)]
        for side in sides:
            if (
                type(side) is RecordedOperand and type(side.value) is dict
            ):  # an object, which may answer by a method of the script's
                answers = self._flow.answers(side.value["type"], METHODS.get(text.op, ()))
                found += [self._inferred_in(*place, raw.at, length=False) for place in answers]
        return _together(found)

    def of_comparison(self, draft: Draft, comparison: Comparison) -> Origin:
        """Find the origin of the comparison whose result was tested in a draft."""
        _, _, left, right, outcome, at, _ = comparison
        own = replace(draft, construct=comparison.construct)
        return self.of_condition(own, RawCondition(0, left, right, outcome, None, at))

    def of_loop(self, draft: Draft) -> Origin:
        """Find the origin of a loop's number of iterations."""
        subject = draft.subject
        if type(subject) is RecordedOperand and subject.trace is not None:
            return Origin("shape", self.op_of(subject.trace))
        if not self.may_tell(draft.construct):
            return PYTHON
        return strongest_of([self._inferred(draft, span, draft.at, length=True) for span in draft.construct.spans])

    def movers(self, construct: Construct, taken: Mapping[Place, Collection[str]]) -> set[Place]:
        """Find the tests on data in whose arms the values that a construct tests were set.

        taken: by the place of a test on data, the arms that ran.
        """
        file = self.program.functions[construct.function].file
        spans = {span for condition in construct.conditions for span in condition.spans}
        return {place for span in spans for place in self._flow.movers(file, span, taken)}

    def exact(self, draft: Draft, value: Any, span: Span, at: int) -> Escape | None:
        """Find the escape that returned this very value, which stands at `span`."""
        found = self._by_identity.get(id(value)) if _is_unique(value) else None
        if type(value) is RecordedOperand and type(value.value) is tuple:  # a copy that holds the very numbers
            inside = (self._by_identity.get(id(each)) for each in value.value if _is_unique(each))
            return next(filter(None, inside), None)
        if found is None and self.escapes:
            file = self._file(draft)
            last = self._last_at((self._paths[file], span[2], span[3]), at)
            if last is not None and _is_this(last, value) and _starts_at(last, span):
                return last
        return found

    def inferred(self, draft: Draft, span: Span, at: int) -> Escape | None:
        """Find the last value that left a tensor and that, by the source, the one at `span` may come from."""
        found = self._last_of(self._borne_by((self._file(draft), span, False)), at)
        return found.get("scalar~")

    def _of_operand(self, draft: Draft, value: Any, span: Span, at: int) -> Origin:
        if value is None:  # no tensor holds it
            return PYTHON
        exact = self.exact(draft, value, span, at)
        if exact is not None:
            return Origin("rng" if self._is_drawn(exact.trace) else "scalar", self.op_of(exact.trace))
        found = self._inferred(draft, span, at, length=False)
        if type(value) is RecordedOperand and type(value.value) is Shape and found.name != "shape":
            return Origin("shape")
        return found

    def _inferred(self, draft: Draft, span: Span, at: int, *, length: bool) -> Origin:
        """Infer the origin from the source, as far as this run supports it."""
        return self._inferred_in(self._file(draft), span, at, length=length)

    def _inferred_in(self, file: str, span: Span, at: int, *, length: bool) -> Origin:
        borne = self._borne_by((file, span, length))
        if not borne.escapes:
            return borne.otherwise
        last = self._last_of(borne, at)
        for name in ("scalar~", "shape"):
            if name in last:
                beside = self._beside(last[name], borne, file, span) if name == "scalar~" else ()
                return Origin(name, self.op_of(last[name].trace), beside)
        drawn = [Origin("rng~", self.op_of(last["rng~"].trace))] if "rng~" in last else []
        return strongest_of([*drawn, borne.otherwise])

    def _beside(self, last: Escape, borne: _BorneOut, file: str, span: Span) -> tuple[int, ...]:
        """List the ops of other numbers that left tensors within `span`, with no decision since."""
        found = [_last_before(escapes, last.at) for escapes, _ in borne.escapes]
        traces = [
            each.trace
            for each in found
            if each is not None
            and (each.at, each.code.co_filename) == (last.at, self._paths[file])
            and each.how not in SHAPES
            and _stands_in(each, span)
        ]
        return tuple(op for op in dict.fromkeys(map(self.op_of, traces)) if op not in (None, self.op_of(last.trace)))

    def _last_of(self, borne: _BorneOut, at: int) -> dict[str, Escape]:
        """Find the last escape that makes it `scalar~`, the last that makes it `shape`, and that `rng~`."""
        last: dict[str, Escape] = {}
        for escapes, by_length in borne.escapes:
            escape = _last_before(escapes, at)
            if escape is None:
                continue
            is_shape = escape.how in SHAPES or (by_length and escape.how in LISTS)
            name = "shape" if is_shape else "rng~" if self._is_drawn(escape.trace) else "scalar~"
            if name not in last or last[name].order < escape.order:
                last[name] = escape
        return last

    def _borne_by(self, key: tuple[str, Span, bool]) -> _BorneOut:
        found = self._borne.get(key)
        if found is None:
            found = self._borne[key] = self._borne_out(key)
        return found

    def _borne_out(self, key: tuple[str, Span, bool]) -> _BorneOut:
        """Return the places a value may come from where something left a tensor in this run."""
        file, span, length = key
        sources = self._flow.sources_of(file, span, length=length, is_end=self._is_shape)
        found = [(self._left_at(end), by_length) for end, by_length in sources.expressions]
        for end, by_length in sources.names:
            left = [each for each in self._left_at(end) if (each.how in ITEMS if by_length else each.how == "__bool__")]
            found.append((left, by_length))
        found = [(escapes, by_length) for escapes, by_length in found if escapes]
        return _BorneOut(found, Origin(sources.chance) if sources.chance else PYTHON)

    def _is_shape(self, end: ExpressionEnd) -> bool:
        """Return whether all that left tensors at a place are shapes."""
        left = self._left_at(end)
        return bool(left) and all(escape.how in SHAPES for escape in left)

    def _left_at(self, end: ExpressionEnd) -> Sequence[Escape]:
        """Return what left tensors at a place of a file as it is shown."""
        where, line, col = end
        return self._by_end.get((self._paths.get(where, where), line, col), ())

    def _last_at(self, end: ExpressionEnd, at: int) -> Escape | None:
        """Find the last value that left a tensor at a place before the log had `at` items."""
        escapes = self._by_end.get(end)
        return None if escapes is None else _last_before(escapes, at)

    def _file(self, draft: Draft) -> str:
        return self.program.functions[draft.construct.function].file

    def may_tell(self, construct: Construct) -> bool:
        """Return whether anything but Python can be behind a test that saw no tensor: a quick answer for most."""
        function = construct.function
        known = self._telling.get(function)
        if known is None:
            file = self.program.functions[function].file
            known = self._telling[function] = bool(self.escapes) or file in self._with_chance
        return known

    @cached_property
    def _with_chance(self) -> frozenset[str]:
        sources = self.program.sources
        return frozenset(file for file, text in sources.items() if "random" in text or "secrets" in text)

    @cached_property
    def _flow(self) -> Flow:
        from dyncli.recorder.provenance.backward_slice import Flow  # for what is known by the source alone

        return Flow(self.program.sources, self._uncalled())

    def _uncalled(self) -> set[tuple[str, int]]:
        """Return the file and line of each function that reports its calls and was not called."""
        if self._called is None:
            return set()
        called, functions = self._called(), self.program.functions
        reporting = {point.function for point in self.program.points if point.role is Role.ENTER}
        lines = {(functions[number].file, functions[number].line) for number in reporting if number in called}
        return {(functions[number].file, functions[number].line) for number in reporting} - lines

    @cached_property
    def _paths(self) -> dict[str, str]:
        return {function.file: function.path for function in self.program.functions}

    @cached_property
    def _by_identity(self) -> dict[int, Escape]:
        """The escape that gave each object; log and escapes keep the objects alive, so no number is used twice."""
        found: dict[int, Escape] = {}
        for escape in self.escapes:
            for value in escape.value if type(escape.value) is tuple else (escape.value,):
                if _is_unique(value):
                    found.setdefault(id(value), escape)
        return found

    def _is_statement(self, path: str, line: int, col: int) -> bool:
        """Return whether a statement begins there: on Python 3.11 a bare test has the place of its whole `if`."""
        lines = self._lines.get(path, ())
        return 0 < line <= len(lines) and re.match(_STATEMENT, lines[line - 1].encode()[col:]) is not None

    @cached_property
    def _tested(self) -> dict[tuple[str, int], ExpressionEnd]:
        """Where what a statement tests or goes through ends, by path and line: before Python 3.13 its place is that."""
        found: dict[tuple[str, int], ExpressionEnd] = {}
        for construct in self.program.constructs:
            spans = construct.spans if construct.kind == "for" else ()
            if construct.kind in ("if", "elif", "while", "assert") and len(construct.conditions) == 1:
                spans = construct.conditions[0].spans
            if len(spans) == 1:
                path, (_, _, line, col) = self.program.functions[construct.function].path, spans[0]
                found[path, construct.line] = path, line, col
        return found

    @cached_property
    def _lines(self) -> dict[str, list[str]]:
        return {self._paths.get(file, file): text.split("\n") for file, text in self.program.sources.items()}

    @cached_property
    def _by_end(self) -> dict[ExpressionEnd, Sequence[Escape]]:
        """The escapes by the place where they happened, without those of whole statements."""
        found: dict[ExpressionEnd, list[Escape]] = {}
        known: dict[tuple[CodeType, int], ExpressionEnd] = {}
        for escape in self.escapes:
            key = (escape.code, escape.lasti)
            end = known.get(key)
            if end is None:
                first, line, start, col = position(*key)
                path = escape.code.co_filename
                end = (path, line or 0, col or 0)
                if self._is_statement(path, first or 0, start or 0):
                    end = self._tested.get((path, first or 0), (path, 0, 0))
                known[key] = end
            if end[1]:  # nodes that were made for the slice have no place either
                found.setdefault(end, []).append(escape)
        return dict(found)


def _together(origins: Sequence[Origin]) -> Origin:
    """Return the strongest origin, with the ops of all others that are numbers of tensors."""
    strongest = strongest_of(origins)
    if not any("scalar" in origin.name for origin in origins):
        return strongest
    ops = [op for origin in origins if "scalar" in origin.name for op in (origin.op, *origin.others)]
    return strongest._replace(others=tuple(op for op in dict.fromkeys(ops) if op not in (None, strongest.op)))


def _last_before(escapes: Sequence[Escape], at: int) -> Escape | None:
    """Return the last escape before the log had `at` items; all must be of one place."""
    if escapes[-1].at <= at:
        return escapes[-1]
    index = bisect_right(escapes, at, key=lambda escape: escape.at)
    return escapes[index - 1] if index else None


def _starts_at(escape: Escape, span: Span) -> bool:
    line, _, col, _ = position(escape.code, escape.lasti)
    return (line, col) == span[:2]


def _stands_in(escape: Escape, span: Span) -> bool:
    line, end_line, col, end_col = position(escape.code, escape.lasti)
    return None not in (line, end_line, col, end_col) and span[:2] <= (line, col) and (end_line, end_col) <= span[2:]


def _is_this(escape: Escape, value: Any) -> bool:
    return escape.how not in SHAPES and type(escape.value) is type(value) and bool(escape.value == value)


def _is_container(value: Any) -> bool:
    """Return whether a value is true because it holds something: a list, a dict."""
    return type(value) is RecordedOperand and type(value.value) is dict and "len" in value.value


def _is_unique(value: Any) -> bool:
    """Return whether a number is told from its equals by identity."""
    return type(value) is float or (type(value) is int and value not in _SMALL_INTS)


def comparison_of(construct: Construct, left: Any, right: Any, outcome: bool, at: int) -> Comparison:
    """Return the comparison of an entry in the log that stands `at`."""
    formula = construct.formula
    alone = type(formula) is not tuple or formula[0] == "not" or outcome is (formula[0] == "or")
    return tuple.__new__(Comparison, (construct, construct.conditions[0], left, right, outcome, at, alone))


def is_data(operand: Any) -> bool:
    """Return whether an operand may be data: the number of a tensor or a float, no whole number as counters are."""
    value = operand.value if type(operand) is RecordedOperand else operand
    return type(value) is float or (operand is not value and type(value) is int)


def opposite(comparison: Comparison) -> Comparison | None:
    """Return the comparison that is true where another is false; None where NaN makes both false."""
    construct, text, left, right, outcome, at, alone = comparison
    assert text.op is not None
    op = OPPOSITES[text.op]
    sides = [side.value if type(side) is RecordedOperand else side for side in (left, right)]
    if any(type(side) is float and side != side for side in sides):
        return None
    text = ConditionText(f"{text.lhs} {op} {text.rhs}", op, text.lhs, text.rhs, text.spans)
    return Comparison(construct, text, left, right, not outcome, at, alone)


class Latest(NamedTuple):
    """A comparison whose result was kept last.

    at: the length of the log then.  function, caller: what returned it, and where it was called.
    target: what it was assigned to, empty if that is left to a `return`.
    """

    comparison: Comparison
    at: int
    function: int | None = None
    caller: Caller = (None, 0)
    target: str | None = None


class Comparisons:
    """Follow the comparisons of a log, whose calls are known by their ids.

    A plain truth is known by the name that holds it in the same call, or as what was returned to the very expression
    that is tested, or assigned to an attribute or item, right before the test.
    of_tensor: by the number of a tensor, the comparison that made it.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.of_tensor: dict[int, Comparison] = {}
        self._latest: Latest | None = None
        self._kept: dict[int, dict[str, Comparison | None]] = {}  # by call and by the name that holds it

    def keep(self, comparison: Comparison, construct: Construct, call: int, end: int) -> None:
        """Keep a comparison for what is assigned or returned; its entry in the log ends at `end`."""
        name, function = construct.text, construct.function
        found: Comparison | None = comparison
        if construct.formula == ("not", 0):
            found = opposite(comparison)
        elif not (comparison.alone or is_data(comparison.left) or is_data(comparison.right)):
            found = None  # the other operands say more
        if not name.isidentifier():  # nobody knows who else sets an attribute or an item
            self._latest = None if found is None else Latest(found, end, target=name)
        elif (function, name) not in self.program.other_values:
            self._kept.setdefault(call, {})[name] = found

    def begin_step(self, call: int, loop: int) -> None:
        """Drop what the constants that are set in each step of a loop may have replaced."""
        kept = self._kept.get(call)
        if kept:
            for name in self.program.constants.get(loop, ()):
                kept.pop(name, None)

    def leave(self, call: int, construct: Construct, caller: Caller, at: int, end: int) -> None:
        """Follow the value that a call returns, whose entry in the log goes from `at` to `end`."""
        (span,) = construct.spans
        found = self._held(call, construct.text, span, construct.function, at)
        self._latest = None if found is None else Latest(found, end, construct.function, caller)

    def end(self, call: int) -> None:
        """Drop what a call held that is over."""
        self._kept.pop(call, None)

    def of_result(self, number: int, truth: bool) -> Comparison | None:
        """Return the comparison that made a tensor, None if its memory was written since, as by NumPy."""
        found = self.of_tensor.get(number)
        return found if found is not None and found.outcome is truth else None

    def of_truth(self, call: int, text: ConditionText, function: int, at: int, truth: bool) -> Comparison | None:
        """Return the comparison whose result a tested expression is, whose test begins at `at` in the log."""
        found = self._held(call, text.lhs, text.made, function, at)
        return found if found is not None and found.outcome is truth else None

    def _held(self, call: int, source: str, span: Span | None, function: int, at: int) -> Comparison | None:
        """Return the comparison behind an expression of a function; it stands at `span`."""
        latest, kept = self._latest, self._kept.get(call)
        if latest is None and kept is None:  # as of most
            return None
        value = _value(source)
        found = None if kept is None else kept.get(value.text)
        if (
            latest is not None
            and latest.at == at
            and (value.text == latest.target or self._is_called(latest, value, span, function))
        ):
            found = latest.comparison
        return opposite(found) if value.negated and found is not None else found

    def _is_called(self, latest: Latest, value: _Value, span: Span | None, function: int) -> bool:
        """Return whether a value is what the call just left has returned."""
        code, lasti = latest.caller
        if code is None or latest.function is None:
            return False
        functions = self.program.functions
        name = functions[latest.function].name.rpartition(".")[2]
        has_name = value.called == name
        if code.co_filename == functions[function].path:
            line, end_line, col, end_col = position(code, lasti)
            may_be_other = not hasattr(builtins, value.called) and (name == "__call__" or not name.startswith("__"))
            return (line, col, end_line, end_col) == span and (has_name or may_be_other)
        if any(each.path == code.co_filename for each in functions):
            return False
        if name not in _CALLED or value.by_name:
            return has_name
        module = value.called.partition("[")[0]  # the engine calls `forward`
        return any(module in _bound(text) for text in self.program.sources.values())


@lru_cache(maxsize=64)
def _bound(source: str) -> frozenset[str]:
    """Return the names and attributes that a script sets, and its parameters: those of modules that it calls."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                found.add(name)
    return frozenset(found)


class _Value(NamedTuple):
    """The source of the value whose truth an expression has.

    called: what is called for it, if anything may be.
    by_name: whether that must have this name: a property, or a function that may be given what another returned.
    negated: whether the truth is the opposite of the value's.
    """

    text: str
    called: str = ""
    by_name: bool = False
    negated: bool = False


@lru_cache(maxsize=4096)
def _value(source: str) -> _Value:
    if not source:
        return _Value("")
    try:
        node, negated = affirmed(expression(f"({source}\n)"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _Value(source)
    text, called, by_name = ast.unparse(node), "", False
    match node:
        case ast.NamedExpr(target=ast.Name(id=name)):
            text = name
        case ast.Call(func=function, args=args, keywords=keywords):
            inner = (each for given in (*args, *keywords) for each in ast.walk(given))
            by_name = any(isinstance(each, ast.Call | ast.Lambda) for each in inner)
            called = ast.unparse(function).rpartition(".")[2]
        case ast.Attribute(attr=name):  # which may be a property
            called, by_name = name, True
    return _Value(text, called, by_name, negated)
