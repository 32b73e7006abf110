"""Gradients of leaves, in memory of their own, with the layout of the leaf."""

from __future__ import annotations

from sys import getrefcount
from threading import Lock
from typing import Any

import numpy as np
from numpy import ndarray

from dyncore.dispatch.row_gradient import RowGradient
from dyncore.graph import events, versions
from dyncore.graph.events import not_recorded
from dyncore.graph.handlers import handlers
from dyncore.graph.modes import current
from dyncore.graph.node import AccumulateGrad
from dyncore.tensors.strides import keeping_order
from dyncore.tensors.tensor import Tensor, wrap

_adding = Lock()
add, new = np.add, object.__new__


def accumulate(leaf: AccumulateGrad, grad: Any, fresh: bool, create: bool, task: Any = None) -> None:
    """Add `grad` to the leaf's `.grad`, whose memory belongs to nobody else; one thread at a time.

    task: the backward that does it, if it has no graph of its own and knows the user's line.
    """
    if grad.__class__ is RowGradient:
        with _adding:
            leaf.grad = handlers.with_rows(leaf.grad, grad)
        return
    if leaf.grad is None and not create:
        made = new(Tensor)
        made._array = grad if grad.__class__ is not ndarray else owned(leaf, grad, fresh)
        made._edge = made._meta = None
        if leaf.grad is None:  # threads change after calls alone, so none runs between the two: no lock
            leaf.grad = made
            return
    with _adding:
        held = leaf.grad
        if create and not current().grad:
            grad, fresh, create = grad._array, False, False  # forward mode alone: what a leaf keeps has no tangent
        if held is not None and events.listener is not None:
            events.listener.before_accumulate(leaf, grad)
        if create:
            leaf.grad = _copied(grad) if held is None else held + grad
        elif held is None:
            leaf.grad = wrap(grad if grad.__class__ is not ndarray else owned(leaf, grad, fresh), None)
        elif held.is_sparse:
            leaf.grad = wrap(held._array + grad, None)
        elif held._array.__class__ is not ndarray:
            held._array = held._array + grad
        else:
            array = held._array
            add(array, grad, array)
            versions.bump(array, 1, None if task is None else task.line)


def owned(leaf: AccumulateGrad, grad: Any, fresh: bool) -> Any:
    """Return the gradient in memory that belongs to nobody else, laid out as the leaf; itself if it is so."""
    if grad.flags.carray and (grad.ndim < 2 or leaf.memory.flags.c_contiguous):
        return grad if fresh and (grad.base is None or _alone(grad)) else grad.copy()
    return like_leaf(grad, fresh, leaf.variable._array)


def _alone(view: Any) -> bool:
    """Return True if `view`, a custom function's result, is all of its array.

    And nobody else holds the array.
    """
    whole = view.base
    return (
        whole.__class__ is ndarray
        and whole.base is None
        and whole.shape == view.shape
        and getrefcount(whole) == 3  # the view's, this function's and the call's
    )


def like_leaf(grad: Any, fresh: bool, leaf: Any) -> Any:
    """Return the gradient in memory of its own, in the leaf's order of dimensions, or in C order if that has gaps."""
    order = keeping_order(leaf) if leaf.shape == grad.shape else None
    if order is None:
        owned = fresh and grad.base is None and grad.flags.writeable and grad.flags.c_contiguous
        return grad if owned else np.array(grad, order="C")
    if fresh and grad.base is None and grad.flags.writeable and grad.strides == leaf.strides:
        return grad
    return np.array(grad.transpose(order), order="C").transpose(np.argsort(order))


def _copied(grad: Tensor) -> Tensor:
    """Return a copy for a leaf to keep, with the history of the gradient."""
    if grad._edge is None:
        return wrap(np.array(grad._array) if grad._array.__class__ is ndarray else grad._array, None)
    made = wrap(np.empty(grad._array.shape, grad._array.dtype), None)
    with not_recorded():
        return made.copy_(grad)
