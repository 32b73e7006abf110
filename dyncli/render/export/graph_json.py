"""A graph as JSON: the nodes, boxes and edges of the folded drawing, for programs that lay it out themselves."""

from __future__ import annotations

import json
from typing import Any

from dyncli.analysis.graph import DEFAULT, Graph, GraphOptions, build
from dyncli.records.model import Record

FORMAT = "dyncli-graph"


def render(record: Record, options: GraphOptions = DEFAULT) -> str:
    """Return the drawing of one run."""
    return drawn(build(record, options._replace(compact=False)))


def drawn(graph: Graph) -> str:
    """Return a graph as strict JSON with named fields."""
    document = {
        "format": FORMAT,
        "title": "".join(text for text, _ in graph.title),
        "note": graph.note,
        "folded": graph.folded,
        "nodes": [_plain(node) for node in graph.nodes],
        "boxes": [_plain(box) for box in graph.boxes],
        "edges": [_plain(edge) for edge in graph.edges],
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _plain(item: Any) -> dict[str, Any]:
    fields = {name: value for name, value in item._asdict().items() if name not in ("key", "folded", "origin")}
    site = fields.get("site")
    if site is not None:
        fields["site"] = {name: getattr(site, name) for name in ("file", "line", "col", "end_line", "end_col", "text")}
    if "lines" in fields:
        fields["lines"] = [{"text": line.text, "tone": line.tone} for line in item.lines]
    return fields
