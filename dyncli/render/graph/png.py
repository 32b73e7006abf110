"""A graph as PNG."""

from __future__ import annotations

from dyncli.analysis.graph import DEFAULT, Graph, GraphOptions
from dyncli.records.model import Record
from dyncli.render.graph.layout import DPI, fitted, fitted_two, picture


def render(record: Record, options: GraphOptions = DEFAULT) -> bytes:
    """Return the picture of one run."""
    return fitted(record, options, drawn)


def render_two(a: Record, b: Record, options: GraphOptions, names: tuple[str, str]) -> bytes:
    """Return the picture of two runs in one."""
    return fitted_two(a, b, options, names, drawn)


def drawn(graph: Graph) -> bytes:
    """Return the picture of a graph, at so many dots an inch."""
    return picture(graph, "png", dpi=DPI)
