"""Rows of a picture that would be too wide: unconnected parts and dead ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from dyncli.analysis.graph import Graph, Node

#: Edges that say what is above what; arrows into later steps do not.
DOWNWARDS = frozenset({"data", "predicate", "taken", "left"})
#: In points, of a letter and of what is around a node.
LETTER, AROUND = 4.6, 45.0
LEAVES = ("parameter", "constant", "leaf")
#: Results of one op that nothing reads, and leaves that one op reads, stand so many above each other if they are many.
COLUMN = 4
FEW = 4
FEW_PAIRS = 36


def rows(
    graph: Graph, around: dict[str, tuple[str, ...]], widest: float, stacked: Sequence[tuple[str, str]] = ()
) -> Iterator[tuple[str, str]]:
    """Yield pairs of nodes, the second to stand below the first, so that parts that no edge joins fill rows.

    around: the boxes around each node.  widest: of a row, in points, as far as that can be told before.  stacked: nodes
    that stand above each other already, which belong to one part.
    """
    children: dict[str | None, dict[str, list[Node]]] = {}
    for node in graph.nodes:
        path = (*around[node.id], node.id)
        for depth, child in enumerate(path):
            children.setdefault(path[depth - 1] if depth else None, {}).setdefault(child, []).append(node)
    for inside in children.values():
        parts = _parts(graph, inside, stacked)
        if len(parts) > 1:
            for above, below in pairwise(_filled(graph, parts, widest)):
                yield from below_each_other(graph, above, below)


def columns(graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield pairs to stand above each other: results of one op that nothing reads, leaves that one op alone reads."""
    leaving: dict[str, list[str]] = {}
    entering: dict[str, list[str]] = {}
    for edge in graph.edges:
        leaving.setdefault(edge.source, []).append(edge.target)
        entering.setdefault(edge.target, []).append(edge.source)
    groups: dict[tuple[str, str, str | None], list[str]] = {}
    for node in graph.nodes:
        before, after = entering.get(node.id, []), leaving.get(node.id, [])
        if node.kind == "op" and len(before) == 1 and not after:
            groups.setdefault(("from", before[0], node.box), []).append(node.id)
        elif node.kind in LEAVES and len(after) == 1 and not before:
            groups.setdefault(("into", after[0], node.box), []).append(node.id)
    for group in groups.values():
        if len(group) > FEW:
            yield from (pair for place, pair in enumerate(pairwise(group), 1) if place % COLUMN)


def below_each_other(graph: Graph, above: Sequence[str], below: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs that put all of some nodes below all of others; of many one end or one beginning stands for all."""
    upper, lower = set(above), set(below)
    edges = [edge for edge in graph.edges if edge.kind in DOWNWARDS and edge.source != edge.target]
    leaving = {edge.source for edge in edges if edge.source in upper and edge.target in upper}
    entered = {edge.target for edge in edges if edge.source in lower and edge.target in lower}
    last = [node for node in above if node not in leaving]
    first = [node for node in below if node not in entered]
    if len(last) * len(first) <= FEW_PAIRS:
        yield from ((one, other) for one in last for other in first)
    else:
        yield from ((one, first[0]) for one in last)
        yield from ((last[-1], other) for other in first[1:])


def _parts(graph: Graph, inside: dict[str, list[Node]], stacked: Sequence[tuple[str, str]]) -> list[list[Node]]:
    """Return the nodes of each group of children of a box that edges, or the order they stand in, join."""
    group = {child: child for child in inside}
    child_of = {node.id: child for child, nodes in inside.items() for node in nodes}

    def top(child: str) -> str:
        while group[child] != child:
            child = group[child]
        return child

    for source, target in (*((edge.source, edge.target) for edge in graph.edges), *stacked):
        one, other = child_of.get(source), child_of.get(target)
        if one is not None and other is not None:
            group[top(other)] = top(one)
    parts: dict[str, list[Node]] = {}
    for child, nodes in inside.items():
        parts.setdefault(top(child), []).extend(nodes)
    return list(parts.values())


def _filled(graph: Graph, parts: Sequence[list[Node]], widest: float) -> list[list[str]]:
    """Return the nodes of each row: as many parts as there is room for."""
    filled: list[list[str]] = []
    room = 0.0
    for part in parts:
        width = _width(graph, part)
        if not filled or width > room:
            filled.append([])
            room = widest
        filled[-1] += [node.id for node in part]
        room -= width
    return filled


def _width(graph: Graph, part: Sequence[Node]) -> float:
    """Return about how wide a part is: the widest of its layers."""
    own = {node.id for node in part}
    layer = {node.id: 0 for node in part}
    edges = [edge for edge in graph.edges if edge.source in own and edge.target in own and edge.kind != "carried"]
    for _ in range(12):  # enough for what is wide; deep parts are narrow
        for edge in edges:
            layer[edge.target] = max(layer[edge.target], min(layer[edge.source] + 1, 60))
    widths: dict[int, float] = {}
    for node in part:
        letters = max(len(text) for text in (f"{node.name} {node.rest}", *(line.text for line in node.lines)))
        widths[layer[node.id]] = widths.get(layer[node.id], 0.0) + AROUND + LETTER * min(letters, 44)
    return max(widths.values())
