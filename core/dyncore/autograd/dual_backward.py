"""Forward mode through a backward: tangents of saved values reach the gradients."""

from __future__ import annotations

from typing import Any

from dyncore.graph.modes import current
from dyncore.graph.node import extra
from dyncore.tensors.tensor import Tensor, wrap

from .forward_ad import _duals, give, tangent_of

__dyncore__ = True


def attach_tangents(outs: list[Tensor], products: list[Any], sources: list[Tensor], tangents: list[Any]) -> None:
    """Attach to the new nodes the tangents of the values they saved."""
    by_array = {id(each._array): tangent for each, tangent in zip(sources, tangents, strict=True)}
    by_array.update(
        (id(out._array), product) for out, product in zip(outs, products, strict=True) if product is not None
    )
    ends = {each._edge for each in sources}
    stack = [out._edge for out in outs]
    seen: set[Any] = set()
    while stack:
        edge = stack.pop()
        if edge is None or edge in ends or edge in seen:
            continue
        seen.add(edge)
        stack.extend(edge.edges())
        saved = {
            (name, number): by_array[id(array)]
            for name, value in edge.node.saved().items()
            for number, array in (enumerate(value) if isinstance(value, list) else ((None, value),))
            if id(array) in by_array
        }
        if saved:
            extra(edge.node).tangents = _duals[-1], saved


def on_duals(start: list[tuple[Any, Any]], create: bool) -> list[tuple[Any, Any]]:
    """Return the initial (edge, gradient) pairs as Tensors with their tangents.

    create: keep the history of the gradients.
    """
    pairs = []
    for edge, grad in start:
        if not isinstance(grad, Tensor):
            grad = wrap(grad, None)
        elif grad._edge is not None and not create:
            bare = wrap(grad._array, None)
            if tangent_of(grad) is not None:
                give(bare, tangent_of(grad))
            grad = bare
        pairs.append((edge, grad))
    return pairs


def with_tangents(node: Any, name: str, tensors: Any) -> Any:
    """Return the unpacked `tensors` with the tangents of this level.

    name: the attribute of `node` that they were saved as.
    """
    level, saved = node.extra.tangents
    if current().forward_level >= 0 and _duals and level is _duals[-1]:
        for number, each in enumerate(tensors) if isinstance(tensors, list) else ((None, tensors),):
            tangent = saved.get((name, number))
            if tangent is not None:
                give(each, tangent)
    return tensors
