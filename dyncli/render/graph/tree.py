"""A graph as a tree for the terminal: ops in the order they ran, each under the decision, loop or call it ran in."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType
from rich.text import Text
from rich.tree import Tree

from dyncli.analysis.graph import DEFAULT, Box, Graph, GraphOptions, Node, build
from dyncli.records.model import Record
from dyncli.render.graph.short_tree import SCREEN, in_rows, row_text, unwrapped

STYLES = {
    "input": "blue",
    "parameter": "magenta",
    "constant": "dim",
    "op": "bold",
    "module": "bold cyan",
    "decision": "yellow",
    "output": "green",
    "fold": "cyan",
}
TONES = {
    "plain": "default",
    "muted": "default",
    "gradient": "yellow",
    "parameter": "magenta",
    "source": "dim",
    "faint": "dim",
    "carried": "default",
    "error": "red",
}
_TESTS = ("decision", "arm")  # boxes that say something only where ops stand below them
_BARE = ("left", "ghost", "done", "constant")  # boxes that stand for no op
BOXES = {"arm": "green", "left": "dim", "loop": "blue", "kind": "blue", "call": "cyan", "module": "cyan"}
SIDES = {"a": "blue", "b": "magenta"}
WIDTH = 100


def render(record: Record, options: GraphOptions = DEFAULT) -> str:
    """Return the tree of one run as plain text."""
    return drawn(build(record, options))


def drawn(graph: Graph) -> str:
    """Return the tree of a graph as plain text."""
    file = io.StringIO()
    console = Console(
        file=file, width=WIDTH, color_system=None, force_terminal=False, force_jupyter=False, legacy_windows=False
    )
    console.print(renderable(graph))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def renderable(graph: Graph, screen: Console | None = None) -> RenderableType:
    """Return the tree of a graph for a console; screen: the one that a large tree is made shorter for."""
    drawing = _Drawing(graph)
    tree = drawing.tree()
    for tight in (False, True):
        if screen is not None and len(screen.render_lines(tree, pad=False)) > SCREEN:
            tree = drawing.short(tight=tight)
    return tree


class _Drawing:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.names = _names(graph)
        self.inputs: dict[str, list[str]] = {}
        for edge in graph.edges:
            if edge.kind in ("data", "carried", "predicate", "asked again"):
                again = "again " if edge.kind in ("carried", "asked again") else ""
                self.inputs.setdefault(edge.target, []).append(again + self.names[edge.source])
        self.children = self._children()
        self.ways = self._ways()

    def tree(self) -> Tree:
        """Return the whole tree."""
        tree = Tree(self._title(), guide_style="dim")
        self._fill(tree, None)
        return tree

    def _title(self) -> Text:
        title = Text.assemble(*((text, "bold" if bold else "dim") for text, bold in self.graph.title))
        for words in (self.graph.note, self.graph.folded):
            if words:
                title.append(f"\n{words}", "dim")
        return title

    def short(self, *, tight: bool) -> Tree:
        """Return the tree with ops in a row on one line, and nothing wrapped.

        tight: without tests on Python values and of loops under which no op ran, without lines for arms, but where two
        of them ran ops, and with a box of one line on that of its name.
        """
        title = self._title()
        without = (
            ", tests that led to none are left out: `--format txt` shows all"
            if tight
            else ": `--format txt` shows each"
        )
        title.append(f"\nops in a row are one line{without}", "dim")
        tree = Tree(title, guide_style="dim")
        self._fill_short(tree, None, tight)
        return unwrapped(tree)

    def _fill_short(self, tree: Tree, key: str | None, tight: bool) -> None:
        rows = in_rows(self.children, key)
        ran = [child for child in rows if isinstance(child, Box) and child.kind == "arm" and self._has_ops(child.id)]
        for child in rows:
            if isinstance(child, list):
                tree.add(row_text(child))
            elif isinstance(child, Box):
                if tight and ran == [child]:
                    self._fill_short(tree, child.id, tight)
                elif not tight or child in ran or child.kind not in ("arm", "left"):
                    self._add_box(tree, child, tight)
            elif child.kind not in ("ghost", "done"):
                is_test = child.kind == "decision"
                asks_tensor = child.id in self.inputs and (child.site is None or child.site.kind not in ("for", "comp"))
                if not tight or not is_test or asks_tensor or self._has_ops(child.id):
                    self._fill_short(tree.add(self._node(child, with_inputs=is_test)), child.id, tight)

    def _has_ops(self, key: str) -> bool:
        """Return whether anything but tests and arms without ops stands below."""
        below = self.children.get(key, ())
        return any(self._has_ops(child.id) if child.kind in _TESTS else child.kind not in _BARE for child in below)

    def _add_box(self, tree: Tree, box: Box, tight: bool) -> None:
        branch = tree.add(_box(box))
        self._fill_short(branch, box.id, tight)
        only = branch.children[0] if tight and len(branch.children) == 1 else tree
        if only is not tree and not only.children and isinstance(only.label, Text):
            branch.label = _box(box).append("  ").append_text(only.label)
            branch.children.clear()

    def _children(self) -> dict[str | None, list[Node | Box]]:
        """Return what stands in each box, and under each decision its arms."""
        children: dict[str | None, list[Node | Box]] = {}
        placed: set[str] = set()
        deciders = {
            (node.box, node.site.id): node.id for node in self.graph.nodes if node.kind == "decision" and node.site
        }
        boxes = {box.id: box for box in self.graph.boxes}

        def place(box_id: str | None) -> None:
            if box_id is None or box_id in placed:
                return
            placed.add(box_id)
            box = boxes[box_id]
            place(box.parent)
            above: str | None = box.parent
            if box.kind in ("arm", "left") and box.site is not None:
                above = deciders.get((box.parent, box.site.id), box.parent)
            children.setdefault(above, []).append(box)

        for node in self.graph.nodes:
            if node.kind == "leaf":
                continue
            place(node.box)
            children.setdefault(node.box, []).append(node)
        return children

    def _ways(self) -> dict[str, list[str]]:
        """Return which ways each decision went that has no box of an arm below it."""
        arms = {key for key, below in self.children.items() for b in below if isinstance(b, Box) and b.kind == "arm"}
        ways: dict[str, list[str]] = {}
        for edge in self.graph.edges:
            if edge.kind == "taken" and edge.source not in arms:
                ways.setdefault(edge.source, []).append(edge.label)
        return ways

    def _fill(self, tree: Tree, key: str | None) -> None:
        for child in self.children.get(key, ()):
            if isinstance(child, Box):
                self._fill(tree.add(_box(child)), child.id)
            elif child.kind in ("ghost", "done"):
                for line in child.lines:
                    plain = "dim" if child.kind == "ghost" else "green"
                    tree.add(Text(line.text, TONES["error"] if line.tone == "error" else plain))
            else:
                self._fill(tree.add(self._node(child)), child.id)

    def _node(self, node: Node, *, with_inputs: bool = True) -> Text:
        style = SIDES.get(node.side) or ("red" if node.failed else STYLES.get(node.kind, ""))
        name = self.names[node.id] if node.kind in ("op", "module") else node.name
        text = Text(name, style=f"bold {style}").append(f" {node.rest}" if node.rest else "", "not bold default")
        sources = list(dict.fromkeys(self.inputs.get(node.id, ())))
        if sources and with_inputs:
            shown = sources if len(sources) <= 4 else [*sources[:3], f"{len(sources) - 3} more"]
            text.append("  ← " + ", ".join(shown), "not bold dim")
        for line in node.lines:
            text.append(f"  {line.text}", f"not bold {TONES[line.tone]}")
        if node.id in self.ways:
            text.append(f" \u2192 {', '.join(self.ways[node.id])}", "not bold green")
        return text


def _names(graph: Graph) -> dict[str, str]:
    """Return what each node is called where another refers to it: an op by its name and the number of its first run."""
    names = {}
    for node in graph.nodes:
        number = f"#{node.ops[0]}" if node.kind in ("op", "module", "fold") and node.ops else ""
        names[node.id] = f"{node.name}{number}" or node.kind
    return names


def _box(box: Box) -> Text:
    style = SIDES.get(box.side) or BOXES[box.kind]
    if box.kind == "left":
        return Text(f"{box.name} not taken · {box.rest}" if box.rest else f"{box.name} not taken", style)
    text = Text(f"taken: {box.name}" if box.kind == "arm" else box.name, style=f"bold {style}")
    return text.append(f" {box.rest}" if box.rest else "", f"not bold {style}")
