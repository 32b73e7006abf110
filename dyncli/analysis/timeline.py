"""A run as slices of time that nest: calls, modules, iterations and arms around ops, passes around backward nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dyncli.analysis.costs import ways_up
from dyncli.analysis.decisions import kind_and_text
from dyncli.analysis.values import site_place
from dyncli.records.model import Op, Record, Scope
from dyncli.records.text import one_line

FORWARD, BACKWARD, MEANWHILE = 1, 2, 3
TRACKS = {FORWARD: "forward", BACKWARD: "backward", MEANWHILE: "ops during backward"}


class Timeline(NamedTuple):
    """A file for a timeline viewer.  note: what was left out to keep it small, if anything."""

    text: str
    note: str | None = None


class Slice(NamedTuple):
    """A stretch of time on a track.  kind: op, node, pass, merged, or a scope's.

    op: which, of an op or its node.  backward: the number of the pass, of a node.
    """

    track: int
    kind: str
    name: str
    start_ns: int
    end_ns: int
    op: int | None = None
    backward: int | None = None


def op_slices(record: Record) -> tuple[list[Slice], list[Slice]]:
    """Return the slices of the forward ops, and of those that ran during a backward; neither overlap among themselves.

    A record without a clock lays its ops end to end.
    """
    forward: list[Slice] = []
    meanwhile: list[Slice] = []
    clockless = not any(op.started_ns for op in record.ops)
    for op in record.ops:
        to = meanwhile if op.phase != "forward" else forward
        end = to[-1].end_ns if to else 0
        start = end if clockless else max(op.started_ns, end)
        track = MEANWHILE if op.phase != "forward" else FORWARD
        to.append(Slice(track, "op", one_line(op.name, 60), start, start + max(op.elapsed_ns, 0), op.seq))
    return forward, meanwhile


def node_slices(record: Record) -> tuple[list[Slice], list[Slice]]:
    """Return the slices of the backward passes and those of their nodes."""
    passes: list[Slice] = []
    nodes: list[Slice] = []
    forward, _ = op_slices(record)
    clockless = not any(backward.started_ns for backward in record.backwards)
    for backward in record.backwards:
        begin = passes[-1].end_ns if passes else 0
        if clockless:
            begin = max(begin, forward[-1].end_ns if forward else 0)
        start = max(backward.started_ns, begin)
        at = start
        for place, seq in enumerate(backward.nodes):
            began = at if clockless else max(backward.nodes_started_ns[place], at)
            at = began + max(backward.nodes_elapsed_ns[place], 0)
            name = f"{one_line(record.ops[seq].name, 60)} backward"
            nodes.append(Slice(BACKWARD, "node", name, began, at, seq, backward.seq))
        where = f" {site_place(backward.site, record.model)}" if backward.site is not None else ""
        passes.append(Slice(BACKWARD, "pass", f"backward{where}", start, max(at, start + max(backward.elapsed_ns, 0))))
    return passes, nodes


def scope_slices(record: Record, ops: Sequence[Slice]) -> Iterator[Slice]:
    """Yield a slice for each stretch of successive ops in one call, module, iteration or arm."""
    open_: list[tuple[int, int]] = []
    end = 0
    for each in ops:
        op = record.ops[each.op or 0]
        chain = [scope.id for scope in ways_up(record.scopes, op.scope)][::-1][1:]
        common = 0
        while common < min(len(chain), len(open_)) and open_[common][0] == chain[common]:
            common += 1
        while len(open_) > common:
            yield _scope_slice(record, *open_.pop(), end)
        open_ += [(number, each.start_ns) for number in chain[common:]]
        end = each.end_ns
    while open_:
        yield _scope_slice(record, *open_.pop(), end)


def _scope_slice(record: Record, number: int, start: int, end: int) -> Slice:
    scope = record.scopes[number]
    return Slice(FORWARD, scope.kind, scope_name(record, scope), start, end)


def scope_name(record: Record, scope: Scope) -> str:
    """Return what a call, a module, an iteration or an arm is called in a timeline."""
    name = one_line(scope.name, 60)
    if scope.kind == "iteration":
        line = f" {site_place(scope.site, record.model)}" if scope.site is not None else ""
        return f"{name}{line} step {scope.index}"
    if scope.kind == "arm" and scope.site is not None:
        return f"{one_line(' '.join(filter(None, kind_and_text(scope.site))), 60)} → {name}"
    return name


def stack(record: Record, op: Op) -> list[tuple[str, Scope | None]]:
    """Return what stands around an op, outermost first, the steps of a loop alike, and then the op itself."""
    words: list[tuple[str, Scope | None]] = []
    for scope in [*ways_up(record.scopes, op.scope)][::-1][1:]:
        if scope.kind == "iteration":
            line = f" {site_place(scope.site, record.model)}" if scope.site is not None else ""
            words.append((f"{one_line(scope.name, 60)}{line}", scope))
        else:
            words.append((scope_name(record, scope), scope))
    return words
