"""Which op's value chose a layer or a parameter by its index: `self.layers[i](x)`, read off the source and the run.

The source tells whose value an index is, the run that it was the number of what was read.  Where either does not, as
where a variable is assigned twice or reckoned with, nothing is told.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dyncli.record.model import Op, Record
from dyncli.record.syntax import parse
from dyncli.record.text import one_line
from dyncli.record.tuples import NamedTuple

if TYPE_CHECKING:
    from dyncli.query.graph.slots import Slots

Span = tuple[int, int, int, int]
#: Names and calls between an index and the op that made it.
DEEPEST = 6
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Choice(NamedTuple):
    """That the value of `by` chose what `op` read.  name, written: of `layers[i]`.  number: the value."""

    by: int
    op: int
    name: str
    written: str
    number: int


class _Place(NamedTuple):
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
        for place in _places(source.text):
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


def draw_choices(slots: Slots) -> None:
    """Adds an arrow from where an index was made to what it chose; of several the index as it is written."""
    for by, op, name, written, number in slots.shapes.choices:
        source, target = slots.op_slot[by], slots.op_slot[op]
        if source != target:
            kind = "asked again" if slots.back(source, target, by, slots.record.ops[op].scope) else "predicate"
            words = f"chose {name}[{number}]"
            link = slots.link(source, target, kind, words)
            link.label = words if link.label == words else f"chose {name}[{written}]"


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


def _places(text: str) -> Iterator[_Place]:
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
                    yield _Place(_span(node), name, one_line(ast.unparse(index), 20), _span(made))


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
