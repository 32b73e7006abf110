"""A graph as PNG."""

from __future__ import annotations

import dataclasses

from dyncli.errors import LayoutTooSlow
from dyncli.query.graph import DEFAULT, Graph, GraphOptions, build
from dyncli.record.model import Record
from dyncli.views import dot
from dyncli.views.layout import layout


def render(record: Record, options: GraphOptions = DEFAULT) -> bytes:
    """Return the picture of one run; one that takes too long to lay out is folded further and tried again."""
    try:
        return drawn(build(record, options))
    except LayoutTooSlow:
        fewer = dataclasses.replace(options, max_nodes=min(options.max_nodes, 60), expand=())
        return drawn(build(record, fewer))


def drawn(graph: Graph) -> bytes:
    """Return the picture of a graph, at 144 dots an inch."""
    return layout(dot.source(graph).replace("graph [", "graph [dpi=144 ", 1), "png")
