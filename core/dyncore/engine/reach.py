"""Part of a graph that a backward for some inputs alone has to walk."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from dyncore.graph.elementwise import BinaryNode, UnaryNode
from dyncore.graph.node import AccumulateGrad, Output

_rank = attrgetter("rank")


def ancestors(roots: Iterable[Any], targets: Any) -> set[Any]:
    """Return the edges on a way from `roots` to one of the nodes `targets`, both ends included; prunes by age."""
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


def lead_to(starts: list[tuple[Any, Any]], wanted: list[Any]) -> bool:
    """Return True if the walk from `starts` ends at the leaves `wanted` alone.

    It needs no pruning then, if no listener is attached.
    So it is for the parameters of a model or the one unknown of an equation.
    """
    leaves = set(wanted)
    for leaf in leaves:
        if type(leaf) is not AccumulateGrad or leaf.extra is not None or leaf.post_accumulate is not None:
            return False
    seen: set[Any] = set()
    stack = [edge for edge, _ in starts]
    while stack:
        node = stack.pop()
        while node not in seen:
            seen.add(node)
            kind = type(node)
            if kind is UnaryNode:
                node = node.e0
            elif kind is BinaryNode:
                stack.append(node.e1)
                node = node.e0
            elif kind is AccumulateGrad:
                if node not in leaves:
                    return False
            elif node.extra is not None:
                return False
            elif kind is Output:
                node = node.parent
            elif not node.quiet:
                return False
            elif node.single and node.e0 is not None:
                node = node.e0
            else:
                before = [edge for edge in node.edges() if edge is not None]
                if not before:
                    return False
                node = before.pop()
                stack += before
    return True
