"""Gradients of weights as pairs of vectors, as they wait in a plan, and what multiplies them out."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.outer import Outer, blocks

from ..program import Slot


class Pairs:
    """A gradient kept as outer products: the slots of the left and of the right vectors."""

    def __init__(self, lefts: list[Slot], rights: list[Slot]) -> None:
        self.lefts = lefts
        self.rights = rights


def both(pairs: Pairs) -> list[Slot]:
    return [*pairs.lefts, *pairs.rights]


def pair_shape(pairs: Pairs) -> tuple[int, ...]:
    return pairs.lefts[0].shape[-1], pairs.rights[0].shape[-1]


def pair(left: Any, right: Any) -> Outer:
    """One pair of vectors in memory of its own."""
    return Outer(left.copy(), right.copy())


def outer(lefts: list[Any], rights: list[Any]) -> Outer:
    """The pairs in memory of their own."""
    if len(lefts) == 1:
        return Outer(lefts[0].copy(), rights[0].copy())
    rows = sum(len(each) if each.ndim > 1 else 1 for each in lefts)
    return Outer(blocks(lefts, rows), blocks(rights, rows))


def whole(lefts: list[Any], rights: list[Any]) -> Any:
    """The matrix that the pairs stand for."""
    if len(lefts) == 1:
        return Outer(lefts[0], rights[0]).dense()
    return outer(lefts, rights).dense()


def rows_and(left: Any, rights: list[Any], rows: int) -> Any:
    """The same for left sides that are rows already."""
    return Outer(left, blocks(rights, rows)).dense()


def product(lefts: list[Any], rights: list[Any]) -> Any:
    return outer(lefts, rights).dense()
