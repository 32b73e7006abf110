"""A large graph as SVG, laid out here: for what would take a layout program too long, and where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from dyncli.analysis.graph import Box, Edge, Graph, Node
from dyncli.records.text import escaped
from dyncli.render.graph import dot
from dyncli.render.graph.layered_layout import Cell, Layout, Point, lay_out

HEAD, PAD, MARGIN, TITLE = 22.0, 12.0, 16.0, 48.0
NARROW, WIDE = frozenset("iljtfr.,:;'|!()[]{} -/\\\""), frozenset("mwMWGOQ@%")
BACK = ("carried", "asked again")


@dataclass(slots=True, eq=False)
class _Path:
    """An edge with the boxes it leaves and enters, from the inside out and from the outside in."""

    edge: Edge
    home: str | None
    ends: tuple[str, str]
    out: list[str]
    into: list[str]


def drawn(graph: Graph) -> str:
    """Return the picture of a graph."""
    return _Picture(graph).svg()


class _Picture:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.boxes = {box.id: box for box in graph.boxes}
        self.box_of = {node.id: node.box for node in graph.nodes}
        self.cells: dict[str, Cell] = {}
        self.inside: dict[str | None, list[Cell]] = {None: [], **{box.id: [] for box in graph.boxes}}
        self.corner: dict[str | None, Point] = {None: (MARGIN, TITLE + MARGIN)}
        self.layouts: dict[str | None, Layout] = {}
        self._make_cells()
        self.paths = [self._path(edge) for edge in graph.edges]
        self._lay_out()

    def _make_cells(self) -> None:
        for order, node in enumerate(self.graph.nodes):
            cell = Cell(node.id, *_size(node), order)
            self.cells[node.id] = cell
            self.inside[node.box].append(cell)
            for box in self._around(node.box):
                if box in self.cells:
                    break
                outer = self.cells[box] = Cell(box, 0.0, 0.0, order)
                self.inside[self.boxes[box].parent].append(outer)

    def _around(self, box: str | None) -> Iterator[str]:
        while box is not None:
            yield box
            box = self.boxes[box].parent

    def _path(self, edge: Edge) -> _Path:
        before, after = [*self._around(self.box_of[edge.source])], [*self._around(self.box_of[edge.target])]
        shared = {*before} & {*after}
        out = [box for box in before if box not in shared]
        into = [box for box in after if box not in shared]
        home = next((box for box in before if box in shared), None)
        ends = (out[-1] if out else edge.source, into[-1] if into else edge.target)
        return _Path(edge, home, ends, out, into[::-1])

    def _lay_out(self) -> None:
        edges: dict[str | None, list[tuple[str, str]]] = {}
        entries: dict[str, list[tuple[int, str]]] = {}
        exits: dict[str, list[tuple[int, str]]] = {}
        for key, path in enumerate(self.paths):
            if path.edge.kind in BACK:
                continue
            edges.setdefault(path.home, []).append(path.ends)
            for box, inner in zip(path.out, [path.edge.source, *path.out]):
                exits.setdefault(box, []).append((key, inner))
            for box, inner in zip(path.into, [*path.into[1:], path.edge.target]):
                entries.setdefault(box, []).append((key, inner))
        for each in reversed(self.graph.boxes):
            one = lay_out(
                self.inside[each.id], edges.get(each.id, ()), entries.get(each.id, ()), exits.get(each.id, ())
            )
            self.layouts[each.id] = one
            if each.id in self.cells:
                cell = self.cells[each.id]
                cell.width = max(one.width, _width(f"{each.name} {each.rest} taken: ", 10)) + 2 * PAD
                cell.height = one.height + HEAD + PAD
        self.layouts[None] = lay_out(self.inside[None], edges.get(None, ()))
        self._spread(None)
        for each in self.graph.boxes:
            self._spread(each.id)

    def _spread(self, box: str | None) -> None:
        """Move what stands in a box to where the box stands."""
        x, y = self.corner.get(box, (0.0, 0.0))
        for cell in self.inside[box]:
            cell.x, cell.y = cell.x + x, cell.y + y
            if cell.item in self.layouts:
                inner = self.layouts[cell.item]
                self.corner[cell.item] = (cell.x + (cell.width - inner.width) / 2, cell.y + HEAD)

    def svg(self) -> str:
        """Return the whole picture."""
        whole = self.layouts[None]
        width, height = whole.width + 2 * MARGIN + 40, whole.height + 2 * MARGIN + TITLE
        title = "".join(text for text, _ in self.graph.title)
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg width="{width:.0f}pt" height="{height:.0f}pt" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'xmlns="http://www.w3.org/2000/svg" font-family="{dot.FONTS}" font-size="10">',
            f"<title>{escaped(title)}</title>",
            '<rect width="100%" height="100%" fill="white"/>',
            "<defs>" + "".join(_arrowhead(kind, style["color"]) for kind, style in dot.EDGES.items()) + "</defs>",
            f'<text x="{MARGIN}" y="24" font-size="12" font-weight="bold">{escaped(title)}</text>',
            f'<text x="{MARGIN}" y="38" fill="#64748b">{escaped(self.graph.folded)}</text>'
            if self.graph.folded
            else "",
            f'<text x="{MARGIN}" y="52">{self._legend()}</text>',
        ]
        lines += [self._box(box) for box in self.graph.boxes if box.id in self.cells]
        lines += [self._edge(key, path) for key, path in enumerate(self.paths)]
        lines += [self._node(node) for node in self.graph.nodes]
        return "\n".join(filter(None, [*lines, "</svg>"])) + "\n"

    def _legend(self) -> str:
        words = dot.legend(self.graph)
        return " \u00a0 ".join(f'<tspan fill="{dot.TONES[tone]}">{escaped(text)}</tspan>' for text, tone in words)

    def _box(self, box: Box) -> str:
        cell = self.cells[box.id]
        border, color, back = dot.BOXES[box.kind]
        if box.failed:
            border, color = dot.FAILED[1], dot.TONES["error"]
        dashes = ' stroke-dasharray="5,3"' if box.kind in ("arm", "left") else ""
        words = {"arm": f"taken: {box.name}", "left": "not taken"}.get(box.kind, box.name)
        return (
            f'<rect x="{cell.x:.1f}" y="{cell.y:.1f}" width="{cell.width:.1f}" height="{cell.height:.1f}" rx="7" '
            f'fill="{back}" stroke="{border}"{dashes}/><text x="{cell.x + cell.width / 2:.1f}" y="{cell.y + 15:.1f}" '
            f'text-anchor="middle" fill="{color}">{escaped(f"{words} {box.rest}".strip())}</text>'
        )

    def _node(self, node: Node) -> str:
        cell = self.cells[node.id]
        fill, border = dot.NODES[node.kind] if not node.failed else dot.FAILED
        if node.side in dot.SIDES:
            border, fill = dot.SIDES[node.side]
        x, y, width, height = cell.x, cell.y, cell.width, cell.height
        dashes = ' stroke-dasharray="5,3"' if node.kind in ("ghost", "done") else ""
        if node.kind == "decision":
            corners = f"{x + width / 2:.1f},{y:.1f} {x + width:.1f},{y + height / 2:.1f} "
            corners += f"{x + width / 2:.1f},{y + height:.1f} {x:.1f},{y + height / 2:.1f}"
            parts = [f'<polygon points="{corners}" fill="{fill}" stroke="{border}"/>']
        else:
            parts = [
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="7" fill="{fill}" '
                f'stroke="{border}"{dashes}/>'
            ]
        rows = _rows(node)
        top = y + (height - 12 * len(rows)) / 2 + 9
        for place, (text, color, weight) in enumerate(rows):
            bold = ' font-weight="bold"' if weight else ""
            at = f'x="{x + width / 2:.1f}" y="{top + 12 * place:.1f}"'
            parts.append(f'<text {at} text-anchor="middle" fill="{color}"{bold}>{escaped(text)}</text>')
        return f"<g>{''.join(parts)}</g>"

    def _edge(self, key: int, path: _Path) -> str:
        edge, start, end = path.edge, self.cells[path.edge.source], self.cells[path.edge.target]
        style = dot.EDGES[edge.kind]
        dashes = ' stroke-dasharray="5,3"' if "style" in style else ""
        marker = edge.kind.replace(" ", "-")
        if edge.kind in BACK or start.y + start.height > end.y:
            reach = max(start.x + start.width, end.x + end.width) + 20
            y1, y2 = start.y + start.height / 2, end.y + end.height / 2
            x1, x2 = start.x + start.width, end.x + end.width
            curve = f"M{x1:.1f},{y1:.1f}C{reach:.1f},{y1 - 6:.1f} {reach:.1f},{y2 + 6:.1f} {x2:.1f},{y2:.1f}"
        else:
            points = [(start.x + start.width / 2, start.y + start.height), *self._bends(key, path)]
            points.append((end.x + end.width / 2, end.y))
            curve = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
            for (xa, ya), (xb, yb) in pairwise(points):
                half = (yb - ya) / 2
                curve += f"C{xa:.1f},{ya + half:.1f} {xb:.1f},{yb - half:.1f} {xb:.1f},{yb:.1f}"
        line = f'<path d="{curve}" fill="none" stroke="{style["color"]}"{dashes} marker-end="url(#{marker})"/>'
        words = edge.label or edge.gradient
        if not words:
            return line
        lean = 0.25 * (end.x + end.width / 2 - start.x - start.width / 2)
        x, y = start.x + start.width / 2 + lean + 6, start.y + start.height + 14
        return f'{line}<text x="{x:.1f}" y="{y:.1f}" fill="{style["color"]}">{escaped(words)}</text>'

    def _bends(self, key: int, path: _Path) -> Iterator[Point]:
        keys: list[tuple[str | None, tuple[object, ...]]] = [(box, ("out", key)) for box in path.out]
        keys += [(path.home, path.ends), *((box, ("in", key)) for box in path.into)]
        for box, name in keys:
            x, y = self.corner[box]
            for cell in self.layouts[box].bends.get(name, ()):
                middle = cell.x + x + cell.width / 2
                yield middle, cell.y + y
                if cell.span:
                    yield middle, cell.y + y + cell.span


def _rows(node: Node) -> list[tuple[str, str, bool]]:
    """Return the lines of text of a node, each with its colour and weight."""
    if node.kind in ("ghost", "done"):
        return [(line.text, dot.arm_color(node, line), False) for line in node.lines]
    head = [(f"{node.name} {node.rest}".strip(), "#0f172a", True)]
    return head + [(line.text, dot.TONES[line.tone], False) for line in node.lines]


def _size(node: Node) -> Point:
    rows = _rows(node)
    width = max((_width(text, 10) for text, _, _ in rows), default=10.0) + 20
    height = 12.0 * len(rows) + 10
    if node.kind != "decision":
        return width, height
    height = height * 1.5 + 6  # and each row keeps inside: the further from the middle, the less room there is
    away = [abs(12 * place + 6 - 6 * len(rows)) + 4 for place in range(len(rows))]
    return max(_width(text, 10) / (1 - 2 * far / height) for (text, _, _), far in zip(rows, away)) + 14, height


def _width(text: str, size: float) -> float:
    """Return about how wide text is in Helvetica; a little more is better than less."""
    return size * sum(0.32 if c in NARROW else 0.9 if c in WIDE else 0.7 if c.isupper() else 0.58 for c in text)


def _arrowhead(kind: str, color: str) -> str:
    return (
        f'<marker id="{kind.replace(" ", "-")}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0,1L10,5L0,9z" fill="{color}"/></marker>'
    )
