"""Inputs that fit an entry: trees of plain Python values whose tensors are still NumPy arrays.

A tree is a plain value, a `Leaf`, a `Built`, or a list, tuple or dict of trees.  `Bound.map_leaves` turns it into what
the entry is called with; the engine comes in only through the function given there:

    positional, named = bound.map_leaves(lambda leaf: tensor(leaf.array, requires_grad=leaf.is_floating))
    entry(*positional, **named)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

Tree = Any


class Leaf:
    """Array of a tensor to be made, named `x`, `tree.left.value` or `xs.0`.

    A floating array has the dtype of the run already.
    """

    __slots__ = ("array", "name")

    def __init__(self, name: str, array: NDArray[Any]) -> None:
        self.name = name
        self.array = array

    @property
    def is_floating(self) -> bool:
        """True if it can require a gradient."""
        return self.array.dtype.kind in "fc"


class Built(NamedTuple):
    """An object of one of the script's own classes, to be made from trees: a dataclass or a NamedTuple."""

    make: Callable[..., Any]
    fields: dict[str, Tree]


class Bound(NamedTuple):
    """One case's inputs, fitted to the entry's parameters.

    positional, named: what it is called with.  names: what each positional tree is called.
    """

    case: str | None
    positional: tuple[Tree, ...]
    named: dict[str, Tree]
    names: tuple[str, ...]

    def items(self) -> Iterator[tuple[str, Tree]]:
        """Yield (name, tree) of every input, in the order of the parameters."""
        yield from zip(self.names, self.positional)
        yield from self.named.items()

    def leaves(self) -> Iterator[Leaf]:
        """Yield every leaf, in order."""
        for _, tree in self.items():
            yield from leaves(tree)

    def map_leaves(self, function: Callable[[Leaf], Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments of the entry, with `function(leaf)` for each leaf.

        It is called once for each, in order.
        """
        positional = [map_tree(tree, function) for tree in self.positional]
        return positional, {name: map_tree(tree, function) for name, tree in self.named.items()}


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Yield the leaves of one tree, in order."""
    pending = [tree]
    while pending:
        node = pending.pop()
        match node:
            case Leaf():
                yield node
            case Built(fields=fields):
                pending.extend(reversed(fields.values()))
            case dict():
                pending.extend(reversed(node.values()))
            case list() | tuple():
                pending.extend(reversed(node))


def map_tree(tree: Tree, function: Callable[[Leaf], Any]) -> Any:
    """Return the tree with `function(leaf)` for each leaf, and its objects built."""
    match tree:
        case Leaf():
            return function(tree)
        case Built(make=make, fields=fields):
            return make(**{name: map_tree(value, function) for name, value in fields.items()})
        case dict():
            return {name: map_tree(value, function) for name, value in tree.items()}
        case list() | tuple():
            return type(tree)(map_tree(value, function) for value in tree)
        case _:
            return tree
