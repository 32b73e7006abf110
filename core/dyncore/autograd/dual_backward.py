"""Forward mode through a backward: what nodes saved has tangents too, so gradients get theirs."""

from __future__ import annotations

from typing import Any

from dyncore.graph.modes import current
from dyncore.graph.node import extra
from dyncore.tensors.tensor import Tensor, wrap

from .forward_ad import _duals, give, tangent_of

__dyncore__ = True


def note_saved(outs: list[Tensor], products: list[Any], sources: list[Tensor], tangents: list[Any]) -> None:
    """Lets the nodes just made know the tangents of what they saved, so that a backward carries tangents on."""
    known = {id(each._array): tangent for each, tangent in zip(sources, tangents, strict=True)}
    known.update((id(out._array), product) for out, product in zip(outs, products, strict=True) if product is not None)
    ends = {each._edge for each in sources}
    stack = [out._edge for out in outs]
    seen: set[Any] = set()
    while stack:
        edge = stack.pop()
        if edge is None or edge in ends or edge in seen:
            continue
        seen.add(edge)
        stack.extend(edge.edges())
        found = {
            (name, number): known[id(array)]
            for name, value in edge.node.saved().items()
            for number, array in (enumerate(value) if isinstance(value, list) else ((None, value),))
            if id(array) in known
        }
        if found:
            extra(edge.node).tangents = _duals[-1], found


def on_duals(start: list[tuple[Any, Any]], create: bool) -> list[tuple[Any, Any]]:
    """The (edge, gradient) pairs a backward starts from, as Tensors with their tangents, with history if `create`."""
    made = []
    for edge, grad in start:
        if not isinstance(grad, Tensor):
            grad = wrap(grad, None)
        elif grad._edge is not None and not create:
            bare = wrap(grad._array, None)
            if tangent_of(grad) is not None:
                give(bare, tangent_of(grad))
            grad = bare
        made.append((edge, grad))
    return made


def with_tangents(node: Any, name: str, made: Any) -> Any:
    """The tensors `made` of what `node` saved as `name`, carrying the tangents they had in this level."""
    level, found = node.extra.tangents
    if current().forward_level >= 0 and _duals and level is _duals[-1]:
        for number, each in enumerate(made) if isinstance(made, list) else ((None, made),):
            tangent = found.get((name, number))
            if tangent is not None:
                give(each, tangent)
    return made
