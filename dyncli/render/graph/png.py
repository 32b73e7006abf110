"""A graph as PNG."""

from __future__ import annotations

import math

from dyncli.analysis.graph import DEFAULT, Graph, GraphOptions
from dyncli.records.model import Record
from dyncli.render.graph.layout import Picture, fitted, fitted_two, picture, size_of
from dyncli.render.graph.layout_program import SECONDS, layout

#: Dots an inch: fewer of a picture that would have more dots than these, but enough to read it.
DPI, LEAST_DPI, MOST_DOTS = 144, 72, 16_000_000


def render(record: Record, options: GraphOptions = DEFAULT) -> bytes:
    """Return the picture of one run."""
    return _dotted(fitted(record, options, picture))


def render_two(a: Record, b: Record, options: GraphOptions, names: tuple[str, str]) -> bytes:
    """Return the picture of two runs in one."""
    return _dotted(fitted_two(a, b, options, names, picture))


def drawn(graph: Graph) -> bytes:
    """Return the picture of a graph."""
    return _dotted(picture(graph))


def _dotted(found: Picture) -> bytes:
    """Return what is laid out as a png."""
    return layout(found.source(), "png", 2 * SECONDS, dpi=dots_an_inch(found.svg))


def dots_an_inch(drawn: bytes) -> int:
    """Return how many dots an inch a png has of what is laid out as svg."""
    width, height = size_of(drawn)
    fitting = int(72 * math.sqrt(MOST_DOTS / max(width * height, 1.0)))
    return max(LEAST_DPI, min(DPI, fitting))
