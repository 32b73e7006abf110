"""Gradients gathered on the way and at the leaves, and stored to `.grad`."""

from __future__ import annotations

from heapq import heappush
from sys import getrefcount
from typing import Any

from numpy import broadcast_to, ndarray

from dyncore.dispatch.outer import Outer
from dyncore.dispatch.row_gradient import RowGradient
from dyncore.errors.explain import broadcast_sentence
from dyncore.graph.handlers import handlers
from dyncore.graph.node import DISCARD, AccumulateGrad
from dyncore.tensors.tensor import Tensor, wrap

from .accumulation import accumulate
from .hooks import run_pre_hooks, run_tensor_hooks
from .task import Task

SUM = "sum"  # the state of a leaf's gradient that was added up here, so that more may be added in place


def deliver(task: Task, edge: Any, grad: Any) -> None:
    """Add a gradient that backward starts from to what waits for `edge`."""
    if edge is None or grad is None or (task.needed is not None and edge not in task.needed):
        return
    if edge.__class__ is AccumulateGrad:
        add_to_leaf(task, edge, grad, None)
        return
    enqueue(task, edge, grad)


def enqueue(task: Task, edge: Any, grad: Any) -> None:
    """Add `grad` to what waits for a node."""
    rank = edge.rank
    found = task.waiting.get(rank)
    if found is None:
        task.waiting[rank] = [edge, grad, False]
        heappush(task.heap, rank)
    elif found[2] and not task.create:
        found[1] += grad
    else:
        found[1] = found[1] + grad
        found[2] = True


def add_to_leaf(task: Task, leaf: Any, grad: Any, came: Any) -> None:
    """Add `grad` to what a leaf has so far; run the leaf's hooks if it was the last.

    came: the gradient it was computed from, to tell a fresh array; None for one that backward starts from.
    """
    found = task.leaves.get(leaf)
    if found is None:
        task.leaves[leaf] = [grad, grad is not came and came is not None]
    elif found[1] is SUM and type(grad) is ndarray:
        found[0] += grad
    else:
        found[0] = found[0] + grad
        found[1] = SUM
    if leaf.extra is not None or leaf.post_accumulate is not None:
        if leaf is DISCARD:
            del task.leaves[leaf]
            return
        task.enter()
        if task.complete(leaf):
            finish_leaf(task, leaf, *task.leaves.pop(leaf))


def finish_leaves(task: Task) -> None:
    """Accumulate the gradients of all leaves that the walk reached.

    Leaves without hooks take a shorter path (tests/bench, early exit).
    """
    plain = not task.careful or not (task.create or task.capture)
    for leaf, found in task.leaves.items():
        grad, fresh = found
        found[0] = None  # so that a gradient that nobody else holds can be told from others
        task.node = leaf
        if not plain or leaf.extra is not None or leaf.post_accumulate is not None:
            task.enter()
            finish_leaf(task, leaf, grad, fresh or getrefcount(grad) == 2)
        elif grad is not None:
            if grad.__class__ is Outer:
                grad, fresh = grad.dense(), True
            accumulate(leaf, grad, fresh or getrefcount(grad) == 2, False, task)


def gathered(task: Task) -> dict[Any, Any]:
    """Return the gradients of the leaves by node and output number, for who asked for those of all leaves there are."""
    return {
        (leaf, 0): grad if grad.__class__ is ndarray else grad.dense() if grad.__class__ is Outer else _sparse(grad)
        for leaf, (grad, _) in task.leaves.items()
        if grad is not None
    }


def finish_leaf(task: Task, leaf: Any, grad: Any, fresh: bool) -> None:
    """Run the leaf's hooks, gives its gradient to who asked for it, and adds it to `.grad`."""
    extra = leaf.extra
    if grad.__class__ is Outer:
        grad = grad.dense()
        fresh = True
    before = grad
    captures = task.capture is not None and leaf in task.capture
    if extra is not None and (extra.tensor_pre or extra.retain):
        grad = run_tensor_hooks(leaf, grad, task.create)
    if captures and not task.accumulate:
        task.captured[leaf, 0] = _sparse(grad)
    if not task.accumulate or grad is None:
        return
    if extra is not None and extra.pre:
        grad = run_pre_hooks(leaf, grad, task.create)
    if extra is not None and extra.cast:
        grad = grad.to(extra.cast) if task.create else grad.astype(extra.cast.numpy)
    first = leaf.grad is None
    if extra is not None and extra.reshaped and first:
        grad = _in_shape(leaf, grad)
    accumulate(leaf, grad, bool(fresh) and grad is before, task.create)
    if leaf.post_accumulate:
        variable = leaf.variable
        for hook in list(leaf.post_accumulate.values()):
            returned = hook(variable)
            if returned is not None:
                if not isinstance(returned, Tensor):
                    raise TypeError(f"expected Variable, but hook returned '{type(returned).__name__}'")
                raise RuntimeError("Tensor post accumulate grad hooks should return None.")
    if extra is not None and extra.post:
        # A first gradient becomes `.grad` itself, so these hooks see what those before them wrote into it.
        seen = _as_tensor(leaf.grad._array if first and not task.create and leaf.grad is not None else grad)
        for hook in list(extra.post.values()):
            hook((), (seen,))


def _in_shape(leaf: Any, grad: Any) -> Any:
    """Return the gradient of a leaf whose data got another shape meanwhile.

    What can become `.grad` itself stays as it is; what must be copied goes into the leaf's shape.
    Raises RuntimeError where that cannot be.
    """
    array = grad._array if isinstance(grad, Tensor) else grad
    shape, steps = leaf.memory.shape, [stride // leaf.memory.itemsize for stride in leaf.memory.strides]
    kept = all(
        n == 1 or 0 < abs(stride // array.itemsize) == step
        for n, stride, step in zip(array.shape, array.strides, steps, strict=False)
    )
    if array.shape == shape or (kept and array is grad):
        return grad
    sentence = broadcast_sentence(shape, array.shape)
    if sentence is not None:
        raise RuntimeError(sentence)
    return grad.expand(shape) if isinstance(grad, Tensor) else broadcast_to(grad, shape)


def finish_complete(task: Task) -> None:
    """Give the leaves that wait for nothing more their gradients, when the walk ends with the error of a node."""
    behind: set[Any] = set()
    stack = [task.node, *(each[0] for each in task.waiting.values())]
    while stack:
        edge = stack.pop()
        if edge is not None and edge not in behind:
            behind.add(edge)
            stack.extend(edge.edges())
    for leaf, (grad, _) in task.leaves.items():
        if grad is not None and leaf not in behind:
            finish_leaf(task, leaf, grad, False)


def _sparse(grad: Any) -> Any:
    """Return a gradient by rows as a sparse tensor; any other as it is."""
    return handlers.with_rows(None, grad) if grad.__class__ is RowGradient else grad


def _as_tensor(grad: Any) -> Any:
    return grad if grad is None or isinstance(grad, Tensor) else wrap(grad, None)
