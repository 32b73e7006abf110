"""A graph as Graphviz DOT text: the picture that svg, png and pdf are drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

import graphviz

from dyncli.analysis.graph import DEFAULT, Box, Edge, Graph, GraphOptions, Line, Node, build
from dyncli.records.model import Record
from dyncli.render.graph.carried import carried_in_words
from dyncli.render.graph.stacking import chain, stacked
from dyncli.render.graph.wrapping import (
    DOT,
    ELLIPSIS,
    NARROW_VALUES,
    NEXT_RUN,
    WIDEST_LINE,
    WIDEST_VALUES,
    even,
    facts,
    on_edge,
    wrapped,
)  # fmt: skip

LARGE = 300
#: Inputs and parameters that nothing reads stand so many above each other.
COLUMN = 6
TONES = {
    "plain": "#1e293b",
    "muted": "#475569",
    "gradient": "#9f4508",
    "parameter": "#6d28d9",
    "source": "#475569",
    "faint": "#526078",
    "carried": "#ad3a0a",
    "taken": "#116b34",
    "error": "#b91c1c",
}
#: Fill and border of each kind of node.
NODES = {
    "input": ("#dbeafe", "#2563eb"),
    "parameter": ("#ede9fe", "#7c3aed"),
    "constant": ("#f1f5f9", "#94a3b8"),
    "leaf": ("#f1f5f9", "#94a3b8"),
    "op": ("#f8fafc", "#94a3b8"),
    "module": ("#f0fdfa", "#14b8a6"),
    "decision": ("#fef3c7", "#d97706"),
    "output": ("#dcfce7", "#16a34a"),
    "ghost": ("#ffffff", "#cbd5e1"),
    "done": ("#ffffff", "#86efac"),
    "fold": ("#eef2ff", "#6366f1"),
}
#: Border, label and background of each kind of box.
BOXES = {
    "arm": ("#16a34a", "#116b34", "#fdfffd"),
    "left": ("#cbd5e1", "#526078", "#ffffff"),
    "loop": ("#818cf8", "#4338ca", "#fafaff"),
    "kind": ("#c7d2fe", "#4338ca", "#ffffff"),
    "call": ("#cbd5e1", "#475569", "#ffffff"),
    "module": ("#5eead4", "#0f766e", "#fafffe"),
}
#: Faces as wide as Helvetica, for which the boxes are made, and a narrow one where none of them is.
FONTS = "Helvetica,Arial,Liberation Sans,Nimbus Sans,Arimo,DejaVu Sans Condensed,sans-serif"
EDGES = {
    "data": {"color": "#475569"},
    "carried": {"color": "#ea580c", "constraint": "false"},
    "predicate": {"color": "#d97706", "style": "dashed", "fontcolor": "#9f4508"},
    "asked again": {"color": "#d97706", "style": "dashed", "fontcolor": "#9f4508", "constraint": "false"},
    "taken": {"color": "#16a34a", "style": "dashed", "fontcolor": "#116b34"},
    "left": {"color": "#cbd5e1", "style": "dashed", "fontcolor": "#526078"},
}
#: What the arrows of a picture say, but for the plain ones, and the tone it is written in.
LEGEND = {
    "predicate": ("dashed: decides", "gradient"),
    "taken": ("dashed: went this way", "taken"),
    "left": ("not taken", "faint"),
    "carried": ("into a later step", "carried"),
}
#: The same of what stands on ops.
NOT_RECORDED = ("no_grad: not recorded for backward", "faint")
#: Fill and border of what failed.
FAILED = ("#fee2e2", "#dc2626")
#: What only one of two runs has: border and fill.
SIDES = {"a": ("#2563eb", "#eff6ff"), "b": ("#db2777", "#fdf2f8")}


#: What DOT labels read as markup, or (the backslash) as the name of the node.
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\\": "&#92;&#92;"}


def render(record: Record, options: GraphOptions = DEFAULT) -> str:
    """Return the DOT text of one run."""
    return drawn(build(record, options))


def drawn(
    graph: Graph, tall: bool = False, level: bool = False, sides: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return the DOT text of a graph: ASCII, and the same for the same graph.

    tall: with the kinds of step of a loop below each other, for what would be too wide; arrows from one step drawn by
    itself to another do not pull the two together: 73 boxes of a loop in a loop were 1,775 points wide, now 1,703.
    level: with rows that all boxes have in common, where arrows between boxes would else lead upwards.
    sides: of boxes whose title does not stand on the left, where an arrow would run through it: `r` or `c`.
    """
    graph = carried_in_words(graph)
    dot = graphviz.Digraph("run")
    dot.attr("graph", rankdir="TB", fontname="Helvetica", fontsize="11", labelloc="t", label=_title(graph),
             nodesep="0.15" if tall else "0.35", ranksep="0.4", bgcolor="white", pad="0.3", compound="true",
             **_limits(graph, level))  # fmt: skip
    dot.attr("node", fontname="Helvetica", fontsize="10", style="filled,rounded", shape="box", margin="0.14,0.07",
             fontcolor="#0f172a", penwidth="1")  # fmt: skip
    dot.attr("edge", fontname="Helvetica", fontsize="9", color="#475569", arrowsize="0.7")
    _inside(dot, None, _children(graph), tall, sides)
    frame_of = _frames_entered(graph)
    homes = _steps(graph)
    for edge in graph.edges:
        loose = {"weight": "0"} if tall and homes[edge.source] != homes[edge.target] else {}
        dot.edge(edge.source, edge.target, **_edge(edge), **frame_of.get(edge, {}), **loose)
    outputs = _alone(graph, ("output",))
    if outputs:
        with dot.subgraph() as lowest:
            lowest.attr(rank="max")
            for node in outputs:
                lowest.node(node.id)
    for above, below in _columns(graph):
        dot.edge(above, below, style="invis")
    for above, below in stacked(graph, tall) if len(graph.nodes) <= LARGE else ():
        dot.edge(above, below, style="invis", weight="10")
    text: str = dot.source
    return text


def _steps(graph: Graph) -> dict[str, str | None]:
    """Return for each node the innermost step it is drawn in, of a loop whose steps are drawn one by one."""
    step: dict[str | None, str | None] = {None: None}
    for box in graph.boxes:  # a box comes after the one around it
        own = box.kind == "kind" and box.name.startswith("iteration ")
        step[box.id] = box.id if own else step[box.parent]
    return {node.id: step[node.box] for node in graph.nodes}


def _frames_entered(graph: Graph) -> dict[Edge, dict[str, str]]:
    """Return for each arrow from a decision to the arm it took or left the frame it ends at: all of it ran, or none."""
    parents = {box.id: box.parent for box in graph.boxes}
    home = {node.id: node.box for node in graph.nodes}
    entered: dict[Edge, dict[str, str]] = {}
    for edge in graph.edges:
        if edge.kind in ("taken", "left"):
            around = chain(home[edge.source], parents)
            frame = next((box for box in chain(home[edge.target], parents) if box not in around), None)
            entered[edge] = {"lhead": f"cluster_{frame}"} if frame is not None else {}
    return entered


def _columns(graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield pairs of nodes to be drawn one above the other: what nothing is tied to would else make one wide row."""
    alone: dict[str | None, list[str]] = {}
    for node in _alone(graph, ("input", "parameter", "constant")):
        alone.setdefault(node.box, []).append(node.id)
    for group in alone.values():
        yield from (pair for place, pair in enumerate(pairwise(group), 1) if place % COLUMN)


def _alone(graph: Graph, kinds: tuple[str, ...]) -> list[Node]:
    """Return the nodes of some kinds that nothing is tied to."""
    tied = {end for edge in graph.edges for end in (edge.source, edge.target)}
    return [node for node in graph.nodes if node.id not in tied and node.kind in kinds]


def _limits(graph: Graph, level: bool) -> dict[str, str]:
    """Return what keeps the layout of a large graph from running away; measured 8x on 300 nodes with shared leaves."""
    limits = {"nslimit": "0.5", "nslimit1": "0.5", "mclimit": "0.5"} if len(graph.nodes) > LARGE else {}
    return {**limits, "newrank": "true"} if level else limits


def _children(graph: Graph) -> dict[str | None, list[Node | Box]]:
    children: dict[str | None, list[Node | Box]] = {}
    for node in graph.nodes:
        children.setdefault(node.box, []).append(node)
    for box in graph.boxes:
        children.setdefault(box.parent, []).append(box)
    return children


def _inside(
    dot: graphviz.Digraph,
    box: str | None,
    children: dict[str | None, list[Node | Box]],
    narrow: bool,
    sides: Mapping[str, str],
) -> None:
    for child in children.get(box, ()):
        if isinstance(child, Node):
            dot.node(child.id, **_node(child, narrow))
            continue
        with dot.subgraph(name=f"cluster_{child.id}") as inner:
            inner.attr(**_box(child), labeljust=sides.get(child.id, "l"))
            _inside(inner, child.id, children, narrow, sides)


def _node(node: Node, narrow: bool) -> dict[str, str]:
    fill, border = NODES[node.kind]
    if node.side in SIDES and node.kind not in ("ghost",):
        border, fill = SIDES[node.side]
    if node.failed:
        fill, border = FAILED
    attributes = {"label": _label(node, narrow), "fillcolor": fill, "color": border}
    if node.kind == "decision":
        attributes |= {"shape": "diamond", "style": "filled", "margin": "0.02,0.02", "height": "0.2"}
    elif node.kind in ("ghost", "done"):
        attributes |= {"style": "filled,dashed,rounded"}
    elif node.kind == "leaf":
        attributes |= {"fontsize": "9", "margin": "0.07,0.02", "height": "0.2", "width": "0.2", "penwidth": "0.7"}
    elif node.kind == "fold":
        attributes |= {"peripheries": "2"}
    return attributes


def _label(node: Node, narrow: bool) -> str:
    if node.kind in ("ghost", "done"):
        lines = "".join(
            f'<font color="{arm_color(node, line)}">{_escape(line.text, True)}</font><br align="left"/>'
            for line in node.lines
        )
        return f"<{lines}>"
    if node.kind == "decision":
        return f"<{'<br/>'.join([*_question(node), *map(_line, node.lines)])}>"
    head = _words([(node.name, True), (node.rest, False)])
    shown = [half for line in node.lines for half in _halves(line, NARROW_VALUES if narrow else WIDEST_VALUES)]
    return f"<{'<br/>'.join([head, *map(_line, shown)])}>"


def arm_color(node: Node, line: Line) -> str:
    """Return the colour of a line of an arm that is drawn as its source."""
    return TONES[line.tone if line.tone == "error" else "faint" if node.kind == "ghost" else "taken"]


def _halves(line: Line, widest: int) -> list[Line]:
    """Return a line in several, dtype and shape and then the values, if it would make its node wide."""
    if line.tone == "gradient":
        return [line._replace(text=part) for part in wrapped(line.text, widest)]
    if line.tone == "faint" and len(line.text) > WIDEST_LINE:
        return [line._replace(text=part) for part in facts(line.text)]
    head, dot, values = line.text.partition(DOT)
    if line.tone != "muted" or not dot or len(line.text) <= WIDEST_LINE:
        return [line]
    return [line._replace(text=head), *(line._replace(text=part) for part in wrapped(values, widest))]


def _question(node: Node) -> list[str]:
    """Return the test of a decision, broken so that its diamond stays small."""
    lines = even(f"{node.name} {node.rest}".strip(), 30)
    lines = lines if len(lines) <= 3 else [*lines[:2], lines[2][:29] + "\u2026"]
    first = lines[0]
    if node.name and first.startswith(node.name):
        head = _words([(node.name, True), (first[len(node.name) :].strip(), False)])
        return [head, *(_escape(line) for line in lines[1:])]
    return [_escape(line) for line in lines]


def _line(line: Line) -> str:
    return f'<font point-size="9" color="{TONES[line.tone]}">{_escape(line.text) or " "}</font>'


def _box(box: Box) -> dict[str, str]:
    border, text, back = BOXES[box.kind]
    if box.side in SIDES and box.kind != "left":
        border, text = SIDES[box.side][0], SIDES[box.side][0]
    if box.failed:
        border, text = FAILED[1], TONES["error"]
    before = {"arm": "taken: ", "left": "not taken"}.get(box.kind, "")
    words = [(before, False), (box.name if box.kind != "left" else "", True)]
    rest = _escape(("\u00b7 " if box.kind in ("arm", "left") else "") + box.rest) if box.rest else ""
    label = "".join(_bold(t) if bold else _escape(t) for t, bold in words if t)
    label = " ".join(filter(None, [label, rest])) or " "
    style = "rounded,dashed" if box.kind in ("arm", "left") else "rounded"
    return {
        "label": f'<<font color="{text}">{label}</font>>',
        "style": style,
        "color": border,
        "bgcolor": back,
        "fontsize": "10",
        "margin": "10",
    }


def _edge(edge: Edge) -> dict[str, str]:
    attributes = dict(EDGES[edge.kind])
    if edge.side in SIDES and edge.kind != "left":
        attributes |= {"color": SIDES[edge.side][0], "fontcolor": SIDES[edge.side][0]}
    if edge.label:
        attributes["label"] = f"<{'<br/>'.join(_escape(f' {each} ') for each in NEXT_RUN.split(edge.label))}>"
    elif edge.gradient:
        label = "<br/>".join(_escape(f" {each} ") for each in on_edge(edge.gradient))
        attributes["label"] = f'<<font color="{TONES["gradient"]}">{label}</font>>'
    return attributes


def _title(graph: Graph) -> str:
    lines = ["".join(_words([part]) for part in graph.title)]
    lines += [_line(Line(text, "faint")) for text in (graph.note, graph.folded) if text]
    lines += filter(None, [_legend(graph)])
    return f"<{'<br/>'.join(lines)}<br/> >"


def _legend(graph: Graph) -> str:
    """Return what the arrows mean that need it, each in its colour."""
    return " &#160; ".join(_line(Line(text, tone)) for text, tone in legend(graph))


def legend(graph: Graph) -> list[tuple[str, str]]:
    """Return (words, tone) of each kind of arrow, and of op, of a graph that needs to be explained."""
    kinds = {"predicate" if edge.kind == "asked again" else edge.kind for edge in graph.edges}
    unrecorded = any(node.unrecorded for node in graph.nodes)
    return [words for kind, words in LEGEND.items() if kind in kinds] + [NOT_RECORDED] * unrecorded


def _words(parts: Iterable[tuple[str, bool]]) -> str:
    """Return parts of text, bold where asked, with a space between them."""
    return " ".join(_bolded(parts))


def _bolded(parts: Iterable[tuple[str, bool]]) -> Iterator[str]:
    for text, bold in parts:
        if text:
            yield _bold(text) if bold else _escape(text)


def _bold(text: str) -> str:
    """Return bold text; layout programs take an ellipsis for narrower than it is, so what follows needs room."""
    return f"<b>{_escape(text)}</b>{'&#160;' * text.count(ELLIPSIS)}"


def _escape(text: str, spaces: bool = False) -> str:
    """Return text for a DOT label: no markup of its own, and every non-ASCII character as a number.

    spaces: keep leading spaces.
    """
    plain = "".join(_NAMED.get(character, character) for character in text)
    if spaces:
        indent = len(plain) - len(plain.lstrip(" "))
        plain = "&#160;" * indent + plain[indent:]
    return "".join(c if " " <= c <= "~" else f"&#{ord(c)};" for c in plain)
