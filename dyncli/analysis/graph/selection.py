"""A part of a drawing: what fits the user's words, and what it is tied to."""

from __future__ import annotations

from dyncli.analysis.graph.groups import PLURALS, Asked, fits_lines, fits_name, fits_scope
from dyncli.analysis.graph.labels import DOT
from dyncli.analysis.graph.model import Box, Graph, Node


def only(graph: Graph, words: tuple[str, ...], asked: Asked) -> Graph:
    """Return the nodes that fit a line number or a name, or stand in a box of that name, and their neighbours."""
    boxes = {box.id: box for box in graph.boxes}
    chosen = {
        node.id
        for node in graph.nodes
        if any(_fits(node, word, boxes) for word in words)
        or not asked.ops.isdisjoint(node.ops)
        or not asked.decisions.isdisjoint(node.decisions)
    }
    near = {end for edge in graph.edges if {edge.source, edge.target} & chosen for end in (edge.source, edge.target)}
    kept = tuple(node for node in graph.nodes if node.id in chosen | near)
    used: set[str] = set()
    for node in kept:
        at = node.box
        while at is not None and at not in used:
            used.add(at)
            at = boxes[at].parent
    return graph._replace(
        nodes=kept,
        boxes=tuple(box for box in graph.boxes if box.id in used),
        edges=tuple(edge for edge in graph.edges if edge.source in chosen or edge.target in chosen),
        folded=f"only {', '.join(words)}" if kept else f"nothing fits --only {', --only '.join(words)}",
    )


def _fits(node: Node, word: str, boxes: dict[str, Box]) -> bool:
    if word.isdecimal():
        if fits_lines(node.site, word):
            return True
    elif fits_name(node.name, word):
        return True
    at = node.box
    while at is not None:
        box = boxes[at]
        name = f"{box.name} {box.rest.partition(DOT)[0]}" if box.kind == "loop" else box.name
        if box.kind in PLURALS and (fits_scope(box.kind, name, word) or fits_scope("loop", box.name, word)):
            return True
        if box.kind in ("call", "module", "loop") and word.isdecimal() and fits_lines(box.site, word):
            return True
        at = boxes[at].parent
    return False
