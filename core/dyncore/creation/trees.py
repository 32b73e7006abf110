"""Nested tuples, lists and dicts as a flat list of leaves and a shape to build them again."""

from __future__ import annotations

from typing import Any

LEAF = object()


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """Return the leaves of `tree` in order, and its shape."""
    leaves: list[Any] = []
    return leaves, _shape(tree, leaves)


def _shape(tree: Any, leaves: list[Any]) -> Any:
    if isinstance(tree, dict):
        return (type(tree), list(tree), [_shape(value, leaves) for value in tree.values()])
    if isinstance(tree, (tuple, list)):
        return (type(tree), None, [_shape(value, leaves) for value in tree])
    leaves.append(tree)
    return LEAF


def unflatten(shape: Any, leaves: list[Any]) -> Any:
    """Return the tree of `shape` with `leaves`."""
    given = iter(leaves)
    return _built(shape, given)


def _built(shape: Any, leaves: Any) -> Any:
    if shape is LEAF:
        return next(leaves)
    kind, keys, parts = shape
    values = [_built(part, leaves) for part in parts]
    if keys is not None:
        return kind(zip(keys, values, strict=True)) if kind is not dict else dict(zip(keys, values, strict=True))
    return kind(*values) if hasattr(kind, "_make") else kind(values)


def spec(shape: Any, indent: int = 0) -> str:
    """Return a shape as PyTorch writes its `TreeSpec`."""
    if shape is LEAF:
        return "*"
    kind, keys, parts = shape
    indent += 2
    inner = [spec(part, indent) for part in parts]
    return f"TreeSpec({kind.__name__}, {keys}, [{(',' + chr(10) + ' ' * indent).join(inner)}])"


class _Star:
    def __repr__(self) -> str:
        return "*"


def starred(shape: Any) -> str:
    """Return a shape as Python would write it with stars for leaves."""
    return repr(unflatten(shape, [_Star()] * _count(shape)))


def _count(shape: Any) -> int:
    return 1 if shape is LEAF else sum(_count(part) for part in shape[2])
