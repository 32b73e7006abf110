"""A graph as SVG."""

from __future__ import annotations

import dataclasses
import html
import re

from dyncli.errors import LayoutTooSlow
from dyncli.query.graph import DEFAULT, Graph, GraphOptions, Node, build
from dyncli.record.model import Record
from dyncli.views import dot
from dyncli.views.layout import layout

_TITLE = re.compile(r"<title>([^<]*)</title>")


def render(record: Record, options: GraphOptions = DEFAULT) -> str:
    """Return the picture of one run; one that takes too long to lay out is folded further and tried again."""
    graph = build(record, options)
    try:
        return drawn(graph)
    except LayoutTooSlow:
        fewer = dataclasses.replace(options, max_nodes=min(options.max_nodes, 60), expand=())
        return drawn(build(record, fewer))


def drawn(graph: Graph) -> str:
    """Return the picture of a graph, each node titled with what it is and where it stands."""
    picture = layout(dot.source(graph), "svg").decode()
    titles = {node.id: _about(node) for node in graph.nodes}
    titles |= {f"cluster_{box.id}": " ".join(filter(None, [box.kind, box.name, box.rest])) for box in graph.boxes}
    titles["run"] = "".join(text for text, _ in graph.title)
    return _TITLE.sub(lambda match: f"<title>{html.escape(titles.get(match[1], ''))}</title>", picture)


def _about(node: Node) -> str:
    words = " ".join(filter(None, [node.name, node.rest])) or node.kind
    place = f" at {node.site.file}:{node.site.line}" if node.site is not None else ""
    return "\n".join([words + place, *(line.text for line in node.lines)])
