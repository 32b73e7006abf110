"""Running backwards, and those that freed the saved values of their graph."""

from __future__ import annotations

from collections import deque
from contextvars import ContextVar
from typing import Any
from weakref import ref

from dyncore.errors.source import Place, place

from .node import AccumulateGrad

# The `engine.task.Task` that runs in this context.
running: ContextVar[Any] = ContextVar("dyncore_backward", default=None)
_freed: deque[tuple[int, tuple[Any, ...], tuple[Any, int]]] = deque(maxlen=32)


def note_freed(task: Any) -> None:
    """Remember the line of a backward that freed what its graph had saved, for the error of a second one.

    The root itself is often gone by then, as in `loss.sum().backward()`, so it is known by its rank, and what lies
    behind it by the nodes before it; a leaf is never freed.
    """
    for edge, _ in task.starts:
        before: Any = (edge.e0,) if edge.single else edge.edges()
        refs: tuple[Any, ...] = ()
        for each in before:
            if each is not None and each.__class__ is not AccumulateGrad:
                refs += (ref(each),)
        _freed.append((edge.node.rank, refs, task.line))


def freed_at(node: Any) -> Place | None:
    """Return the line of the last backward that went through `node`, if it was among the recent ones."""
    own = getattr(node, "freed", None)
    if own is not None:
        return place(*own)
    for rank, refs, line in reversed(_freed):
        if rank == node.rank or _leads([each() for each in refs], node):
            return place(*line)
    return None


def _leads(edges: list[Any], node: Any) -> bool:
    """Return True if `node` lies behind `edges`; False when the graph is too large."""
    seen: set[Any] = set()
    while edges and len(seen) < 100_000:
        edge = edges.pop()
        if edge is node:
            return True
        if edge is not None and edge not in seen and edge.rank < node.rank:
            seen.add(edge)
            edges.extend(edge.edges())
    return False
