"""Which part of a graph a backward for some inputs alone has to walk."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any

_rank = attrgetter("rank")


def ancestors(roots: Iterable[Any], targets: Any) -> set[Any]:
    """The edges on a way from `roots` to one of the nodes `targets`, both ends included; prunes by age."""
    oldest = max([node.rank for node in targets], default=0)
    found: dict[Any, Any] = {}
    stack = [root for root in roots if root is not None and root.rank <= oldest]
    while stack:
        edge = stack.pop()
        if edge not in found:
            found[edge] = before = edge.edges()
            for each in before:
                if each is not None and each.rank <= oldest:
                    stack.append(each)
    needed: set[Any] = set()
    for edge in sorted(found, key=_rank, reverse=True):  # the oldest first, so that what it leads to is known
        if edge in targets:
            needed.add(edge)
        else:
            for each in found[edge]:
                if each in needed:
                    needed.add(edge)
                    break
    return needed
