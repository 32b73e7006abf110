"""Layered layout (Sugiyama) of nested boxes, as in the page's layout.js, for graphs that `dot` takes too long for.

Each box is laid out on its own, then stands as one item in the box around it.  An edge longer than one layer is led
through a bend in each layer it passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

GAP, NARROW, LAYER = 26.0, 8.0, 40.0
SWEEPS = 6
#: An edge past so many layers is drawn straight: 2,000 inputs of a long loop would need ten million bends.
LONGEST = 40

Point = tuple[float, float]


@dataclass(slots=True, eq=False)
class Cell:
    """An item, or (item None) a bend of an edge.  span: the height of its layer, for a bend to be led through."""

    item: str | None
    width: float
    height: float
    order: float = 0.0
    x: float = 0.0
    y: float = 0.0
    span: float = 0.0
    place: int = 0
    weight: float = 0.0
    up: list[Cell] = field(default_factory=list)
    down: list[Cell] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Layout:
    """The size of one box's inside, and the bends of each edge by its ends, `in` or `out` and its key."""

    width: float = 0.0
    height: float = 0.0
    bends: dict[tuple[object, ...], list[Cell]] = field(default_factory=dict)


def lay_out(
    cells: Sequence[Cell],
    edges: Iterable[tuple[str, str]],
    entries: Iterable[tuple[int, str]] = (),
    exits: Iterable[tuple[int, str]] = (),
) -> Layout:
    """Give each cell its place; entries and exits are (key, item) of edges that cross the border above or below."""
    by_item = {cell.item: cell for cell in cells}
    forward = [(a, b) for a, b in dict.fromkeys(edges) if a != b and by_item[a].order < by_item[b].order]
    rank = _ranks(cells, forward)
    last = max(rank.values(), default=0)
    layers: list[list[Cell]] = [[] for _ in range(last + 1)]
    for cell in cells:
        layers[rank[cell.item]].append(cell)
    layout = Layout()
    for a, b in forward:
        path = _bends(layers, rank[a] + 1, rank[b])
        _join([by_item[a], *path, by_item[b]])
        layout.bends[a, b] = path
    for key, item in entries:
        path = _bends(layers, 0, rank[item])
        _join([*path, by_item[item]])
        layout.bends["in", key] = path
    for key, item in exits:
        path = _bends(layers, rank[item] + 1, last + 1)
        _join([by_item[item], *path])
        layout.bends["out", key] = path
    _reduce_crossings(layers)
    _assign_x(layers)
    _assign_y(layers, layout)
    return layout


def _bends(layers: list[list[Cell]], start: int, stop: int) -> list[Cell]:
    """Add a bend to each layer that an edge passes, none to an edge that passes very many."""
    if stop - start > LONGEST:
        return []
    path = [Cell(None, 10.0, 0.0) for _ in range(start, stop)]
    for place, cell in enumerate(path, start):
        layers[place].append(cell)
    return path


def _join(path: Sequence[Cell]) -> None:
    for above, below in pairwise(path):
        above.down.append(below)
        below.up.append(above)


def _ranks(cells: Sequence[Cell], edges: Sequence[tuple[str, str]]) -> dict[str | None, int]:
    """Return each item's rank: below all that lead to it; what nothing leads to, just above what it leads to."""
    into: dict[str | None, list[str]] = {cell.item: [] for cell in cells}
    out: dict[str | None, list[str]] = {cell.item: [] for cell in cells}
    for a, b in edges:
        into[b].append(a)
        out[a].append(b)
    rank: dict[str | None, int] = {}
    in_order = sorted(cells, key=lambda cell: cell.order)
    for cell in in_order:
        rank[cell.item] = max((rank[a] + 1 for a in into[cell.item]), default=0)
    for cell in reversed(in_order):
        if not into[cell.item] and out[cell.item]:
            rank[cell.item] = max(0, min(rank[b] for b in out[cell.item]) - 1)
    return rank


def _reduce_crossings(layers: list[list[Cell]]) -> None:
    """Order each layer by the mean place of its neighbours (barycenter), downwards and upwards in turn."""
    for layer in layers:
        for place, cell in enumerate(layer):
            cell.place = place
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        for layer in layers if downwards else reversed(layers):
            if len(layer) < 2:
                continue
            for cell in layer:
                near = cell.up if downwards else cell.down
                cell.weight = sum(other.place for other in near) / len(near) if near else cell.place
            layer.sort(key=lambda cell: (cell.weight, cell.place))
            for place, cell in enumerate(layer):
                cell.place = place


def _assign_x(layers: list[list[Cell]]) -> None:
    """Move each cell towards the middle of its neighbours, as far as those beside it let it."""
    for layer in layers:
        x = 0.0
        for cell in layer:
            cell.x = x
            x += cell.width + (GAP if cell.item is not None else NARROW)
    for sweep in range(2 * SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            _move_towards_neighbours(layer)


def _move_towards_neighbours(layer: list[Cell]) -> None:
    """Move the cells of a layer towards their neighbours: the mean of packing from the left and from the right."""
    wanted = [_mean_of_neighbours(cell) for cell in layer]
    if len(layer) == 1:
        layer[0].x = wanted[0]
        return
    from_left, from_right = wanted[:], wanted[:]
    for place in range(1, len(layer)):
        room = from_left[place - 1] + layer[place - 1].width + _gap(layer[place - 1], layer[place])
        from_left[place] = max(from_left[place], room)
    for place in range(len(layer) - 2, -1, -1):
        room = from_right[place + 1] - layer[place].width - _gap(layer[place], layer[place + 1])
        from_right[place] = min(from_right[place], room)
    for cell, left, right in zip(layer, from_left, from_right):
        cell.x = (left + right) / 2


def _gap(left: Cell, right: Cell) -> float:
    """Return how far two cells of a layer stand apart: items further than bends."""
    return GAP if left.item is not None and right.item is not None else NARROW


def _mean_of_neighbours(cell: Cell) -> float:
    """Return the x at which a cell stands centred among its neighbours."""
    near = len(cell.up) + len(cell.down)
    if not near:
        return cell.x
    middle = sum(other.x + other.width / 2 for other in cell.up) + sum(other.x + other.width / 2 for other in cell.down)
    return middle / near - cell.width / 2


def _assign_y(layers: list[list[Cell]], layout: Layout) -> None:
    """Place the layers below each other, and move all so that the leftmost cell is at 0."""
    everything = [cell for layer in layers for cell in layer]
    if not everything:
        return
    left = min(cell.x for cell in everything)
    y = 0.0
    for layer in layers:
        height = max((cell.height for cell in layer), default=0.0)
        for cell in layer:
            cell.x -= left
            cell.y = y + (height - cell.height) / 2 if cell.item is not None else y
            cell.span = height
        y += height + LAYER
    layout.width = max(cell.x + cell.width for cell in everything)
    layout.height = y - LAYER
