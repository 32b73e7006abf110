"""Gradients of some of a node's outputs, while they wait for the others."""

from __future__ import annotations

from typing import Any


class Partial:
    """Gradients of some outputs of a node, by number, until the node runs."""

    __slots__ = ("grads",)
    __array_ufunc__ = None  # an array plus this is `__radd__`

    def __init__(self, grads: dict[int, Any]) -> None:
        self.grads = grads

    def __radd__(self, other: Any) -> Any:
        return other

    def __add__(self, other: Any) -> Any:
        if other.__class__ is not Partial:
            return other
        # In place: each comes fresh from an `Output` and waits nowhere else, and copies would be quadratic in a loop
        # over the rows of a tensor.
        merged = self.grads
        for number, grad in other.grads.items():
            merged[number] = merged[number] + grad if number in merged else grad
        return self
