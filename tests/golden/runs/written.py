"""A run and what the analyses make of it, as lines of text: every field that is not as the data model begins it.

Left out is what differs from machine to machine: times, versions and digests.  Numbers have five digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dyncli.analysis.changes import gradient_changes, input_changes, output_changes
from dyncli.analysis.choices import choice_rows
from dyncli.analysis.costs import costs
from dyncli.analysis.decisions import decision_rows
from dyncli.analysis.diff import diff
from dyncli.analysis.first_bad import first_bad
from dyncli.analysis.gradients import folded_rows, shown_backwards
from dyncli.analysis.graph.build import build, build_two
from dyncli.analysis.graph.model import Graph, GraphOptions, Line
from dyncli.analysis.graph.steps import steps_of, steps_of_two
from dyncli.analysis.graph.unmatched import unfit
from dyncli.analysis.listing import listings
from dyncli.analysis.memory import memory
from dyncli.analysis.sensitivity import sensitivity_rows
from dyncli.analysis.timeline import scope_name
from dyncli.records.model import Choice, Decision, Record, Sensitivity, Site

PARTS = (
    "scopes", "calls", "tensors", "ops", "loading", "decisions", "choices", "inputs", "outputs", "backwards", "written",
    "sensitivities", "notices", "warnings",
)  # fmt: skip
LONGEST, MOST = 120, 40  # characters of a text, items of a list
LEFT_OUT = {"id", "seq", "file", "digest", "key", "function", "is_left"}


def record_lines(record: Record) -> Iterator[str]:
    """Yield what was recorded, each object on a line of its own."""
    yield f"{record.status} forced={record.forced} unrecorded={record.unrecorded} {text(record.failure)}"
    for part in PARTS:
        yield from (f"{part} {index} {text(each)}" for index, each in enumerate(getattr(record, part)))
    yield f"edges {text(record.edges)}"


def analysis_lines(record: Record) -> Iterator[str]:
    """Yield what reports show of a run."""
    listed = [line for one in listings(record) for line in one.lines]
    yield f"left {[line.number for line in listed if line.is_left]}"
    yield f"reached {text({line.number: line.count for line in listed if line.count})}"
    yield from (f"line {line.number} {text(line.notes)} {line.error}" for line in listed if line.notes or line.error)
    rows: dict[str, Sequence[Any]] = {
        "decided": decision_rows(record),
        "chosen": choice_rows(record),
        "sensitive": sensitivity_rows(record),
        "gradient": [row for one in shown_backwards(record) for row in folded_rows(record, one)],
        "bad": first_bad(record),
        "cost": [*costs(record, "module", "order"), *costs(record, "decision", "bytes"), *costs(record, "op", "count")],
        "held": memory(record).held,
    }
    for name, each in rows.items():
        yield from (f"{name} {text(row)}" for row in each)
    moments = memory(record).moments
    yield f"memory {memory(record).most_saved} of {[moment.size_bytes for moment in moments]}"
    yield f"named {[scope_name(record, scope) for scope in record.scopes]}"


def picture_lines(record: Record, options: GraphOptions) -> Iterator[str]:
    """Yield what a picture of a run shows."""
    yield from (f"unfit {text(each)}" for each in (unfit((record,), options),) if each is not None)
    drawn = build(record, options)
    yield from graph_lines(drawn, steps_of(drawn, record))


def comparison_lines(a: Record, b: Record) -> Iterator[str]:
    """Yield what a comparison of two runs shows."""
    compared = diff(a, b)
    for name in ("parting", "decisions", "ops", "choices", "flows", "counts", "same_end", "share"):
        yield f"{name} {text(getattr(compared, name))}"
    for what, changes in (("input", input_changes), ("output", output_changes), ("gradient", gradient_changes)):
        yield from (f"{what} {each.name} {each.is_same} {text(each.difference)}" for each in changes(a, b))


def pictures_of_two(a: Record, b: Record, options: GraphOptions) -> Iterator[str]:
    """Yield what a picture of two runs shows, or which of the wishes neither has anything for."""
    yield from (f"unfit {text(each)}" for each in (unfit((a, b), options),) if each is not None)
    both, of_a, of_b = build_two(a, b, options, ("A", "B"))
    yield from graph_lines(both, steps_of_two(both, (of_a, a), (of_b, b), ("A", "B")))


def graph_lines(graph: Graph, steps: Any) -> Iterator[str]:
    """Yield the boxes, the nodes with the rows of their steps, and the edges of a drawing."""
    yield f"graph {[words for words, _ in graph.title[1:]]} {graph.note} {graph.folded}".rstrip()
    yield from (f"box {box.id} {text(box)}" for box in graph.boxes)
    for node in graph.nodes:
        told = steps.get(node.id)
        more = f" {text(told)}" if told and (len(told.each) > 1 or told.value or told.gradient) else ""
        yield f"node {node.id} {text(node)}{more}"
    yield from (" ".join(["edge", edge.source, edge.target, *edge[2:]]) for edge in graph.edges)


def text(value: Any, inside: bool = False) -> str:
    """Write a value of the data model: `(name='mul' inputs=[0] site=5:7-14)`; what has a number inside as that."""
    match value:
        case Site():
            return f"{value.line}:{value.col}-{value.end_col}"
        case Line():
            return repr(value.text) + f"/{value.tone}" * (value.tone != "muted")
        case Decision() if inside:
            return str(value.seq)
        case Choice() | Sensitivity() if inside:
            return "..."
        case float():
            return f"{value:.5g}"
        case dict():
            return "{" + ", ".join(f"{key}: {text(each, True)}" for key, each in value.items()) + "}"
        case _ if hasattr(value, "_fields"):
            usual = {"dtype": "float32", **value._field_defaults}
            fields = {name: getattr(value, name) for name in value._fields if not name.endswith("_ns")}
            kept = {name: each for name, each in fields.items() if name not in LEFT_OUT}
            words = [f"{name}={text(each, True)}" for name, each in kept.items() if (name, each) not in usual.items()]
            return f"({' '.join(words)})"
        case str():
            return repr(value if len(value) <= LONGEST else f"{value[:LONGEST]}…")
        case _ if hasattr(value, "__iter__"):
            words = [text(each, True) for each in value]
            return f"[{', '.join(words if len(words) <= MOST else [*words[:MOST], f'{len(words)} in all'])}]"
        case _:
            return str(value)
