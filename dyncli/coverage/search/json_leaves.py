"""Inputs as plain JSON values: their leaves, and copies with something changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

Path = tuple[str | int, ...]
MOST_LEAVES = 10_000
LARGEST = 1e30


def leaves(value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield (path, leaf) of every number, string, bool or None in nested lists and objects."""
    waiting: list[tuple[Path, Any]] = [((), value)]
    count = 0
    while waiting and count < MOST_LEAVES:
        here, item = waiting.pop()
        if isinstance(item, dict):
            waiting += [((*here, key), inner) for key, inner in reversed(item.items())]
        elif isinstance(item, list):
            waiting += [((*here, place), item[place]) for place in range(len(item) - 1, -1, -1)]
        else:
            count += 1
            yield here, item


def lists(value: Any) -> Iterator[tuple[Path, list[Any]]]:
    """Yield (path, list) of every list that is in no other list, and of the lists in those."""
    waiting: list[tuple[Path, Any, int]] = [((), value, 0)]
    while waiting:
        here, item, depth = waiting.pop()
        if isinstance(item, dict):
            waiting += [((*here, key), inner, depth) for key, inner in reversed(item.items())]
        elif isinstance(item, list):
            yield here, item
            if depth < 1:
                waiting += [((*here, n), inner, depth + 1) for n, inner in enumerate(item[:20])]


def at(value: Any, path: Path) -> Any:
    """Return what stands at `path`; raises LookupError or TypeError where nothing does."""
    for step in path:
        value = value[step]
    return value


def replaced(value: Any, path: Path, inner: Any) -> Any:
    """Return a copy of `value` with `inner` at `path`; what is not on the way is shared."""
    if not path:
        return inner
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], inner)
    return copy


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy of nested lists and objects with every leaf changed."""
    if isinstance(value, list):
        return [mapped(inner, change) for inner in value]
    if isinstance(value, dict):
        return {name: mapped(inner, change) for name, inner in value.items()}
    return change(value)


def neat(value: Any) -> Any:
    """Return numbers as short as they can be written without changing what a float32 makes of them, nearly.

    >>> neat([0.30000001192092896, 5.000000015258789])
    [0.3, 5.0]
    """
    return mapped(value, lambda leaf: float(f"{leaf:.7g}") if type(leaf) is float and math.isfinite(leaf) else leaf)


def is_number(leaf: Any) -> bool:
    """Return whether a leaf is a number that can be moved."""
    return isinstance(leaf, (int, float)) and not isinstance(leaf, bool) and (type(leaf) is int or math.isfinite(leaf))


def moved(leaf: int | float, by: float) -> int | float:
    """Return a number moved; an integer stays one, and nothing grows past what a float32 holds."""
    if type(leaf) is int:
        return max(-(1 << 62), min(1 << 62, leaf + (math.floor(by + 0.5) if abs(by) < LARGEST else 0)))
    return float(f"{max(-LARGEST, min(LARGEST, leaf + by)):.7g}")
