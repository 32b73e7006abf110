"""Positions in paths that are merged side by side, and what marks of the paths say."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dyncli.export.onnx_graph import Graph
from dyncli.export.runs import Run


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument of an op: its name in the graph, and the value of the first path.  shapes: those in all paths."""

    name: str
    value: Any
    shapes: frozenset[tuple[int, ...]] = frozenset()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape in the first path."""
        return self.value.shape

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.value.shape)

    @property
    def dtype(self) -> Any:
        """The dtype, as NumPy's."""
        return numpy_of(self.value)


def numpy_of(value: Any) -> Any:
    """Return the dtype of a value, as NumPy's."""
    return np.dtype(str(value.dtype).rpartition(".")[2])


@dataclass(slots=True)
class Cursor:
    """A path, how far it is, and the names of its values in the graph.  captured: names of what must hold, too."""

    run: Run
    nodes: tuple[Any, ...]
    pos: int
    env: dict[int, str]
    captured: tuple[str, ...] = ()
    end: Any = None
    leaves_loop: bool = False
    start: Any = None

    @property
    def head(self) -> Any:
        """The next node."""
        return self.nodes[self.pos] if self.pos < len(self.nodes) else None


class Target(NamedTuple):
    """The end of a run of nodes.  types: of its results.  end, unseen: make them; unseen, on a path never seen."""

    types: list[int]
    end: Callable[[Graph, list[Cursor]], list[str]]
    unseen: Callable[[Graph, str], list[str]]


@dataclass(slots=True)
class Summary:
    """A finished graph.  arms: (line, outcome) -> whether it was seen."""

    branches: int = 0
    loops: int = 0
    arms: dict[tuple[str, str], bool] = field(default_factory=dict)


def operands_in(tree: Any) -> list[Operand]:
    """Return the operands in a tree of arguments."""
    if isinstance(tree, Operand):
        return [tree]
    if isinstance(tree, dict):
        return [each for part in tree.values() for each in operands_in(part)]
    if isinstance(tree, (tuple, list)):
        return [each for part in tree for each in operands_in(part)]
    if isinstance(tree, slice):
        return operands_in([tree.start, tree.stop, tree.step])
    return []


def renamed(tree: Any, names: dict[str, str]) -> Any:
    """Return a tree of arguments whose operands have other names."""
    if isinstance(tree, Operand):
        return Operand(names.get(tree.name, tree.name), tree.value, tree.shapes)
    if isinstance(tree, dict):
        return {key: renamed(each, names) for key, each in tree.items()}
    if type(tree) in (tuple, list):
        return type(tree)(renamed(each, names) for each in tree)
    if isinstance(tree, slice):
        return slice(*(renamed(each, names) for each in (tree.start, tree.stop, tree.step)))
    return tree


def pass_marks(cursor: Cursor) -> None:
    """Step over marks that end nothing here."""
    while type(cursor.head).__name__ == "Mark" and cursor.head.kind in ("end", "iteration", "exit"):
        pass_mark(cursor)


def pass_mark(cursor: Cursor) -> None:
    """Step over a mark: a value is the one before."""
    for old, new in cursor.head.leaves.values():
        name = cursor.env.get(unchanged(cursor, old, cursor.env))
        if name is not None:
            cursor.env[new.number] = name
    cursor.pos += 1


def find(cursor: Cursor, head: Any, *kinds: str) -> int | None:
    """Return where the next mark of a region stands that is of one of these kinds; the cursor is at one."""
    for place in range(cursor.pos + 1, len(cursor.nodes)):
        node = cursor.nodes[place]
        if type(node).__name__ == "Mark" and node.instance == head.instance and node.kind in kinds:
            return place
    return None


def agree(marks: list[Any]) -> bool:
    """Return whether Python knows the same at all these marks."""
    return marks[0].state is not None and all(each.state == marks[0].state for each in marks)


def common(cursors: list[Cursor]) -> dict[str, str | None]:
    """Return the name in the graph that each variable at the end of a region had before it, None if it had none.

    A variable that changes at a mark inside has none: a loop there may leave it alone for other inputs.
    """
    found: dict[str, set[str | None]] = {name: set() for name in cursors[0].end.leaves}
    for cursor in cursors:
        marks = [node.leaves for node in cursor.nodes[cursor.pos :] if type(node).__name__ == "Mark"]
        for name, names in found.items():
            values = [each[name][0] for each in (*marks, cursor.end.leaves) if name in each]
            numbers = {unchanged(cursor, value, cursor.env) for value in values}
            names.add(cursor.env.get(numbers.pop()) if len(numbers) == 1 else None)
    return {name: names.pop() if len(names) == 1 else None for name, names in found.items()}


def unchanged(cursor: Cursor, value: Any, known: Container[int]) -> int:
    """Return which of the known values a value is, under one name at all marks in between; else one not known."""
    number: int = value.number
    while number not in known and number in cursor.run.path.earlier:
        number = cursor.run.path.earlier[number]
    return number


def define(cursor: Cursor, mark: Any, names: dict[str, Any]) -> None:
    """Let the values that begin at a mark have these names, by leaf."""
    for leaf, name in names.items():
        if leaf in mark.leaves and name is not None:
            cursor.env[mark.leaves[leaf][1].number] = name
