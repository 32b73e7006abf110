"""A graph as a tree for the terminal: ops in the order they ran, each under the decision, loop or call it ran in."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

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
        self.tested = self._tested()

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

        tight: without ops that only a test on their line reads, without tests on Python values and of loops that led to
        none or went one way, without lines for arms but where two of them ran ops, and with a box of one line on that
        of its name.
        """
        title = self._title()
        without = (
            ", details of tests are left out: `--format txt` shows all" if tight else ": `--format txt` shows each"
        )
        title.append(f"\nops in a row are one line{without}", "dim")
        tree = Tree(title, guide_style="dim")
        if tight:
            self.children = {key: list(self._essential(below)) for key, below in self.children.items()}
            hidden = {self.names[node] for node in self.tested}
            self.inputs = {
                key: [name for name in names if name.removeprefix("again ") not in hidden]
                for key, names in self.inputs.items()
            }
        self._fill_short(tree, None, tight)
        return unwrapped(tree)

    def _essential(self, below: Sequence[Node | Box]) -> Iterator[Node | Box]:
        """Yield what a tight tree shows of what stands in a box."""
        ran = [child for child in below if isinstance(child, Box) and child.kind == "arm" and self._has_ops(child.id)]
        for child in below:
            if isinstance(child, Box):
                if ran == [child]:
                    yield from self._essential(self.children[child.id])
                elif child in ran or child.kind not in ("arm", "left"):
                    yield child
            elif child.kind == "decision" and not self._asks_tensor(child):
                arms = self.children.get(child.id, ())
                took = [arm for arm in arms if isinstance(arm, Box) and arm.kind == "arm"]
                if child.origin == "python" and [arm.times for arm in took] == [len(child.decisions)]:
                    yield from self._essential(arms)
                elif self._has_ops(child.id):
                    yield child
            elif child.id not in self.tested:
                yield child

    def _fill_short(self, tree: Tree, key: str | None, tight: bool) -> None:
        for child in in_rows(self.children, key):
            if isinstance(child, list):
                tree.add(row_text(child))
            elif isinstance(child, Box):
                self._add_box(tree, child, tight)
            elif child.kind not in ("ghost", "done"):
                self._fill_short(tree.add(self._node(child, with_inputs=child.kind == "decision")), child.id, tight)

    def _asks_tensor(self, test: Node) -> bool:
        return test.id in self.inputs and (test.site is None or test.site.kind not in ("for", "comp"))

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

    def _tested(self) -> set[str]:
        """Return the ops that a test computes on its own line, and nothing else reads."""
        nodes = {node.id: node for node in self.graph.nodes}
        readers: dict[str, list[Node]] = {}
        for edge in self.graph.edges:
            readers.setdefault(edge.source, []).append(nodes[edge.target])
        tested: set[str] = set()
        for node in reversed(self.graph.nodes):
            if node.kind == "op" and not node.failed and node.id in readers:
                on_line = [reader for reader in readers[node.id] if _line(reader) == _line(node)]
                if on_line == readers[node.id] and all(r.id in tested or r.kind == "decision" for r in on_line):
                    tested.add(node.id)
        return tested

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


def _line(node: Node) -> tuple[str, int] | None:
    return (node.site.file, node.site.line) if node.site is not None else None


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
