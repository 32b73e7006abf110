"""A graph as a Mermaid flowchart, for Markdown pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dyncli.analysis.graph import DEFAULT, Box, Edge, Graph, GraphOptions, Node, build
from dyncli.records.model import Record

#: Mermaid's brackets for the shape of each kind of node; a box with square corners where it is not named.
SHAPES = {"decision": ("{", "}"), "leaf": ("([", "])"), "fold": ("[[", "]]"), "input": ("(", ")"), "output": ("(", ")")}
CLASSES = {
    "input": "fill:#dbeafe,stroke:#2563eb,color:#0f172a",
    "parameter": "fill:#ede9fe,stroke:#7c3aed,color:#0f172a",
    "constant": "fill:#f1f5f9,stroke:#94a3b8,color:#0f172a",
    "leaf": "fill:#f1f5f9,stroke:#94a3b8,color:#0f172a",
    "op": "fill:#f8fafc,stroke:#94a3b8,color:#0f172a",
    "module": "fill:#f0fdfa,stroke:#14b8a6,color:#0f172a",
    "decision": "fill:#fef3c7,stroke:#d97706,color:#0f172a",
    "output": "fill:#dcfce7,stroke:#16a34a,color:#0f172a",
    "ghost": "fill:#ffffff,stroke:#cbd5e1,color:#526078,stroke-dasharray:4",
    "done": "fill:#ffffff,stroke:#86efac,color:#15803d,stroke-dasharray:4",
    "fold": "fill:#eef2ff,stroke:#6366f1,color:#0f172a",
    "failed": "fill:#fee2e2,stroke:#dc2626,color:#7f1d1d",
    "a": "fill:#eff6ff,stroke:#2563eb,color:#0f172a",
    "b": "fill:#fdf2f8,stroke:#db2777,color:#0f172a",
}
BOXES = {
    "arm": "fill:#fdfffd,stroke:#16a34a,color:#15803d,stroke-dasharray:4",
    "left": "fill:#ffffff,stroke:#cbd5e1,color:#526078,stroke-dasharray:4",
    "loop": "fill:#fafaff,stroke:#818cf8,color:#4338ca",
    "kind": "fill:#ffffff,stroke:#c7d2fe,color:#4338ca",
    "call": "fill:#ffffff,stroke:#cbd5e1,color:#475569",
    "module": "fill:#fafffe,stroke:#5eead4,color:#0f766e",
}
ARROWS = {"data": "-->", "carried": "-->", "predicate": "-.->", "asked again": "-.->", "taken": "-.->", "left": "-.->"}
COLORS = {"carried": "#ea580c", "predicate": "#d97706", "asked again": "#d97706", "taken": "#16a34a", "left": "#cbd5e1"}
ARROW = re.compile(r"^  \w+ -\.?->", re.MULTILINE)
MOST_ARROWS, MOST_LETTERS = 500, 50_000  # `maxEdges`, `maxTextSize`
SIDES = {"a": "#2563eb", "b": "#db2777"}


def render(record: Record, options: GraphOptions = DEFAULT) -> str:
    """Return the flowchart of one run."""
    return drawn(build(record, options))


def drawn(graph: Graph) -> str:
    """Return a graph as Mermaid text."""
    title = "\n".join(filter(None, ["".join(text for text, _ in graph.title), graph.note, graph.folded]))
    children: dict[str | None, list[Node | Box]] = {}
    for node in graph.nodes:
        children.setdefault(node.box, []).append(node)
    for box in graph.boxes:
        children.setdefault(box.parent, []).append(box)
    lines = ["flowchart TD", f"  title[{_quoted(title)}]:::title", *_inside(None, children, "  ")]
    lines += [f"  {_edge(edge)}" for edge in graph.edges]
    colored: dict[str, list[str]] = {}
    for place, edge in enumerate(graph.edges):
        color = SIDES.get(edge.side) or COLORS.get(edge.kind)
        if color:
            colored.setdefault(color, []).append(str(place))
    lines += [f"  linkStyle {','.join(places)} stroke:{color},color:{color}" for color, places in colored.items()]
    lines += [f"  classDef {name} {style}" for name, style in CLASSES.items()]
    lines += ["  classDef title fill:none,stroke:none,color:#0f172a,font-weight:bold"]
    lines += [f"  style {box.id} {CLASSES['failed'] if box.failed else BOXES[box.kind]}" for box in graph.boxes]
    return "\n".join(lines) + "\n"


def beyond(text: str) -> str | None:
    """Return what mermaid, as it is set unless told otherwise, would refuse to draw of a flowchart, and the way out."""
    arrows, letters = len(ARROW.findall(text)), len(text)
    if arrows < MOST_ARROWS and letters <= MOST_LETTERS:
        return None
    has = f"{arrows:,} arrows and {letters:,} letters"
    most = f"fewer than {MOST_ARROWS} and {MOST_LETTERS:,} unless its `maxEdges` and `maxTextSize` say more"
    return f"{has}: mermaid draws {most}; `--max-nodes` folds it"


def _inside(box: str | None, children: dict[str | None, list[Node | Box]], indent: str) -> Iterator[str]:
    for child in children.get(box, ()):
        if isinstance(child, Node):
            before, after = SHAPES.get(child.kind, ("[", "]"))
            style = "failed" if child.failed else child.side if child.side in SIDES else child.kind
            yield f"{indent}{child.id}{before}{_quoted(_text(child))}{after}:::{style}"
            continue
        words = {"arm": f"taken: {child.name}", "left": "not taken"}.get(child.kind, child.name)
        yield f"{indent}subgraph {child.id}[{_quoted(' '.join(filter(None, [words, child.rest])))}]"
        yield from _inside(child.id, children, indent + "  ")
        yield f"{indent}end"


def _text(node: Node) -> str:
    head = " ".join(filter(None, [node.name, node.rest]))
    return "\n".join(filter(None, [head, *(line.text for line in node.lines)]))


def _edge(edge: Edge) -> str:
    words = edge.label or edge.gradient
    label = f"|{_quoted(words)}|" if words else ""
    return f"{edge.source} {ARROWS[edge.kind]}{label} {edge.target}"


def _quoted(text: str) -> str:
    """Return text as a Mermaid string: everything but plain letters and marks as a numbered character."""
    return '"' + "<br/>".join("".join(map(_plain, line)) for line in text.split("\n")) + '"'


def _plain(character: str) -> str:
    harmless = character.isascii() and (character.isalnum() or character in " .,:_+-*/=()")
    return character if harmless else f"#{ord(character)};"
