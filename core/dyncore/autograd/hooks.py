"""Hooks on tensors and nodes: where they are kept, in which order they run, and how they are taken away again."""

from __future__ import annotations

from itertools import count
from typing import Any

from ..graph import AccumulateGrad, Partial, extra
from ..tensor import Tensor, _meta, wrap

_next_id = count().__next__


class Handle:
    """A registered hook; `remove()` takes it away, and so does leaving a `with` block over it."""

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self.id = _next_id()
        self._hooks = hooks
        hooks[self.id] = hook

    def remove(self) -> None:
        """Takes the hook away; once more does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


def register_tensor_hook(tensor: Tensor, hook: Any) -> Handle:
    """Calls `hook(grad)` before the gradient of `tensor` is used.  Raises RuntimeError if it requires none."""
    if tensor._edge is None:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    return Handle(extra(tensor._edge).tensor_pre, hook)


def register_post_accumulate(tensor: Tensor, hook: Any) -> Handle:
    """Calls `hook(tensor)` after its gradient was accumulated.  Raises RuntimeError for a non-leaf."""
    edge = tensor._edge
    if edge is None:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if edge.__class__ is not AccumulateGrad:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    if edge.post_accumulate is None:
        edge.post_accumulate = {}
    return Handle(edge.post_accumulate, hook)


def retain(tensor: Tensor) -> None:
    """Makes `tensor`, a non-leaf, keep its gradient."""
    import weakref

    _meta(tensor).retains = True
    reference = weakref.ref(tensor)

    def keep(grad: Any) -> None:
        alive = reference()
        if alive is not None:
            meta = _meta(alive)
            meta.grad = grad if meta.grad is None else meta.grad + grad

    extra(tensor._edge).retain = keep


def run_before(node: Any, grad: Any, create: bool) -> Any:
    """The gradient after the hooks that run before `node`: of its tensor, of the node; a retained gradient last."""
    hooks = node.extra
    if hooks.tensor_pre:
        for hook in list(hooks.tensor_pre.values()):
            given = _tensor(grad)
            returned = hook(given)
            if returned is not None:
                grad = _checked(returned, given, create)
    if hooks.pre:
        for hook in list(hooks.pre.values()):
            returned = hook(_tuple(node, grad))
            if returned is not None:
                grad = _from_tuple(grad, returned, create)
    if hooks.retain is not None:
        kept = _tensor(grad)
        hooks.retain(kept if create else wrap(kept._array.copy(), None))
    return grad


def run_after(node: Any, result: Any, grad: Any, create: bool) -> Any:
    """The node's result after its post-hooks, which may replace the gradients of its inputs."""
    pairs = [(node.e0, result)] if node.single else list(result)
    for hook in list(node.extra.post.values()):
        returned = hook(tuple(_tensor(g) for _, g in pairs), _tuple(node, grad))
        if returned is not None:
            given = (returned,) if isinstance(returned, Tensor) else tuple(returned)
            pairs = [
                (edge, g if new is None else (new if create else new._array))
                for (edge, g), new in zip(pairs, given, strict=True)
            ]
    return pairs[0][1] if node.single else pairs


def _tensor(grad: Any) -> Any:
    return grad if grad is None or isinstance(grad, Tensor) else wrap(grad, None)


def _tuple(node: Any, grad: Any) -> tuple[Any, ...]:
    if grad.__class__ is Partial:
        return tuple(_tensor(grad.grads.get(number)) for number in range(len(node.outs)))
    return (_tensor(grad),)


def _from_tuple(grad: Any, returned: Any, create: bool) -> Any:
    given = (returned,) if isinstance(returned, Tensor) else tuple(returned)
    raw = [None if g is None else g if create else g._array for g in given]
    if grad.__class__ is Partial:
        return Partial({number: g for number, g in enumerate(raw) if g is not None})
    return grad if raw[0] is None else raw[0]


def _checked(returned: Any, given: Tensor, create: bool) -> Any:
    if not isinstance(returned, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(returned).__name__}'")
    if returned._array.shape != given._array.shape:
        raise RuntimeError(f"hook has changed the size of value from {list(given._array.shape)} to {list(returned._array.shape)}")
    if returned._array.dtype != given._array.dtype:
        raise RuntimeError("hook has changed the type of value")
    return returned if create else returned._array
