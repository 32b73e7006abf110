"""Causes of steps of a drawing: guards, exceptions, early exits, times, indices."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from dyncli.records.model import Decision, Op, Record, Site
from dyncli.records.text import one_line, parse


def guards(record: Record) -> Iterator[tuple[int, int]]:
    """Yield (guard, match) for each guard that was asked, by the numbers of their decisions."""
    asked: dict[int, list[Decision]] = {}
    for decision in record.decisions:
        if decision.site.kind == "guard":
            asked.setdefault(decision.scope, []).append(decision)
        elif decision.site.kind == "match":
            for guard in asked.pop(decision.scope, ()):
                if _is_case_of(guard.site, decision.site):
                    yield guard.seq, decision.seq


def _is_case_of(guard: Site, match: Site) -> bool:
    last = max((lines[1] for lines in match.arm_lines if lines is not None), default=match.line)
    return guard.file == match.file and match.line < guard.line <= last


def caught(record: Record) -> Iterator[tuple[int, int]]:
    """Yield (op, decision) for each op that raised in a `try` that caught it."""
    raised = [op for op in record.ops if op.error is not None]
    if not raised:
        return
    handlers = [one for one in record.decisions if one.site.kind == "try" and one.exception is not None]
    for decision in handlers:
        found = next((op for op in raised if _ran_in(record, op, decision)), None)
        if found is not None:
            raised = raised[raised.index(found) + 1 :]
            yield found.seq, decision.seq


def _ran_in(record: Record, op: Op, decision: Decision) -> bool:
    """Return whether an op stands in the body of a `try`, or in what that called."""
    if op.scope == decision.scope or op.site.function == decision.site.function:
        handlers = [lines[0] for lines in decision.site.arm_lines if lines is not None]
        return op.site.file == decision.site.file and decision.site.line < op.site.line < min(handlers, default=0)
    at: int | None = op.scope
    while at is not None and at != decision.scope:
        at = record.scopes[at].parent
    return at is not None


_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
LineSpan = tuple[int, int]


class Rest:
    """The lines that run only where no test of an `if` and of its `elif`s holds, as each of their bodies leaves."""

    def __init__(self, record: Record) -> None:
        self._sources = record.sources
        self._known: dict[str, dict[LineSpan, LineSpan]] = {}

    def after(self, site: Site) -> LineSpan | None:
        """Return the first and last line of what follows in the same block, None if nothing does or it may run."""
        if site.kind not in ("if", "elif"):
            return None
        if site.file not in self._known:
            text = next((source.text for source in self._sources if source.file == site.file), "")
            self._known[site.file] = dict(_passed_over(text))
        return self._known[site.file].get((site.line, site.col))


def _passed_over(text: str) -> Iterator[tuple[LineSpan, LineSpan]]:
    """Yield where each such test begins, its line and column, and the lines after it."""
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        for block in (getattr(node, "body", None), getattr(node, "orelse", None), getattr(node, "finalbody", None)):
            if not isinstance(block, list):
                continue
            for statement, following in pairwise(block):
                test = _last_test(statement)
                if test is not None:
                    yield (test.lineno, test.col_offset), (following.lineno, block[-1].end_lineno or following.lineno)


def _last_test(statement: ast.stmt) -> ast.expr | None:
    """Return the test that had to fail for what follows to run, None if something else may lead there."""
    while isinstance(statement, ast.If) and isinstance(statement.body[-1], _LEAVING):
        if not statement.orelse:
            return statement.test
        if len(statement.orelse) > 1:
            return None
        statement = statement.orelse[0]
    return None


def decision_times(record: Record) -> list[float]:
    """Return when each decision was made: after its predicate and what stands above it, before what ran under it."""
    first = _first_under(record)
    above = _Above(record)
    step = 0.25 / (len(record.decisions) + 1)
    times: list[float] = []
    before = -0.5
    for decision in record.decisions:
        among = step * decision.seq
        before = max(before + step, above.last(decision) + 0.5 + among)
        producers = decision.producers
        if producers:
            before = max(before, max(producers) + 0.5 + among)
        elif decision.seq in first:
            before = max(before, first[decision.seq] - 0.5 + among)
        if decision.seq in first:
            before = min(before, first[decision.seq] - 0.25 + among)
        times.append(before)
    return times


def _first_under(record: Record) -> dict[int, float]:
    """Return for each decision the first op that ran under it, or a little before where a decision came first."""
    first: dict[int, float] = {}
    for op in record.ops:
        if op.under is not None and op.under not in first:
            first[op.under] = float(op.seq)
    for decision in reversed(record.decisions):
        if decision.under is not None and decision.seq in first:
            earlier = first[decision.seq] - 0.5 / (len(record.decisions) + 1)
            first[decision.under] = min(first.get(decision.under, earlier), earlier)
    return first


class _Above:
    """The ops above a decision in its own call and step, or in an arm or a loop there: they ran before it."""

    def __init__(self, record: Record) -> None:
        self.ops: dict[tuple[int, str, str], list[tuple[int, int]]] = defaultdict(list)
        latest = [-1] * len(record.scopes)
        for op in record.ops:
            self.ops[op.scope, op.site.file, op.site.function].append((op.site.line, op.seq))
            latest[op.scope] = op.seq
        for scope in reversed(record.scopes):
            if scope.parent is not None and latest[scope.id] >= 0:
                latest[scope.parent] = max(latest[scope.parent], latest[scope.id])
                if scope.site is not None:
                    place = scope.parent, scope.site.file, scope.site.function
                    self.ops[place].append((scope.site.line, latest[scope.id]))
        self.sorted: dict[tuple[int, str, str], tuple[list[int], list[int]]] = {}

    def last(self, decision: Decision) -> int:
        """Return the last such op, -1 where there is none."""
        site = decision.site
        place = decision.scope, site.file, site.function
        if place not in self.ops:
            return -1
        if place not in self.sorted:
            ops = sorted(self.ops[place])
            self.sorted[place] = [line for line, _ in ops], [*accumulate((seq for _, seq in ops), max)]
        lines, latest = self.sorted[place]
        at = bisect_left(lines, site.line)
        return latest[at - 1] if at else -1


Span = tuple[int, int, int, int]
#: Names and calls between an index and the op that made it.
DEEPEST = 6
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Choice(NamedTuple):
    """Choice by the value of `by` of what `op` read.

    name, written: of `layers[i]`.  number: the value.
    """

    by: int
    op: int
    name: str
    written: str
    number: int


class Subscript(NamedTuple):
    """A subscript of a source, and the span of the op whose value is its index."""

    itself: Span
    name: str
    written: str
    value: Span


def choices(record: Record) -> Iterator[Choice]:
    """Yield what each value of an op chose: a module that was called, or a leaf that an op read where it stands."""
    modules = _Modules(record)
    leaves = [tensor.name if tensor.op is None and "." in (tensor.name or "") else "" for tensor in record.tensors]
    if not any(leaves) and not modules.homes:
        return
    for source in record.sources:
        if "[" not in source.text:
            continue
        at: dict[Span, list[Op]] = {}
        for op in record.ops:
            if op.site.file == source.file:
                at.setdefault((op.site.line, op.site.col, op.site.end_line, op.site.end_col), []).append(op)
        for place in subscripts(source.text):
            runs = at.get(place.value, [])
            seqs = [run.seq for run in runs]
            for by, end in zip(runs, [*seqs[1:], len(record.ops)], strict=False):
                number = _number(record, by)
                first = None if number is None else modules.called(by, end, place.name, number)
                if number is not None and first is not None:
                    yield Choice(by.seq, first, place.name, place.written, number)
            for op in (op for span, ops in at.items() if runs and _holds(span, place.itself) for op in ops):
                one = runs[before - 1] if (before := bisect_left(seqs, op.seq)) else None
                number = None if one is None else _number(record, one)
                if one is None or number is None or not _around(record, one.scope, op.scope):
                    continue
                if any(f".{place.name}.{number}." in f".{leaves[read]}." for read in op.inputs):
                    yield Choice(one.seq, op.seq, place.name, place.written, number)


class _Modules:
    """The calls of modules that stand in lists.

    homes: by the call or module that called them, and the list, (the scope, the number in the list, the first op in it)
    of each, in order.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.homes: dict[tuple[int, str], list[tuple[int, int, int]]] = {}
        listed = {each.id: _listed(each.name) for each in record.scopes if each.kind == "module"}
        if not any(listed.values()):
            return
        seen: set[int] = set()
        for op in record.ops:
            at: int | None = op.scope
            while at is not None and at not in seen:
                seen.add(at)
                scope, name = record.scopes[at], listed.get(at)
                if name is not None and scope.parent is not None:
                    home = self._home(scope.parent), name[0]
                    self.homes.setdefault(home, []).append((at, name[1], op.seq))
                at = scope.parent

    def called(self, by: Op, end: int, name: str, number: int) -> int | None:
        """Return the first op in the one module of a list that was called after an op and before another, if sure."""
        found = [one for one in self.homes.get((self._home(by.scope), name), ()) if by.seq < one[2] < end]
        if len(found) != 1 or found[0][1] != number or not _around(self.record, by.scope, found[0][0]):
            return None
        return found[0][2]

    def _home(self, scope: int) -> int:
        """Return the call or module that a scope stands in."""
        scopes = self.record.scopes
        while scopes[scope].kind in ("iteration", "arm"):
            scope = scopes[scope].parent or 0
        return scope


def _listed(name: str) -> tuple[str, int] | None:
    """Return the list that a module stands in, and which of it it is."""
    before, _, number = name.rpartition(".")
    return (before.rpartition(".")[2], int(number)) if before and number.isdecimal() else None


def _holds(outer: Span, inner: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _number(record: Record, op: Op) -> int | None:
    """Return what an op made, if that is one whole number."""
    values = record.tensors[op.outputs[0]].values if len(op.outputs) == 1 else None
    whole = values is not None and len(values) == 1 and isinstance(values[0], int) and not isinstance(values[0], bool)
    return int(str(values[0])) if values is not None and whole else None


def _around(record: Record, outer: int, inner: int) -> bool:
    """Return whether a scope is another or around it: what ran in both ran in one call, and in one step of a loop."""
    at: int | None = inner
    while at is not None and at != outer:
        at = record.scopes[at].parent
    return at is not None


def subscripts(text: str) -> Iterator[Subscript]:
    """Yield the subscripts of a source whose index is the value of one expression."""
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for function in (tree, *(node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS))):
        own = [*_own(function)]
        given: dict[str, list[ast.expr | None]] = {}
        for node in own:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                given.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                given.setdefault(node.id, []).append(None)
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                for name in node.names:
                    given.setdefault(name, []).extend([None] * 3)
        for node in own:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                name, index = getattr(node.value, "attr", getattr(node.value, "id", "")), node.slice
                made = _of_op(index, given)
                if name and made is not None:
                    yield Subscript(_span(node), name, one_line(ast.unparse(index), 20), _span(made))


def _span(node: ast.expr) -> Span:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function but for those of functions in it."""
    pending = [*ast.iter_child_nodes(function)]
    for node in pending:  # which grows meanwhile
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)


def _of_op(value: ast.expr | None, given: Mapping[str, Sequence[ast.expr | None]]) -> ast.expr | None:
    """Return the expression whose value an index is: of a variable, in `int(...)`, before `.item()`.

    given: what each name of the function is given; an assignment is noted as such and by its name.
    """
    for _ in range(DEEPEST):
        match value:
            case ast.Name(id=name):
                values = given.get(name, ())
                value = next(filter(None, values), None) if len(values) == 2 else None
            case ast.Call(func=ast.Name(id="int"), args=[inner], keywords=[]):
                value = inner
            case ast.Call(func=ast.Attribute(value=inner, attr="item" | "__index__"), args=[], keywords=[]):
                value = inner
            case ast.Call() | ast.Subscript():
                return value
            case _:
                return None
    return None
