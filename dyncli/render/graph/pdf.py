"""A graph as PDF, where the system has a `dot`."""

from __future__ import annotations

from dyncli.analysis.graph import DEFAULT, Graph, GraphOptions
from dyncli.records.model import Record
from dyncli.render.graph.layout import fitted, fitted_two, picture
from dyncli.render.graph.layout_program import SECONDS, layout


def render(record: Record, options: GraphOptions = DEFAULT) -> bytes:
    """Return the picture of one run."""
    return layout(fitted(record, options, picture).source(), "pdf", 2 * SECONDS)


def render_two(a: Record, b: Record, options: GraphOptions, names: tuple[str, str]) -> bytes:
    """Return the picture of two runs in one."""
    return layout(fitted_two(a, b, options, names, picture).source(), "pdf", 2 * SECONDS)


def drawn(graph: Graph) -> bytes:
    """Return the picture of a graph."""
    return layout(picture(graph).source(), "pdf", 2 * SECONDS)
