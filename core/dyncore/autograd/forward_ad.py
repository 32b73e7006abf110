"""Forward mode: dual tensors, whose tangents each op carries in a `dual_level`.

A view of a tangent is the tangent of the view; every other op carries tangents by its backward, differentiated by
its cotangent.  So no op has a second rule.
"""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.graph.modes import _mode, changed, current
from dyncore.graph.node import extra
from dyncore.graph.versions import owner
from dyncore.tensors.strides import restrided
from dyncore.tensors.tensor import Tensor, _meta, storage, wrap

from . import grad as _gradients

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]

# Ops that have no tangents in PyTorch either.
_WITHOUT = frozenset(("igamma", "igammac"))
# Ops that write several elements to one place: the tangent there is the last one's, too.
_LAST_WINS = frozenset(("max_unpool",))
# Ops that draw their numbers anew each time.
_DRAWN = frozenset(("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout"))
_duals: list[list[weakref.ref[Tensor]]] = []


class UnpackedDualTensor(NamedTuple):
    """Tensor and its tangent, None when it has none."""

    primal: Any
    tangent: Any


def enter_dual_level() -> int:
    """Begin a level of forward mode.

    Raises RuntimeError inside another level.
    """
    mode = current()
    if _level(mode) >= 0:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _duals.append([])
    _mode.set(changed(mode, forward_level=0 if _is_fwd_grad_enabled() else _OFF))
    return 0


# A switched-off level is kept as `_OFF - level`: ops check only whether the number is negative.
_OFF = -3


def _level(mode: Any) -> int:
    level: int = mode.forward_level
    return level if level >= -1 else _OFF - level


def _is_fwd_grad_enabled() -> bool:
    """Return True if ops carry tangents."""
    return current().forward_level >= -1


def switch(enabled: bool) -> None:
    """Set whether ops carry tangents, inside or outside a level."""
    level = _level(current())
    _mode.set(changed(current(), forward_level=level if enabled else _OFF - level))


def exit_dual_level(*, level: int | None = None) -> None:
    """End the level and drop the tangents created in it."""
    mode = current()
    if level is not None and level != _level(mode):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    if _level(mode) < 0:
        raise RuntimeError("Dual level must be a positive number.")
    for reference in _duals.pop():
        alive = reference()
        if alive is not None and alive._meta is not None:
            alive._meta.tangent = None
    _mode.set(changed(mode, forward_level=-1 if _is_fwd_grad_enabled() else _OFF + 1))


class dual_level:
    """Level of forward mode for a `with` block."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *exc: object) -> None:
        exit_dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """Return a view of `tensor` that carries `tangent`.

    Raises RuntimeError outside a `dual_level`.
    """
    if _level(current()) < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for each, title in ((tensor, "primal"), (tangent, "tangent")):
        if not (each.is_floating_point() or each.is_complex()):
            raise ValueError(f"Expected {title} to be floating point or complex, but got: {each.dtype}")
    check_size(tensor, tangent)
    if tangent_of(tensor) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not "
            "supported."
        )
    if tangent_of(tangent) is not None:
        raise RuntimeError(
            "Setting a forward grad that itself has a forward gradient at the same level0 is not supported."
        )
    token = _mode.set(changed(current(), forward_level=-1))
    try:
        dual: Tensor = tensor.view_as(tensor)
    finally:
        _mode.reset(token)
    _meta(dual).dual = True
    give(dual, _laid_out(tangent, tensor))
    return dual


def _laid_out(tangent: Tensor, like: Tensor) -> Tensor:
    """Return the tangent, or a copy with the memory layout of `like`.

    With one layout, views of both are alike.
    """
    if tangent._array.ndim == 0 and like._meta is None:
        return tangent
    from dyncore.mutation.copy_slices import turning
    from dyncore.tensors.lazy_conj import as_turned

    array, part, root = storage(tangent), storage(like), owner(storage(like))
    turn = turning(array, part)
    if array.strides == part.strides and owner(array).nbytes == root.nbytes and not turn:
        return tangent
    if 0 in part.strides or not isinstance(root, np.ndarray) or 0 in part.shape:
        return tangent
    offset = part.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    memory = np.zeros(root.nbytes // part.itemsize, part.dtype)
    copied = np.ndarray(part.shape, part.dtype, memory, offset, part.strides)
    return _copied_into(wrap(as_turned(copied, part), None), tangent)


def _copied_into(target: Tensor, tangent: Tensor) -> Tensor:
    token = _mode.set(changed(current(), forward_level=-1))
    try:
        return target.copy_(tangent)
    finally:
        _mode.reset(token)


class _set_fwd_grad_enabled:
    """Context that sets whether ops carry tangents."""

    def __init__(self, mode: bool) -> None:
        self._before = _is_fwd_grad_enabled()
        switch(mode)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        switch(self._before)


def check_size(tensor: Tensor, tangent: Tensor) -> None:
    """Raise RuntimeError unless a tangent has the shape of its tensor."""
    if tensor._array.shape != tangent._array.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor._array.shape)} while the given forward gradient is of size "
            f"{list(tangent._array.shape)}."
        )


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """Return the tensor without its tangent, and the tangent."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"_unpack_dual(): argument 'dual' (position 1) must be Tensor, not {type(tensor).__name__}")
    tangent = tangent_of(tensor)
    if current().forward_level < 0 or tangent is None:
        return UnpackedDualTensor(tensor, None)
    token = _mode.set(changed(current(), forward_level=-1))
    try:
        primal = tensor.view_as(tensor)
    finally:
        _mode.reset(token)
    return UnpackedDualTensor(primal, tangent)


def tangent_of(value: Any) -> Any:
    """Return the tangent of a tensor, or None."""
    return value._meta.tangent if isinstance(value, Tensor) and value._meta is not None else None


def give(tensor: Tensor, tangent: Any) -> None:
    """Set the tangent of `tensor` until the level ends."""
    _meta(tensor).tangent = tangent
    if _duals:
        _duals[-1].append(weakref.ref(tensor))


def carried(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the op's result with its tangents.

    NotImplemented if no argument has a tangent.
    """
    operands: list[tuple[Tensor, Any]] = []

    def collect(value: Any) -> None:
        if isinstance(value, (list, tuple)):
            for each in value:
                collect(each)
        elif (tangent := tangent_of(value)) is not None:
            operands.append((value, tangent))

    collect(args)
    collect(tuple(kwargs.values()))
    if not operands:
        return NotImplemented
    if op.name in _WITHOUT:
        raise NotImplementedError(
            f"Trying to use forward AD with {op.name} that does not support it because it has not been implemented yet."
        )
    mode = current()
    if op.view or (op.itself and op.name not in _DRAWN) or op.name in _LAST_WINS:
        return _linear(op, args, kwargs, mode)
    return _by_backward(op, args, kwargs, operands, mode)


def _linear(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Any) -> Any:
    """Apply the op to the value and to the tangent.

    So a write to a view reaches the tangent of the base.
    """
    token = _mode.set(changed(mode, forward_level=-1))
    try:
        result = op.entry(*args, **kwargs)
        tangents = op.entry(*_swapped(args, tangent_of), **{k: _swapped(v, tangent_of) for k, v in kwargs.items()})
    finally:
        _mode.reset(token)
    _give_all(result, tangents, args)
    return result


def _swapped(value: Any, by: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_swapped(each, by) for each in value)
    new = by(value)
    return value if new is None else new


def _give_all(result: Any, tangents: Any, args: Any) -> None:
    if isinstance(result, Tensor):
        if result is not args[0]:
            give(result, tangents)
        return
    for each, tangent in zip(result, tangents, strict=True):
        if isinstance(each, Tensor) and each._array.dtype.kind in "fc":
            give(each, tangent)


def _by_backward(op: Any, args: Any, kwargs: Any, operands: list[tuple[Tensor, Any]], mode: Any) -> Any:
    """Return J t, by differentiating u -> J^H u, which is linear in u."""
    token = _mode.set(changed(mode, forward_level=-1, grad=True, hooks=(), inference=False))
    try:
        replaced: dict[int, Tensor] = {}
        for value, _ in operands:
            if id(value) not in replaced:
                recorded = mode.grad and value._edge is not None
                replaced[id(value)] = (
                    TABLE["view_as"].entry(value, value) if recorded else wrap(value._array, None).requires_grad_()
                )
        swap = lambda value: replaced.get(id(value))
        result = op.entry(*_swapped(args, swap), **{k: _swapped(v, swap) for k, v in kwargs.items()})
        outs = [each for each in ((result,) if isinstance(result, Tensor) else result) if isinstance(each, Tensor)]
        seen: dict[int, tuple[Tensor, Any]] = {id(value): (value, tangent) for value, tangent in operands}
        sources = [replaced[key] for key in seen]
        tangents = [tangent for _, tangent in seen.values()]
        products = [_push(out, sources, tangents, mode.grad) for out in outs]
        if op.name == "linalg_vector_norm":
            products = [_at_zero(*pair) for pair in zip(outs, products, strict=True)]
    finally:
        _mode.reset(token)
    kept = mode.grad and _any_recorded(args, kwargs)
    if kept:
        attach_tangents(outs, products, sources, tangents)
    made = []
    for out, product in zip(outs, products, strict=True):
        final = out if kept else wrap(out._array, None)
        if product is not None:
            give(
                final,
                product
                if kept or product._edge is None
                else (product if _beyond(product, sources) else product.detach()),
            )
        made.append(final)
    if isinstance(result, Tensor):
        return made[0]
    rest = iter(made)
    values = [next(rest) if isinstance(each, Tensor) else each for each in result]
    return type(result)(values)


def _at_zero(norm: Tensor, tangent: Any) -> Any:
    """Return the tangent of a norm, with 0 where the norm is 0, as PyTorch has it.

    The gradient by the cotangent is NaN there.
    """
    if tangent is None or not ((norm._array == 0) & np.isnan(tangent._array)).any():
        return tangent
    return tangent.masked_fill(wrap(np.asarray(norm._array == 0), None), 0.0)


def _any_recorded(args: Any, kwargs: Any) -> bool:
    from dyncore.mutation.inplace import _any_requires_grad

    return _any_requires_grad(args) or _any_requires_grad(kwargs.values())


def _beyond(product: Tensor, sources: list[Tensor]) -> bool:
    return reaches_beyond([product], sources)


def _push(out: Tensor, sources: list[Tensor], tangents: list[Any], create: bool) -> Any:
    if out._edge is None:
        return None
    dummy = out.new_zeros(out._array.shape).requires_grad_()
    rows = _gradients([out], sources, [dummy], create_graph=True, retain_graph=True, allow_unused=True)
    pairs = [
        (row, tangent) for row, tangent in zip(rows, tangents, strict=True) if row is not None and row._edge is not None
    ]
    if not pairs:
        return wrap(out._array * 0, None)
    cotangents = [tangent.to(row.dtype) if tangent.dtype != row.dtype else tangent for row, tangent in pairs]
    product = _gradients(
        [row for row, _ in pairs], [dummy], cotangents, create_graph=create, retain_graph=True, allow_unused=True
    )[0]
    if product is None:
        return wrap(out._array * 0, None)
    if any(np.may_share_memory(product._array, tangent._array) for tangent in tangents):
        # The result may be written in place, and its tangent with it.
        return product.clone()
    return product


def written(tensor: Tensor, result: Tensor) -> None:
    """Update the tangent after `tensor` was written in place with `result`."""
    new = tangent_of(result)
    old = tangent_of(tensor)
    meta = tensor._meta
    base = None if meta is None else meta.base
    if old is None and new is None:
        return
    if old is None:
        if base is None or tangent_of(base) is not None:
            give(tensor, new.clone())
            return
        _spread(base, tensor)
        old = tangent_of(tensor)
    if new is not old:
        # Written in place, so that views of it, which are the tangents of views, see it.
        token = _mode.set(changed(current(), forward_level=-1))
        try:
            if new is None:
                old.zero_()
            else:
                old.copy_(new.clone() if np.may_share_memory(new._array, old._array) else new)
        finally:
            _mode.reset(token)


def _spread(base: Tensor, view: Tensor) -> None:
    """Set the tangent of `base` to zeros, and that of `view` to its part of them."""
    from dyncore.mutation.copy_slices import geometry, turning
    from dyncore.tensors.lazy_conj import mirrored

    array, part = storage(base), storage(view)
    offset, shape, strides = geometry(part, array)
    like = np.zeros_like(array)
    give(base, wrap(like, None))
    seen = restrided(like, shape, strides, offset)
    turn = turning(part, array)
    give(view, wrap(mirrored(seen, turn.startswith("conj"), turn.endswith("neg")) if turn else seen, None))


def reaches_beyond(results: list[Any], fresh: list[Any]) -> bool:
    """Return True if results lead to leaves other than by the fresh tensors."""
    own = {each._edge for each in fresh if each._edge is not None}
    seen: set[Any] = set()
    stack = [each._edge for each in results if isinstance(each, Tensor) and each._edge is not None]
    while stack:
        edge = stack.pop()
        if edge in seen or edge in own:
            continue
        seen.add(edge)
        if edge.title == "AccumulateGrad":
            return True
        stack.extend(e for e in edge.edges() if e is not None)
    return False


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


def __getattr__(name: str) -> Any:
    """Return the level of forward mode for `_current_level`, -1 outside one."""
    if name == "_current_level":
        return _level(current())
    from dyncore.errors.explain import missing_in

    return missing_in(__name__)(name)
