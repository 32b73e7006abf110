"""Costs of ops, forward and backward.

One by one or by line, op, module, decision or iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from dyncli.analysis.decisions import kind_and_text
from dyncli.analysis.values import site_place
from dyncli.records.model import Op, Record, Scope, Site
from dyncli.records.text import one_line

GROUPINGS = ("line", "op", "module", "decision", "iteration")
ORDERS = ("time", "bytes", "count", "order")
NOWHERE = {"module": "outside any module", "decision": "whatever was decided", "iteration": "outside any loop"}


class Cost(NamedTuple):
    """Costs of some ops together.

    label: what they have in common.  site: where the first of them stands, if they share a line.  first: its number.
    backward_ns, nodes: of those whose backward ran, and how many they are.  saved_bytes: held for backward, by each op
    for itself: what two ops hold counts for both.
    """

    label: str
    first: int
    site: Site | None = None
    ops: int = 0
    nodes: int = 0
    forward_ns: int = 0
    backward_ns: int = 0
    saved_bytes: int = 0

    @property
    def time_ns(self) -> int:
        """Forward and backward together."""
        return self.forward_ns + self.backward_ns


def costs(record: Record, by: str, sort: str = "time") -> list[Cost]:
    """Return one row for each group, in the order asked for; every op is in one group.

    By line and by op, the backward of an autograd function of the script has a row without ops of its own: it is not
    the work of the op that happened to make the function's result.
    """
    key = _KEYS[by](record)
    groups: dict[object, tuple[str, Site | None, list[Op]]] = {}
    backwards: dict[str, list[Op]] = {}
    for op in record.ops:
        which, label, site = key(op)
        if which not in groups:
            groups[which] = label, site, []
        if by in ("line", "op") and op.backward_ns is not None and _is_of_a_function(op):
            backwards.setdefault(op.grad_fn or "", []).append(op)
            op = op._replace(backward_ns=None)
        groups[which][2].append(op)
    rows = [_sum(label, site, ops) for label, site, ops in groups.values()]
    for name, ops in backwards.items():
        whole = _sum(f"{name.removesuffix('Backward')}.backward without its ops", None, ops)
        rows.append(whole._replace(ops=0, forward_ns=0, saved_bytes=0))
    return ordered(rows, sort)


def _is_of_a_function(op: Op) -> bool:
    """Return whether the node of an op is that of a user's autograd function; an op's own ends in a digit."""
    return op.grad_fn is not None and op.grad_fn.endswith("Backward")


def total(record: Record) -> Cost:
    """Return what all ops cost together."""
    return _sum("all ops", None, record.ops)


def ordered(rows: Sequence[Cost], sort: str) -> list[Cost]:
    """Return `rows` with the slowest, the largest or the most first, or in the order the ops ran."""
    measure: Callable[[Cost], int] = _MEASURES[sort]
    return sorted(rows, key=lambda row: (-measure(row), row.first))


def in_order(record: Record, sort: str = "order") -> list[Op]:
    """Return the ops one by one, in the order asked for."""
    rows = ordered([_sum("", None, (op,)) for op in record.ops], sort) if sort != "order" else ()
    return [record.ops[row.first] for row in rows] if rows else list(record.ops)


_MEASURES: dict[str, Callable[[Cost], int]] = {
    "time": lambda row: row.time_ns,
    "bytes": lambda row: row.saved_bytes,
    "count": lambda row: row.ops,
    "order": lambda row: 0,
}


def _sum(label: str, site: Site | None, ops: Sequence[Op]) -> Cost:
    backward = [op.backward_ns for op in ops if op.backward_ns is not None]
    return Cost(
        label,
        ops[0].seq if ops else 0,
        site,
        len(ops),
        len(backward),
        sum([op.elapsed_ns for op in ops]),
        sum(backward),
        sum([op.saved_bytes for op in ops]),
    )


Key = tuple[object, str, Site | None]


def _by_line(record: Record) -> Callable[[Op], Key]:
    lines = {source.file: source.text.splitlines() for source in record.sources}

    @cache
    def text(file: str, line: int, otherwise: str) -> str:
        known = lines.get(file, ())
        return one_line(known[line - 1] if 0 < line <= len(known) else otherwise, 80)

    def key(op: Op) -> Key:
        site = op.site
        return (site.file, site.line), text(site.file, site.line, site.text), site

    return key


def _by_op(record: Record) -> Callable[[Op], Key]:
    return lambda op: (op.name, one_line(op.name, 60), None)


def _by_module(record: Record) -> Callable[[Op], Key]:
    scopes = record.scopes

    outer: list[str | None] = []  # by scope, the outermost module
    within: dict[str, set[str]] = {}  # by the path of a module, those that it was called in
    for scope in scopes:
        above = outer[scope.parent] if scope.parent is not None else None
        if scope.kind == "module":
            within.setdefault(scope.name, set()).update([above] if above is not None else [])
            above = above or scope.name
        outer.append(above)

    @cache
    def name(number: int) -> str | None:
        path = next((scope.name for scope in ways_up(scopes, number) if scope.kind == "module"), None)
        if path is None:
            return None
        holder = outer[number] or path
        if len(within.get(holder, ())) == 1:  # called by a method of its holder
            (holder,) = within[holder]
        if path == holder or path.startswith(f"{holder}."):
            return path
        return f"{holder}.{path}"  # what is inside is named by its path below the outermost

    def key(op: Op) -> Key:
        found = name(op.scope)
        return found, NOWHERE["module"] if found is None else one_line(found, 60), None

    return key


def _by_decision(record: Record) -> Callable[[Op], Key]:
    def key(op: Op) -> Key:
        if op.under is None:
            return None, NOWHERE["decision"], None
        decision = record.decisions[op.under]
        test = " ".join(filter(None, kind_and_text(decision.site)))
        return (decision.site.id, decision.arm), f"{one_line(test, 50)} → {one_line(decision.arm, 20)}", decision.site

    return key


def _by_iteration(record: Record) -> Callable[[Op], Key]:
    scopes = record.scopes

    def place(scope: Scope) -> str:
        return site_place(scope.site, record.model) if scope.site is not None else one_line(scope.name, 30)

    @cache
    def steps(number: int) -> tuple[tuple[str, int], ...]:
        found = [(place(scope), scope.index or 0) for scope in ways_up(scopes, number) if scope.kind == "iteration"]
        return tuple(reversed(found))

    def key(op: Op) -> Key:
        path = steps(op.scope)
        return path, " › ".join(f"{where} step {index}" for where, index in path) or NOWHERE["iteration"], None

    return key


def ways_up(scopes: Sequence[Scope], number: int) -> Iterable[Scope]:
    """Yield the scope of this number and those around it, up to the root."""
    at: int | None = number if number < len(scopes) else None
    while at is not None:
        yield scopes[at]
        at = scopes[at].parent


_KEYS = {
    "line": _by_line,
    "op": _by_op,
    "module": _by_module,
    "decision": _by_decision,
    "iteration": _by_iteration,
}
