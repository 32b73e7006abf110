"""Two drawings as one: what both have once, what only one has in its own colour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TypeVar

from dyncli.analysis.graph.model import Box, Edge, FoldedBox, Graph, Key, Line, Node
from dyncli.records.text import one_line

Item = TypeVar("Item")
_AMOUNT = re.compile(r"[-+]?\d[\d,.]*(?:e[-+]?\d+)?(?: (?:[nmµ]?s|[KMG]i?B|B)\b)?")


def union(a: Graph, b: Graph, names: tuple[str, str] = ("A", "B")) -> Graph:
    """Return both drawings in one; an arm one run left and the other took is drawn as taken, in that run's colour."""
    merged = _Union(names)
    merged.add(a, "a")
    merged.add(b, "b")
    return merged.graph(a, b)


class _Union:
    def __init__(self, names: tuple[str, str]) -> None:
        self.names = names
        self.nodes: dict[Key, Node] = {}
        self.boxes: dict[Key, Box] = {}
        self.edges: dict[tuple[str, str, str], Edge] = {}

    def add(self, graph: Graph, side: str) -> None:
        """Take in one drawing."""
        box_ids: dict[str, str] = {}
        for box in graph.boxes:
            parent = box_ids.get(box.parent or "")
            key = ("left", *box.key) if box.kind == "left" else box.key
            known = self.boxes.get(key)
            if known is None:
                known = box._replace(id=f"b{len(self.boxes)}", parent=parent, side=side)
            else:
                known = known._replace(
                    side="both",
                    failed=known.failed or box.failed,
                    name=self._two(known.name, box.name),
                    rest=self._two(known.rest, box.rest),
                    folded=self._folded(known.folded, box.folded),
                )
            self.boxes[key] = known
            box_ids[box.id] = known.id
        node_ids: dict[str, str] = {}
        for node in graph.nodes:
            known_node = self.nodes.get(node.key)
            if known_node is None:
                box_id = box_ids.get(node.box or "")
                known_node = node._replace(id=f"n{len(self.nodes)}", box=box_id, side=side)
            else:
                known_node = self._both(known_node, node)
                if known_node.box is None and node.kind == "parameter":  # only the second run came to its module
                    known_node = known_node._replace(box=box_ids.get(node.box or ""))
            self.nodes[node.key] = known_node
            node_ids[node.id] = known_node.id
        for edge in graph.edges:
            ends = (node_ids[edge.source], node_ids[edge.target], edge.kind)
            known_edge = self.edges.get(ends)
            new = edge._replace(source=ends[0], target=ends[1], side=side)
            if known_edge is not None:
                gradient = self._two(known_edge.gradient, edge.gradient)
                label = self._two(known_edge.label, edge.label)
                new = known_edge._replace(side="both", label=label, gradient=gradient)
            self.edges[ends] = new

    def graph(self, a: Graph, b: Graph) -> Graph:
        """Return what was taken in, without the empty boxes of arms that one of the runs took."""
        taken = {edge.source: edge for edge in self.edges.values() if edge.kind == "taken"}
        ghosts = self._overtaken(set(taken))
        nodes = tuple(node for node in self.nodes.values() if node.id not in ghosts)
        used = {node.box for node in nodes}
        boxes = {box.id: box for box in self.boxes.values()}
        for box in reversed(list(boxes.values())):
            if box.id in used:
                used.add(box.parent)
        kept = tuple(box for box in boxes.values() if box.id in used)
        edges = tuple(e for e in self.edges.values() if e.source not in ghosts and e.target not in ghosts)
        title = (*a.title[:1], (" · two runs", False))
        legend = f"blue: only {one_line(self.names[0], 40)} · magenta: only {one_line(self.names[1], 40)}"
        note = " · ".join(filter(None, [legend, self._two(a.note, b.note)]))
        return Graph(title, nodes, kept, edges, note, a.folded or b.folded, a.sources, a.model)

    def _overtaken(self, deciders: set[str]) -> set[str]:
        """Return the ghosts of arms that the other run took: it drew the test, and not that it left the arm.

        What follows an `if` that left has no arrow where it was taken and has no op.
        """
        shared = {node.id for node in self.nodes.values() if node.side == "both"}
        by_label = {(e.source, e.label.partition(" x")[0]) for e in self.edges.values() if e.kind == "taken"}
        return {
            edge.target
            for edge in self.edges.values()
            if edge.kind == "left"
            and (
                (edge.source in deciders and (edge.source, edge.label) in by_label)
                or (edge.side != "both" and edge.source in shared and not edge.label.endswith(" others"))
            )
        }

    def _folded(self, first: FoldedBox | None, second: FoldedBox | None) -> FoldedBox | None:
        """Return what a box says that is folded at first in both runs."""
        if first is None or second is None:
            return None
        words = self._two(first.name, second.name), self._two(first.rest, second.rest)
        return FoldedBox(first.kind, *words, self._lines(first.lines, second.lines))

    def _lines(self, first: tuple[Line, ...], second: tuple[Line, ...]) -> tuple[Line, ...]:
        """Return the lines of both, each with the name of its run but where they are alike."""
        lines: list[Line] = []
        for one, two in self._pairs(first, second):
            if one is not None and two is not None and (one == two or one.tone == two.tone == "faint"):
                lines.append(one._replace(text=self._two(one.text, two.text)))
                continue
            for line, name in ((one, self.names[0]), (two, self.names[1])):
                if line is not None:
                    lines.append(line._replace(text=f"{one_line(name, 24)}: {line.text}"))
        return tuple(lines)

    def _pairs(
        self, first: tuple[Line, ...], second: tuple[Line, ...]
    ) -> Iterator[tuple[Line, None] | tuple[None, Line] | tuple[Line, Line]]:
        """Yield the lines that say the same of each run together; of tests told at different lengths, run by run."""
        if len(first) != len(second) and {line.tone for line in (*first, *second)} == {"plain"}:
            yield from ((line, None) for line in first)
            yield from ((None, line) for line in second)
            return
        yield from _aligned(first, second, [line.tone for line in first], [line.tone for line in second])

    def _both(self, first: Node, second: Node) -> Node:
        lines = self._lines(first.lines, second.lines)
        name, rest = self._two(first.name, second.name), self._two(first.rest, second.rest)
        both = first._replace(name=name, rest=rest, lines=lines, side="both")
        either = first.failed or second.failed, first.unrecorded or second.unrecorded
        return both._replace(failed=either[0], unrecorded=either[1], origin="")

    def _two(self, first: str, second: str) -> str:
        """Return two texts as one, what they share said once."""
        one, two = first.split(" · "), second.split(" · ")
        pairs = ((a or "", b or "") for a, b in _aligned(one, two, *([*map(_kind, each)] for each in (one, two))))
        return " · ".join(a if a == b else self._either(a, b) for a, b in pairs)

    def _either(self, first: str, second: str) -> str:
        pairs = zip(self.names, (first, second))
        return ", ".join(f"{one_line(name, 24)}: {text}" for name, text in pairs if text)


def _kind(fact: str) -> str:
    """Return what a fact is of, without how much: of `saves 12 B` and of `saves 3.2 KiB` the same."""
    return _AMOUNT.sub("#", fact)


def _aligned(
    first: Sequence[Item], second: Sequence[Item], keys: Sequence[str], others: Sequence[str]
) -> Iterator[tuple[Item, None] | tuple[None, Item] | tuple[Item, Item]]:
    """Yield two sequences in pairs, so that as many as can be have their key in common; what only one has alone."""
    from difflib import SequenceMatcher  # 1 ms that one run alone does not cost

    for _, a, b, c, d in SequenceMatcher(None, keys, others, autojunk=False).get_opcodes():
        yield from zip_longest(first[a:b], second[c:d])
