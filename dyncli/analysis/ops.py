"""The ops of a run as rows."""

from __future__ import annotations

from typing import NamedTuple

from dyncli.analysis.values import labels, shape_text, site_text
from dyncli.records.model import Op, Record
from dyncli.records.text import one_line


class OpRow(NamedTuple):
    """One line of the op table, its tensors named, its decision and its line worded."""

    op: Op
    inputs: str
    outputs: str
    under: str
    line: str


def op_rows(record: Record) -> list[OpRow]:
    """Return a row for each op, in order."""
    names = labels(record)
    words = [f"{decision.seq} {one_line(decision.arm, 20)}" for decision in record.decisions]
    tensors = [f"{one_line(tensor.dtype, 20)} {shape_text(tensor.shape)}" for tensor in record.tensors]
    lines = {site: site_text(site, record) for site in {op.site for op in record.ops}}
    return [
        OpRow(
            op,
            ", ".join(names[number] for number in op.inputs),
            ", ".join(tensors[number] for number in op.outputs),
            words[op.under] if op.under is not None else "",
            lines[op.site],
        )
        for op in record.ops
    ]


def steps_of(record: Record) -> list[tuple[int, ...]]:
    """Return for each scope the steps of the loops around it, outermost first."""
    found: list[tuple[int, ...]] = []
    for scope in record.scopes:
        above = found[scope.parent] if scope.parent is not None else ()
        found.append((*above, scope.index) if scope.kind == "iteration" and scope.index is not None else above)
    return found
