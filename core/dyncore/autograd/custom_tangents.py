"""Forward mode through a custom function: its `jvp`, and checks of its tangents."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.saved.held import Held
from dyncore.graph.modes import _mode, changed, current
from dyncore.graph.versions import owner
from dyncore.tensors.tensor import Tensor

from .forward_ad import check_size, give, tangent_of


def custom_tangents(cls: Any, node: Any, args: tuple[Any, ...], result: Any, dirty: set[int]) -> None:
    """Run the `jvp` of a custom function if an argument has a tangent.

    dirty: ids of the inputs that the function wrote in place.
    """
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
    before = [each if each is None else each._version for each in tangents]
    returned = _jvp(cls, node, tangents)
    given = returned if isinstance(returned, tuple) else (returned,)
    if len(given) != len(outs):
        raise RuntimeError(
            f"Function's jvp returned an invalid number of forward gradients (expected {len(outs)} but got "
            f"{len(given)})"
        )
    for number, (out, tangent) in enumerate(zip(outs, given, strict=True)):
        if tangent is None:
            continue
        if not isinstance(tangent, Tensor):
            raise RuntimeError(f"expected Variable or None (got {type(tangent).__name__}) for grad output {number}.")
        if not isinstance(out, Tensor) or number in node.fixed or out._array.dtype.kind not in "fc":
            raise RuntimeError(
                f"Function's jvp returned a gradient at position {number}, but  the corresponding forward output is "
                "not a differentiable Tensor.You should return None at that position instead."
            )
        check_size(out, tangent)
        source = next((n for n, each in enumerate(args) if isinstance(each, Tensor) and _same_memory(each, out)), None)
        if source is not None and tangents[source] is not None:
            if id(out) in dirty:
                _check_written(tangent, tangents[source], before[source])
            elif out._is_view():
                _check_view(tangent, tangents[source], args[source])
        give(out, tangent)


def _jvp(cls: Any, node: Any, tangents: tuple[Any, ...]) -> Any:
    held = node._saved
    node._saved = tuple(None if e is None else Held(node, e._array, e._edge, e) for e in node.saved_for_forward or ())
    token = _mode.set(changed(current(), forward_level=-1))
    try:
        return cls.jvp(node, *tangents)
    finally:
        _mode.reset(token)
        node._saved = held


def _check_written(tangent: Tensor, given: Tensor, version: Any) -> None:
    """Raise RuntimeError unless the tangent of a written input was written too."""
    if tangent is not given or tangent._version == version:
        raise RuntimeError(
            "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is "
            "modifying an input inplace, then the jvp function must modify the corresponding gradient inplace."
        )


def _check_view(tangent: Tensor, given: Tensor, of: Tensor) -> None:
    """Raise RuntimeError unless a view of `of` has a view of its tangent `given`."""
    if not tangent._is_view():
        raise RuntimeError(
            "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
        )
    if not _same_memory(tangent, given):
        nested = of._meta is not None and of._is_view() and not of._meta.dual
        which = "the same base as the given grad input" if nested else "the given grad input"
        raise RuntimeError(f"A custom Function is returning a view but the jvp is not returning a view of {which}.")


def _same_memory(first: Tensor, second: Tensor) -> bool:
    return owner(first._array) is owner(second._array)
