"""Hooks on tensors and nodes: where they are kept, in which order they run, and how they are taken away again.

A tensor's hooks are kept in the node that made it, beside the number of the output they watch: they belong to the
version of the tensor they were registered on. Before a node runs: its tensors' hooks, what retains gradients, the
node's own pre-hooks; after it, its post-hooks.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from itertools import count
from typing import Any

from dyncore.dispatch.outer import dense
from dyncore.graph.edges import Partial
from dyncore.graph.node import AccumulateGrad, extra, own_edge
from dyncore.tensors.tensor import Tensor, _meta, wrap

_next_id = count().__next__


class RemovableHandle:
    """A registered hook; `remove()` takes it away, and so does leaving a `with` block over it."""

    next_id = 0

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self.id = RemovableHandle.next_id = _next_id()
        self._hooks = hooks
        hooks[self.id] = hook

    def hooks_dict_ref(self) -> dict[int, Any]:
        """Return the hooks this one is among, by their number."""
        return self._hooks

    def remove(self) -> None:
        """Take the hook away; once more does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


RemovableHandle.__module__ = "torch.utils.hooks"
Handle = RemovableHandle


def register_tensor_hook(tensor: Tensor, hook: Any) -> RemovableHandle:
    """Call `hook(grad)` before the gradient of `tensor` is used.  Raise RuntimeError if it requires none."""
    edge = own_edge(tensor)
    if edge is None:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if edge.node.row is not None:
        return _register_on_row(edge.node.row, hook)
    return RemovableHandle(extra(edge.node).tensor_pre, (edge.index, hook))


def _register_on_row(place: tuple[Any, int], hook: Any) -> RemovableHandle:
    """Call `hook` with one row of the gradient that arrives at an edge."""
    edge, row = place

    def on_whole(grad: Any) -> Any:
        returned = hook(grad[row])
        if returned is None:
            return None
        whole = grad.clone()
        whole[row] = returned
        return whole

    return RemovableHandle(extra(edge.node).tensor_pre, (edge.index, on_whole))


def hooks_of(tensor: Tensor) -> dict[int, Any] | None:
    """Return the hooks registered on this version of `tensor`, or None when there are none."""
    edge = tensor._edge
    if edge is None or edge.node.extra is None:
        return _assigned(tensor)
    found = {key: hook for key, (number, hook) in edge.node.extra.tensor_pre.items() if number == edge.index}
    return _assigned(tensor) if not found or _GIVEN in found else OrderedDict(found)


def _assigned(tensor: Tensor) -> dict[Any, Any] | None:
    return None if tensor._meta is None else tensor._meta.hooks


_GIVEN = -1


class GivenHooks:
    """The hooks of a dictionary that was assigned as a tensor's `_backward_hooks`, as one hook."""

    def __init__(self, hooks: dict[Any, Any]) -> None:
        self.hooks = hooks

    def __call__(self, grad: Any) -> Any:
        for hook in list(self.hooks.values()):
            returned = hook(grad)
            grad = grad if returned is None else returned
        return grad


def assign_hooks(tensor: Tensor, hooks: dict[Any, Any] | None) -> None:
    """Make `hooks` all the hooks of a leaf; a tensor of another kind only remembers them."""
    _meta(tensor).hooks = hooks
    if tensor._edge.__class__ is AccumulateGrad:
        listen(tensor, hooks)


def listen(tensor: Tensor, hooks: dict[Any, Any] | None) -> None:
    """Make `hooks` all the hooks of this version of the tensor."""
    edge = tensor._edge
    held = extra(edge.node).tensor_pre
    for key in [key for key, (number, _) in held.items() if number == edge.index]:
        del held[key]
    if hooks is not None:
        held[_GIVEN] = (edge.index, GivenHooks(hooks))


def keep_grad_in(tensor: Tensor, kind: Any) -> None:
    """Store the gradient of a leaf in the dtype `kind`; None for any.

    Raises RuntimeError for a non-leaf.
    """
    if not tensor.is_leaf:
        raise RuntimeError("grad_dtype can only be set on leaf tensors.")
    grad = tensor.grad
    if grad is not None and kind is not None and grad.dtype != kind:
        from dyncore.errors.explain import WORDS

        raise RuntimeError(
            f"Cannot set grad_dtype to '{kind.title}' because there is already a gradient with dtype "
            f"'{WORDS[str(grad._array.dtype)]}'. Please clear the gradient (.grad = None) before changing grad_dtype, "
            "or ensure the new grad_dtype matches the existing gradient's dtype."
        )
    _meta(tensor).grad_dtype = kind
    if tensor._edge is not None:
        extra(tensor._edge).cast = kind


def register_post_accumulate(tensor: Tensor, hook: Any) -> RemovableHandle:
    """Call `hook(tensor)` after its gradient was accumulated.  Raise RuntimeError for a non-leaf."""
    edge = own_edge(tensor)
    if edge is None:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if edge.__class__ is not AccumulateGrad:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    if edge.post_accumulate is None:
        edge.post_accumulate = {}
    return RemovableHandle(edge.post_accumulate, hook)


def retain(tensor: Tensor) -> None:
    """Make `tensor`, a non-leaf, keep its gradient."""
    _meta(tensor).retains = True
    reference = weakref.ref(tensor)

    def keep(grad: Any) -> None:
        alive = reference()
        if alive is not None:
            meta = _meta(alive)
            meta.grad = grad if meta.grad is None else meta.grad + grad

    edge = tensor._edge
    if edge.node.row is not None:
        _register_on_row(edge.node.row, keep)
        return
    hooks = extra(edge.node)
    if hooks.retain is None:
        hooks.retain = {}
    hooks.retain[edge.index] = keep


def give(tensor: Tensor, edge: Any) -> None:
    """Lead `tensor` to `edge`; a retained gradient moves with it from the old node to the new one."""
    before = tensor._edge
    if tensor._meta is None or not tensor._meta.retains:
        tensor._edge = edge
        return
    if before is not None and before.node.extra is not None and before.node.extra.retain:
        before.node.extra.retain.pop(before.index, None)
    tensor._edge = edge
    if edge is None:
        _meta(tensor).retains = False
    else:
        retain(tensor)


def run_tensor_hooks(node: Any, grad: Any, create: bool) -> Any:
    """Return the node's gradient after the hooks of its output tensors, the newest value kept where asked."""
    hooks = node.extra
    if hooks.tensor_pre:
        passed: dict[int, Any] = {}  # each hook is called with the object that those before it have seen
        for number, hook in list(hooks.tensor_pre.values()):
            given = passed[number] if number in passed else _tensor(part(grad, number))
            returned = hook(given)
            if returned is not None:
                grad = with_part(grad, number, _checked(returned, given, hook, create))
            passed[number] = given if returned is None else returned
    if hooks.retain:
        for number, keep in list(hooks.retain.items()):
            found = _tensor(part(grad, number))
            if found is not None:
                keep(found if create else wrap(found._array.copy(), None))
    return grad


def run_pre_hooks(node: Any, grad: Any, create: bool) -> Any:
    """Return the node's gradient after its own pre-hooks."""
    for hook in list(node.extra.pre.values()):
        given = as_tuple(node, grad)
        returned = hook(given)
        if returned is None:
            continue
        checked = _checked_all(returned, given, hook, create)
        if grad.__class__ is Partial:
            grad = Partial({number: g for number, g in enumerate(checked) if g is not None})
        else:
            grad = checked[0]
    return grad


def run_after(node: Any, result: Any, grad: Any, create: bool) -> Any:
    """Return the node's result after its post-hooks, which may replace the gradients of its inputs."""
    pairs = aligned(node, result)
    for hook in list(node.extra.post.values()):
        given = tuple(_tensor(g) for _, g in pairs)
        returned = hook(given, as_tuple(node, grad))
        if returned is None:
            continue
        checked = _checked_all(returned, given, hook, create)
        pairs = [(edge, new) for (edge, _), new in zip(pairs, checked, strict=True)]
    return next(g for edge, g in pairs if edge is not None) if node.single else pairs


def aligned(node: Any, result: Any) -> list[tuple[Any, Any]]:
    """Return the node's result as one (edge, gradient) pair for each input, None for those that nothing flows to."""
    given = [(node.e0, dense(result))] if node.single else [(edge, dense(g)) for edge, g in result]
    edges = node.edges()
    if len(given) >= len(edges):
        return given[: len(edges)]  # a `linear` without a bias returns one pair more than it has edges
    pairs = []
    rest = iter(given)
    for edge in edges:
        pairs.append((None, None) if edge is None else next(rest))
    return pairs


def part(grad: Any, number: int) -> Any:
    """Return the gradient of output `number`, or None when none arrived."""
    if grad.__class__ is Partial:
        return grad.grads.get(number)
    return grad if number == 0 else None


def with_part(grad: Any, number: int, value: Any) -> Any:
    """Return `grad` with that of output `number` replaced."""
    if grad.__class__ is not Partial:
        return value
    grads = dict(grad.grads)
    grads[number] = value
    return Partial({key: each for key, each in grads.items() if each is not None})


def as_tuple(node: Any, grad: Any) -> tuple[Any, ...]:
    """Return the gradients of all outputs of `node` as Tensors, None where none arrived."""
    if grad.__class__ is Partial:
        return tuple(_tensor(grad.grads.get(number)) for number in range(node.outputs))
    return (_tensor(grad),) if grad is not None else ()


def _tensor(grad: Any) -> Any:
    return grad if grad is None or isinstance(grad, Tensor) else wrap(grad, None)


def _checked_all(returned: Any, given: tuple[Any, ...], hook: Any, create: bool) -> list[Any]:
    if not isinstance(returned, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(returned).__name__}'")
    if len(returned) != len(given):
        raise RuntimeError(
            f"hook '{_name(hook)}' has returned an incorrect number of values (got {len(returned)}, but expected "
            f"{len(given)})"
        )
    return [_checked(new, old, hook, create) for new, old in zip(returned, given, strict=True)]


def _checked(returned: Any, given: Any, hook: Any, create: bool) -> Any:
    """Return the value a hook returned, raw unless `create`.  Raise where it cannot stand for the gradient."""
    if returned is None:
        return None
    if not isinstance(returned, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(returned).__name__}'")
    if given is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if returned._array.dtype != given._array.dtype:
        raise RuntimeError(
            f"hook '{_name(hook)}' has changed the type of value (was {_kind(given)} got {_kind(returned)})"
        )
    if returned._array.shape != given._array.shape:
        raise RuntimeError(f"hook '{_name(hook)}' has changed the size of value")
    return returned if create else returned._array


def _name(hook: Any) -> str:
    return getattr(hook, "__name__", "<unknown>")


def _kind(tensor: Tensor) -> str:
    return f"torch.{tensor.dtype.title}Tensor"
