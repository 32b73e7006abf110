"""The picture of a graph that fits a screen: the best of several layouts, or of a graph that is folded further."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from dyncli.analysis.graph import Foldings, Graph, GraphOptions, build_two
from dyncli.errors.pictures import LayoutFailed, LayoutTooSlow
from dyncli.records.model import Record
from dyncli.render.graph import dot
from dyncli.render.graph.layout_program import SECONDS, layout
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
#: Of more, and where that layout makes a picture so much narrower, only the one that makes most narrow is tried.
MANY_BOXES, MUCH = 50, 0.7
#: In points, as `WIDEST`: two screens, one below the other.
HIGHEST = 3075.0
#: Another picture has to be so much smaller where it is too large.
WORTH = 0.95

_ARROW = re.compile(rb'<title>(\w+)&#45;&gt;(\w+)</title>\s*<path [^>]*?d="([^"]*)"')
_SIZE = re.compile(rb'<svg width="([0-9.]+)pt" height="([0-9.]+)')
_HEIGHT = re.compile(rb",(-?[0-9.]+)")


class Picture(NamedTuple):
    """A graph that is laid out: how, and what that looks like while all titles stand on the left."""

    graph: Graph
    svg: bytes
    tall: bool = False
    level: bool = False
    sides: Mapping[str, str] = MappingProxyType({})

    def source(self) -> str:
        """Return the DOT text."""
        return dot.drawn(self.graph, self.tall, self.level, self.sides)


Drawn = TypeVar("Drawn", str, Picture)


def fitted(record: Record, options: GraphOptions, draw: Callable[[Graph], Drawn]) -> Drawn:
    """Return the picture of a run; one that is too large, or takes too long to lay out, is folded further, once."""
    return _fitted(Foldings(record, options).graph, options, draw)


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
    if closer._replace(folded=graph.folded) == graph:
        return first
    second = draw(closer)
    return second if oversize(second) < oversize(first) * WORTH else first


def picture(graph: Graph) -> Picture:
    """Lay a graph out.

    One wider than a screen is drawn taller; one that fits, but has arrows that lead up, with boxes that keep to the
    rows of the whole picture, if fewer then do.  A title that an arrow runs through is to stand on another side of its
    box, which moves nothing else.
    """
    chosen = _laid_out(graph, seconds=SECONDS)
    if len(graph.boxes) > MOST_BOXES or len(graph.nodes) > MOST_NODES:
        return chosen
    with suppress(LayoutTooSlow, LayoutFailed):
        chosen = _narrower(chosen) if width_of(chosen.svg) > WIDEST else _downwards(chosen)
    return chosen._replace(sides=sides(chosen.svg))


def _laid_out(graph: Graph, *, tall: bool = False, level: bool = False, seconds: float = PATIENCE) -> Picture:
    return Picture(graph, layout(dot.drawn(graph, tall, level), "svg", seconds), tall, level)


def _narrower(plain: Picture) -> Picture:
    """Return a picture drawn taller, if that makes it narrower."""
    tried = [_laid_out(plain.graph, tall=True, level=True)]
    width = width_of(tried[0].svg)
    if width > max(WIDEST, MUCH * width_of(plain.svg)) and len(plain.graph.boxes) <= MANY_BOXES:
        tried.append(_laid_out(plain.graph, tall=True))
    best = min(tried, key=lambda each: width_of(each.svg))
    return best if width_of(best.svg) < width_of(plain.svg) * WORTH else plain


def _downwards(plain: Picture) -> Picture:
    """Return a picture with level rows, if fewer of its arrows lead upwards and it fits a screen."""
    up = upwards(plain.graph, plain.svg)
    if not up:
        return plain
    level = _laid_out(plain.graph, level=True)
    return level if upwards(plain.graph, level.svg) < up and width_of(level.svg) <= WIDEST else plain


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
