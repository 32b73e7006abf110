"""The targets of a value with many arrows, in words: drawn, they hide what they cross."""

from __future__ import annotations

from dyncli.analysis.graph import Graph, Line, Node
from dyncli.analysis.values import site_place

#: More arrows into later steps than this are written on the ops they lead to.
MOST_CARRIED = 4
ELLIPSIS = "…"


def carried_in_words(graph: Graph) -> Graph:
    """Return the graph with its many arrows into later steps written on the ops that they lead to."""
    carried = [edge for edge in graph.edges if edge.kind == "carried" and edge.source != edge.target]
    if len(carried) <= MOST_CARRIED:
        return graph
    of = {node.id: node for node in graph.nodes}
    modules = {box.id: box.name for box in graph.boxes if box.kind == "module"}
    sources: dict[str, list[Node]] = {}
    for edge in carried:
        sources.setdefault(edge.target, []).append(_whole(of[edge.source], modules))
    nodes = [
        node._replace(lines=(*node.lines, _from(sources[node.id], graph.model))) if node.id in sources else node
        for node in graph.nodes
    ]
    gone = set(carried)
    return graph._replace(nodes=tuple(nodes), edges=tuple(edge for edge in graph.edges if edge not in gone))


def _whole(node: Node, modules: dict[str, str]) -> Node:
    """Return a node with the whole name of its module: in the box of `field` it is called `2`."""
    around = modules.get(node.box or "") if node.kind == "module" else None
    return node if around is None else node._replace(name=f"{around}.{node.name}")


def _from(sources: list[Node], model: str) -> Line:
    """Return where a value comes from in later steps: `later from mul line 24`."""
    words = [f"{node.name} {site_place(node.site, model)}" if node.site is not None else node.name for node in sources]
    words = list(dict.fromkeys(words))
    return Line("later from " + ", ".join([*words[:2], *[ELLIPSIS] * (len(words) > 2)]), "carried")
