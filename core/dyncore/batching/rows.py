"""Operands of a group: rows of what other groups made, put side by side, with one node for their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.errors.source import caller_line
from dyncore.graph.node import Node, Output, next_rank
from dyncore.ops.indexing import add_at
from dyncore.tensors.tensor import wrap


class Whole:
    """The result of groups that ran together: a tensor with a row for each of `count` calls.

    errors: what computing a row raised.  numbers: the rows as Python numbers, once asked for.
    node: where the gradients of rows meet, a `RowsGrad`.
    """

    __slots__ = ("tensor", "count", "errors", "numbers", "node")

    def __init__(self, tensor: Any, count: int, errors: dict[int, Exception]) -> None:
        self.tensor, self.count, self.errors = tensor, count, errors
        self.numbers: Any = None
        self.node: Any = None


class Table(Whole):
    """A tensor that all examples share, of which they take rows."""

    __slots__ = ()


class RowsGrad(Node):
    """Stands before a batched result of which rows were taken: their gradients are written into one array.

    taken: for each taker the rows, an integer, a slice or an array of integers, and whether each occurs once.
    """

    __slots__ = ("e0", "shape", "taken")
    title = "SelectBackward0"
    single = quiet = outputs_known = True

    def __init__(self, whole: Whole) -> None:
        self.rank, self.extra = next_rank(), None
        self.e0, self.shape = whole.tensor._edge, whole.tensor._array.shape
        if whole.__class__ is Table:
            self.code, self.lasti = caller_line(2)
        else:  # the line of `batched` that computed the whole
            self.code, self.lasti = self.e0.node.code, self.e0.node.lasti
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
                add_at(result, (rows,), piece)
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

    __slots__ = ("parts", "row")
    title = "IndexSelectBackward0"
    quiet = outputs_known = True

    def __init__(self, parts: list[tuple[Any, Any]]) -> None:
        self.rank, self.extra, self.row = next_rank(), None, None
        source = next(edge.node for edge, _ in parts if edge is not None)
        self.code, self.lasti = source.code, source.lasti
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


def taking(whole: Whole, at: Any, rows: list[int]) -> Any:
    """Return the edge that a taker's gradient for these rows goes to, None if none is wanted.

    at: the rows as an integer, a slice or an array.
    """
    if whole.tensor._edge is None:
        return None
    node = whole.node
    if node is None:
        node = whole.node = RowsGrad(whole)
    once = not isinstance(at, np.ndarray) or len(set(rows)) == len(rows)
    node.taken.append((at, once))
    return Output(node, len(node.taken) - 1)


def row_of(whole: Whole, row: int) -> tuple[Any, Any]:
    """Return the array of one row, which is its own memory, and its edge."""
    array = whole.tensor._array[row]
    if array.ndim:
        array = array.copy()
    edge = taking(whole, row, [row])
    return array, None if edge is None else RowsTaken([(edge, None)])


def stacked(parts: list[Any], number: int) -> Any:
    """Return column `number` of the calls of a group as one tensor: what a group made, where it is that in its order.

    parts: those of the group (`groups.Part`), or of several that run together.
    """
    if not parts[0].homes:
        return [operand for part in parts for operand in part.columns[number]]
    found: dict[Whole, tuple[list[int], list[int]]] = {}
    for part in parts:
        home, shift = part.homes[number], part.group.offset
        rows, places = found.setdefault(home.whole, ([], []))
        rows += home.rows(part.columns[number])
        places += [place + shift for place in part.places] if shift else part.places
    if len(found) > 1:
        return _gathered(found)
    whole, (rows, places) = found.popitem()
    if len(parts) > 1:
        given, rows = rows, rows.copy()
        for place, row in zip(places, given, strict=True):
            rows[place] = row
    if len(rows) == whole.count and rows == list(range(whole.count)) and whole.__class__ is not Table:
        return whole.tensor
    return taken(whole, rows)


def taken(whole: Whole, rows: list[int]) -> Any:
    """Return rows as one tensor; those of a table, which may be written to later, as a copy."""
    at = _compact(rows)
    edge, array = taking(whole, at, rows), whole.tensor._array[at]
    if whole.__class__ is Table and at.__class__ is slice:
        array = array.copy()
    return wrap(array, None if edge is None else RowsTaken([(edge, None)]))


def _gathered(found: dict[Whole, tuple[list[int], list[int]]]) -> Any:
    """Return rows of several wholes as one tensor.  found: the rows of each, and their places in the result."""
    count = sum([len(rows) for rows, _ in found.values()])
    first = next(iter(found)).tensor._array
    result = np.empty((count, *first.shape[1:]), first.dtype)
    parts = []
    for whole, (rows, places) in found.items():
        at, where = _compact(rows), _compact(places)
        parts.append((taking(whole, at, rows), where))
        result[where] = whole.tensor._array[at]
    return wrap(result, RowsTaken(parts) if any(edge is not None for edge, _ in parts) else None)


def _compact(rows: list[int]) -> Any:
    """Return row numbers as a slice if they follow one another, else as an array."""
    first, count = rows[0], len(rows)
    if rows[-1] - first + 1 == count and rows == list(range(first, first + count)):
        return slice(first, first + count)
    return np.array(rows)
