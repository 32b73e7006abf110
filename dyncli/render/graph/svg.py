"""A graph as SVG."""

from __future__ import annotations

import re

from dyncli.analysis.graph import DEFAULT, Graph, GraphOptions, Node
from dyncli.errors.pictures import LayoutFailed, LayoutTooSlow
from dyncli.records.model import Record
from dyncli.records.text import escaped, one_line
from dyncli.render.graph.dot import FONTS
from dyncli.render.graph.layout import fitted, fitted_two, picture
from dyncli.render.graph.layout_program import find_program
from dyncli.render.graph.titles import moved

LARGE = 1500
_TITLE = re.compile(r"<title>([^<]*)</title>")
_EDGE = re.compile(r'<g id="edge\d+" class="edge">.*?</g>', re.DOTALL)
#: White behind the letters on an arrow, where a frame or another arrow runs through them.
_HALO = '<text paint-order="stroke" stroke="white" stroke-width="3" stroke-linejoin="round"'
_AREA = re.compile(r'fill="(#[0-9a-f]{6})" stroke="(#[0-9a-f]{6})"')
_COLOR = re.compile(r'(fill|stroke)="(#[0-9a-f]{6})"')
_BLACKS = re.compile(r'fill="#(?:0f172a|1e293b)"')
_WHITES = re.compile(r'(fill|stroke)="(?:white|#ffffff)"')
_PALE = re.compile(r'(fill|stroke)="#(?:cbd5e1|c7d2fe)"')
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def render(record: Record, options: GraphOptions = DEFAULT) -> str:
    """Return the picture of one run."""
    return fitted(record, options, _whole if "all" in options.expand else drawn)


def render_two(a: Record, b: Record, options: GraphOptions, names: tuple[str, str]) -> str:
    """Return the picture of two runs in one."""
    return fitted_two(a, b, options, names, _whole if "all" in options.expand else drawn)


def drawn(graph: Graph) -> str:
    """Return the picture of a graph, each node titled with what it is and where it stands.

    A layout program needs 20 seconds for 10,000 nodes that share leaves; past 1,500 the nodes are placed here, in two.
    """
    if len(graph.nodes) > LARGE or find_program("svg") is None:
        from dyncli.render.graph import layered_svg

        return layered_svg.drawn(graph)
    found = picture(graph)
    text = _COMMENT.sub("", moved(found.svg, found.sides).decode())
    text = text.replace(' font-family="Helvetica,sans-Serif"', "")
    text = text.replace(" xmlns=", f' font-family="{FONTS}" xmlns=', 1)
    text = _EDGE.sub(lambda match: match[0].replace("<text", _HALO), text)
    titles = {node.id: _about(node) for node in graph.nodes}
    titles |= {f"cluster_{box.id}": " ".join(filter(None, [box.kind, box.name, box.rest])) for box in graph.boxes}
    titles["run"] = "".join(words for words, _ in graph.title)
    return _TITLE.sub(lambda match: f"<title>{escaped(titles.get(match[1], ''))}</title>", text)


def inline(svg: str) -> str:
    """Return a picture as an element of a page whose theme is not known, readable on a light and on a dark one.

    Black is the page's own colour, other colours lean towards it, and areas are tints of their borders.
    """
    svg = svg[svg.index("<svg") :].replace("<svg ", '<svg fill="currentColor" ', 1)
    svg = _BLACKS.sub('fill="currentColor"', _WHITES.sub(r'\1="none"', svg))
    svg = _AREA.sub(
        lambda area: area[0] if area[1] == area[2] else f'fill-opacity="0.12" fill="{area[2]}" stroke="{area[2]}"', svg
    )
    svg = _PALE.sub(r'\1="color-mix(in srgb, currentColor 40%, transparent)"', svg)
    return _COLOR.sub(r'\1="color-mix(in srgb, \2 55%, currentColor)"', svg)


def _whole(graph: Graph) -> str:
    """Return the picture of a graph that is to be drawn as it is, however large."""
    try:
        return drawn(graph)
    except (LayoutTooSlow, LayoutFailed):
        from dyncli.render.graph import layered_svg

        return layered_svg.drawn(graph)


def _about(node: Node) -> str:
    words = " ".join(filter(None, [node.name, node.rest])) or node.kind
    place = f" at {one_line(node.site.file, 80)}:{node.site.line}" if node.site is not None else ""
    return "\n".join([words + place, *(line.text for line in node.lines)])
