"""The picture of a graph that fits a screen: the best of several layouts, or of a graph that is folded further."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, TypeVar

from dyncli.analysis.graph import Graph, GraphOptions, build_grouped, build_two, grouped
from dyncli.errors.pictures import LayoutFailed, LayoutTooSlow
from dyncli.records.model import Record
from dyncli.render.graph import dot
from dyncli.render.graph.layout_program import layout
from dyncli.render.graph.rows import DOWNWARDS
from dyncli.render.graph.stacking import WIDEST
from dyncli.render.graph.titles import sides

#: For another layout of a graph that has one already.
PATIENCE = 5.0
FEWER = 60
#: A picture of fewer nodes is not folded because it is large; of more it is, as if there were so much less room.
ROOMY, LESS_ROOM = 12, 0.4
#: Of more boxes the picture is left as it is: 110 one below the other take 17 seconds, as they stand 0.7.
MOST_BOXES, MOST_NODES = 100, 200
#: Of more only the layout that makes most pictures narrow is tried: 64 take 2.9 seconds, 1,560 points for 5,402.
MANY_BOXES = 50
#: In points, as `WIDEST`: two screens, one below the other.
HIGHEST = 3075.0
#: Another picture has to be so much smaller where it is too large.
WORTH = 0.95

_ARROW = re.compile(rb'<title>(\w+)&#45;&gt;(\w+)</title>\s*<path [^>]*?d="([^"]*)"')
_SIZE = re.compile(rb'<svg width="([0-9.]+)pt" height="([0-9.]+)')
_HEIGHT = re.compile(rb",(-?[0-9.]+)")


class Picture(NamedTuple):
    """A graph that is laid out: its DOT text, and what that looks like."""

    source: str
    svg: bytes


Drawn = TypeVar("Drawn", str, Picture)


def fitted(record: Record, options: GraphOptions, draw: Callable[[Graph], Drawn]) -> Drawn:
    """Return the picture of a run; one that is too large, or takes too long to lay out, is folded further, once."""
    groups = grouped(record, options)
    return _fitted(lambda wished: build_grouped(groups, wished), options, draw)


def fitted_two(
    a: Record, b: Record, options: GraphOptions, names: tuple[str, str], draw: Callable[[Graph], Drawn]
) -> Drawn:
    """Return the picture of two runs in one, made to fit as that of one is."""
    return _fitted(lambda wished: build_two(a, b, wished, names)[0], options, draw)


def _fitted(fold: Callable[[GraphOptions], Graph], options: GraphOptions, draw: Callable[[Graph], Drawn]) -> Drawn:
    graph = fold(options)
    try:
        first = draw(graph)
    except (LayoutTooSlow, LayoutFailed):
        if len(graph.nodes) <= FEWER:
            raise
        folded = fold(options._replace(max_nodes=FEWER, expand=()))
        words = f"too much to lay out ({len(graph.nodes):,} nodes): folded; svg with --expand all, and html, draw all"
        return draw(folded._replace(folded=" \u00b7 ".join(filter(None, [words, folded.folded]))))
    if "all" in options.expand or oversize(first) <= 1 or not ROOMY < len(graph.nodes) <= 2 * options.max_nodes:
        return first
    closer = fold(options._replace(room=LESS_ROOM))
    if closer == graph:
        return first
    second = draw(closer)
    return second if oversize(second) < oversize(first) * WORTH else first


def picture(graph: Graph) -> Picture:
    """Lay a graph out.

    One wider than a screen is drawn taller, as little as makes it fit; one whose arrows lead up is drawn with boxes
    that keep to the rows of the whole picture, if fewer then do.  A title that an arrow runs through stands on the
    other side of its box.
    """
    tall, level, source = False, False, dot.drawn(graph)
    chosen = layout(source, "svg")
    if len(graph.boxes) <= MOST_BOXES and len(graph.nodes) <= MOST_NODES:
        with suppress(LayoutTooSlow, LayoutFailed):
            tall, level, source, chosen = _better(graph, source, chosen)
        with suppress(LayoutTooSlow, LayoutFailed):
            if moved := sides(chosen):
                other = dot.drawn(graph, tall=tall, level=level, sides=moved)
                source, chosen = other, layout(other, "svg", PATIENCE)
    return Picture(source, chosen)


def _better(graph: Graph, source: str, chosen: bytes) -> tuple[bool, bool, str, bytes]:
    """Return what reads best: whether it is drawn tall, and level, its DOT text and its svg picture."""
    tried = [(False, False, source, chosen)]
    many = len(graph.boxes) > MANY_BOXES
    for tall, level in ((True, True),) if many else ((True, False), (False, True), (True, True)):
        if width_of(tried[0][3]) <= WIDEST:
            break
        other = dot.drawn(graph, tall=tall, level=level)
        tried.append((tall, level, other, layout(other, "svg", PATIENCE)))
    fitting = [each for each in tried if width_of(each[3]) <= WIDEST]
    if fitting:
        best = min(fitting, key=lambda each: size_of(each[3])[1])
    else:
        best = min(tried, key=lambda each: width_of(each[3]))
    worth = width_of(best[3]) < width_of(chosen) * WORTH
    tall, level, source, chosen = best if worth else tried[0]
    up, width = upwards(graph, chosen), width_of(chosen)
    if up and not level and not many:
        other = dot.drawn(graph, tall=tall, level=True)
        drawn = layout(other, "svg", PATIENCE)
        if upwards(graph, drawn) < up and width_of(drawn) <= max(WIDEST, width):
            return tall, True, other, drawn
    return tall, level, source, chosen


def upwards(graph: Graph, drawn: bytes) -> int:
    """Return how many arrows of a picture lead upwards that should lead down."""
    kinds = {(edge.source, edge.target): edge.kind for edge in graph.edges if edge.source != edge.target}
    count = 0
    for source, target, points in _ARROW.findall(drawn):
        along = [float(y) for y in _HEIGHT.findall(points)]
        kind = kinds.get((source.decode(), target.decode()))
        count += kind in DOWNWARDS and len(along) > 1 and along[-1] < along[0]
    return count


def oversize(drawn: str | Picture) -> float:
    """Return how many times wider, or higher, a picture is than it should be; at most 1 for one that fits."""
    width, height = size_of(drawn.svg if isinstance(drawn, Picture) else drawn)
    return max(width / WIDEST, height / HIGHEST)


def width_of(drawn: str | bytes) -> float:
    """Return the width of a picture in points, 0 where it has none."""
    return size_of(drawn)[0]


def size_of(drawn: str | bytes) -> tuple[float, float]:
    """Return width and height of a picture in points, 0 where it has none."""
    head = drawn[:4096].encode() if isinstance(drawn, str) else drawn[:4096]
    found = _SIZE.search(head)
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)
