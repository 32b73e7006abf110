"""Forward mode through a custom function: its `jvp`, and what the tangents it returns must be."""

from __future__ import annotations

from typing import Any

from ..grad_mode import _mode, changed, current
from ..tensor import Tensor
from ..versions import owner
from .forward_ad import _check_size, give, tangent_of

__dyncore__ = True


def custom_tangents(cls: Any, node: Any, args: tuple[Any, ...], result: Any, dirty: set[int]) -> None:
    """Runs a custom function's `jvp` where an argument has a tangent.  dirty: ids of the inputs it wrote in place."""
    tangents = tuple(tangent_of(each) for each in args)
    if all(each is None for each in tangents):
        return
    if node._materialize:
        tangents = tuple(
            each.new_zeros(each._array.shape)
            if t is None and isinstance(each, Tensor) and each._array.dtype.kind in "fc"
            else t
            for t, each in zip(tangents, args, strict=True)
        )
    outs = (result,) if isinstance(result, Tensor) else tuple(result)
    returned = _jvp(cls, node, tangents)
    given = returned if isinstance(returned, tuple) else (returned,)
    if len(given) != len(outs):
        raise RuntimeError(
            f"Function's jvp returned an invalid number of forward gradients (expected {len(outs)} but got "
            f"{len(given)})"
        )
    for number, (out, tangent) in enumerate(zip(outs, given, strict=True)):
        if not isinstance(out, Tensor) or not isinstance(tangent, Tensor):
            continue
        if number in node.fixed:
            continue
        _check_size(out, tangent)
        source = next((n for n, each in enumerate(args) if isinstance(each, Tensor) and _same_memory(each, out)), None)
        if source is not None and tangents[source] is not None:
            _check_shared(out, tangent, tangents[source], id(out) in dirty)
        give(out, tangent)


def _jvp(cls: Any, node: Any, tangents: tuple[Any, ...]) -> Any:
    held = node._saved
    if node.saved_for_forward is not None:
        from ..held import Held

        node._saved = tuple(None if e is None else Held(node, e._array, e._edge, e) for e in node.saved_for_forward)
    token = _mode.set(changed(current(), forward_level=-1))
    try:
        return cls.jvp(node, *tangents)
    finally:
        _mode.reset(token)
        node._saved = held


def _check_shared(out: Tensor, tangent: Tensor, given: Tensor, written: bool) -> None:
    """Raises RuntimeError where a view's tangent is no view, or that of a written input was not written itself."""
    if written:
        if tangent is not given:
            raise RuntimeError(
                "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is "
                "modifying an input inplace, then the jvp function must modify the corresponding gradient inplace."
            )
    elif out._is_view() and (not _same_memory(tangent, given) or tangent is given):
        raise RuntimeError(
            "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
        )


def _same_memory(first: Tensor, second: Tensor) -> bool:
    return owner(first._array) is owner(second._array)
