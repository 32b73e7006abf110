"""Operands of a group: rows of what other groups made, put side by side, with one node for their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.errors.source import caller_line
from dyncore.graph.node import Node, Output, next_rank
from dyncore.tensors.tensor import wrap

new = object.__new__


class Value:
    """A result of one call of an op: row `row` of what the group `home` makes."""

    __slots__ = ("home", "row")
    home: Any  # groups.Group
    row: int


class RowsGrad(Node):
    """Stands before a batched result of which rows were taken: their gradients are written into one array.

    taken: for each taker the rows, an integer, a slice or an array of integers, and whether each occurs once.
    """

    __slots__ = ("e0", "shape", "taken")
    title = "SelectBackward0"
    single = quiet = outputs_known = True

    def __init__(self, edge: Any, shape: tuple[int, ...]) -> None:
        self.rank, self.extra = next_rank(), None
        self.code, self.lasti = caller_line(2)
        self.e0, self.shape = edge, shape
        self.taken: list[tuple[Any, bool]] = []

    @property
    def outputs(self) -> int:
        return len(self.taken)

    def edges(self) -> tuple[Any, ...]:
        return (self.e0,)

    def run(self, grad: Any, keep: bool) -> Any:
        pieces = grad.grads
        first = next(iter(pieces.values()))
        result = np.zeros(self.shape, first.dtype)
        for number, piece in pieces.items():
            rows, once = self.taken[number]
            if once:
                result[rows] += piece
            else:
                np.add.at(result, rows, piece)
        return result

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        result: Any = None
        for number, piece in grad.grads.items():
            rows, _ = self.taken[number]
            if isinstance(rows, int):
                rows, piece = [rows], piece.unsqueeze(0)
            index = wrap(np.arange(self.shape[0])[rows], None)
            whole = wrap(np.zeros(self.shape, piece._array.dtype), None) if result is None else result
            result = TABLE["index_add"].entry(whole, 0, index, piece)
        return result


class RowsTaken(Node):
    """Rows of one or more batched results as one array.  parts: where each part's gradient goes, and what it is."""

    __slots__ = ("parts",)
    title = "IndexSelectBackward0"
    quiet = outputs_known = True

    def __init__(self, parts: list[tuple[Any, Any]]) -> None:
        self.rank, self.extra = next_rank(), None
        self.code, self.lasti = caller_line(2)
        self.parts = parts

    def edges(self) -> tuple[Any, ...]:
        return tuple([edge for edge, _ in self.parts])

    def run(self, grad: Any, keep: bool) -> Any:
        return [(edge, grad if at is None else grad[at]) for edge, at in self.parts if edge is not None]

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        return [
            (edge, grad if at is None else TABLE["__getitem__"].entry(grad, _index(at)))
            for edge, at in self.parts
            if edge is not None
        ]


def _index(at: Any) -> Any:
    return wrap(at, None) if isinstance(at, np.ndarray) else at


def taking(home: Any, rows: Any, once: bool) -> Any:
    """Return the edge that a taker's gradient for these rows of a group goes to, None if none is wanted."""
    edge = home.tensor._edge
    if edge is None:
        return None
    node = home.node
    if node is None:
        node = home.node = RowsGrad(edge, home.tensor._array.shape)
    node.taken.append((rows, once))
    return Output(node, len(node.taken) - 1)


def row_of(home: Any, row: int) -> tuple[Any, Any]:
    """Return the array of one row, which is its own memory, and its edge."""
    array = home.tensor._array[row]
    if array.ndim:
        array = array.copy()
    edge = taking(home, row, True)
    return array, None if edge is None else RowsTaken([(edge, None)])


def stacked(column: list[Value]) -> Any:
    """Return the rows of a column as one tensor: what a group made itself, where it is all of it in its order."""
    home = column[0].home
    if home.members == column:
        return home.tensor
    homes = [value.home for value in column]
    if homes.count(home) == len(homes):
        rows, once = _compact([value.row for value in column])
        edge = taking(home, rows, once)
        return wrap(home.tensor._array[rows], None if edge is None else RowsTaken([(edge, None)]))
    places: dict[Any, list[int]] = {}
    for place, each in enumerate(homes):
        places.setdefault(each, []).append(place)
    result = np.empty((len(column), *home.shape), home.dtype)
    parts = []
    for each, at in places.items():
        rows, once = _compact([column[place].row for place in at])
        where, _ = _compact(at)
        parts.append((taking(each, rows, once), where))
        result[where] = each.tensor._array[rows]
    return wrap(result, RowsTaken(parts) if any(edge is not None for edge, _ in parts) else None)


def _compact(rows: list[int]) -> tuple[Any, bool]:
    """Return row numbers as a slice if they follow one another, else as an array; and whether each occurs once."""
    first, count = rows[0], len(rows)
    if rows[-1] - first + 1 == count and rows == list(range(first, first + count)):
        return slice(first, first + count), True
    return np.array(rows), len(set(rows)) == count
