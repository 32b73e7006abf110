"""`once_differentiable`: gradients that cannot be differentiated again."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from dyncore.errors.source import caller_frame
from dyncore.graph.modes import _mode, changed, current
from dyncore.graph.node import Node, Output, next_rank
from dyncore.tensors.tensor import Tensor, wrap

__dyncore__ = True


class DelayedError:
    """Function whose node raises `message` when its result is differentiated."""

    def __init__(self, message: str, count: int) -> None:
        self.message = message

    def __call__(self, *tensors: Any) -> Any:
        node = object.__new__(Error)
        node.rank = next_rank()
        frame = caller_frame(2)
        node.code, node.lasti, node.extra = frame.f_code, frame.f_lasti, None
        node.message = self.message
        node.to = tuple(each._edge if isinstance(each, Tensor) else None for each in tensors)
        results = [
            wrap(each._array, Output(node, number) if len(tensors) > 1 else node) if isinstance(each, Tensor) else each
            for number, each in enumerate(tensors)
        ]
        return results[0] if len(results) == 1 else tuple(results)


class Error(Node):
    """Node that raises when backward reaches it."""

    __slots__ = ("message", "to")
    title = "torch::autograd::Error"
    message: str
    to: tuple[Any, ...]

    def edges(self) -> tuple[Any, ...]:
        return self.to

    @property
    def outputs(self) -> int:
        return len(self.to)

    def run(self, grad: Any, keep: bool) -> Any:
        raise RuntimeError(self.message)

    run_tensors = run


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` whose own ops cannot be differentiated.

    A second derivative raises RuntimeError.
    """

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        recording = current().grad
        token = _mode.set(changed(current(), grad=False))
        try:
            outputs = backward(ctx, *grads)
        finally:
            _mode.reset(token)
        if not recording or not any(isinstance(g, Tensor) and g.requires_grad for g in grads):
            return outputs
        several = isinstance(outputs, tuple)
        error = DelayedError("trying to differentiate twice a function that was marked with @once_differentiable", 1)
        # Each counts as requiring grad, so that a second derivative finds the error.
        delayed = error(*(_watched(each) for each in (outputs if several else (outputs,))))
        return (delayed,) if several and len(outputs) == 1 else delayed

    return wrapper


def _watched(tensor: Any) -> Any:
    """Return a leaf that requires grad and shares memory; None for None."""
    if tensor is None:
        return None
    leaf = wrap(tensor._array, None)
    leaf.requires_grad = True
    return leaf
