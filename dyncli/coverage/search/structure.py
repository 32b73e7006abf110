"""Changes of the form of an input: lists longer, shorter and nested otherwise, switches turned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from dyncli.coverage.search.json_leaves import MOST_LEAVES, Path, at, leaves, replaced

MOST_DEPTH = 4  # of the lists that are made longer and shorter
MOST_SWITCHES = 20

Change = Callable[[Any], Any]


def changes(value: dict[str, Any]) -> Iterator[Change]:
    """Yield changes to try on an input; they return None where they do not fit or it would grow too large."""
    for name, inner in value.items():
        if isinstance(inner, (list, int, float)) and not isinstance(inner, bool):
            yield partial(_changed, path=(name,), change=lambda item: [item])
            yield partial(_changed, path=(name,), change=_first)
            yield partial(_changed, path=(name,), change=lambda item: [])
        for depth in range(_depth(inner)):
            for resized in (_doubled, _halved, _longer, _shorter):
                yield partial(_changed, path=(name,), change=partial(_at_depth, depth=depth, change=resized))
    switches = (path for path, leaf in leaves(value) if isinstance(leaf, bool))
    for path in islice(switches, MOST_SWITCHES):
        yield partial(_changed, path=path, change=lambda leaf: not leaf)


def _changed(value: Any, path: Path, change: Change) -> Any:
    before = at(value, path)
    now = change(before)
    if now is None or now == before or sum(1 for _ in leaves(now)) >= MOST_LEAVES:
        return None
    return replaced(value, path, now)


def _depth(item: Any) -> int:
    """Return how many lists are nested, along their first items."""
    count = 0
    while isinstance(item, list) and count < MOST_DEPTH:
        count += 1
        item = item[0] if item else None
    return count


def _at_depth(item: Any, depth: int, change: Change) -> Any:
    """Change all lists that lie so many lists deep."""
    if not isinstance(item, list):
        return item
    return [_at_depth(inner, depth - 1, change) for inner in item] if depth else change(item)


def _first(item: Any) -> Any:
    return item[0] if isinstance(item, list) and item else None


def _doubled(items: list[Any]) -> list[Any]:
    return items * 2


def _halved(items: list[Any]) -> list[Any]:
    return items[: len(items) // 2]


def _longer(items: list[Any]) -> list[Any]:
    return items + items[-1:]


def _shorter(items: list[Any]) -> list[Any]:
    return items[:-1]
