"""Functions of upper packages that lower ones call; `binding` sets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Handlers:
    """Functions of upper packages, by name.

    into(op, args, kwargs, out): run an op into `out=`.
    number(value): a tensor of a Python number.
    grad: `autograd.grad`.
    remember(node): keep the traceback of a forward call, in anomaly mode.
    carried(op, args, kwargs): run an op on dual tensors, or return NotImplemented.
    written(input, result): carry tangents into a tensor that was written in place.
    with_tangents(node, name, saved): give saved tensors the tangents they had.
    on_duals(start, create): give the gradients a backward starts from their tangents.
    forbidden(view, what): say why a view cannot be given a new history.
    detach: the op of that name, which a listener records.
    once(func, leaves, dims, shape, kwargs): call `func` once for all slices of `vmap`, or return NotImplemented.
    aten: make the namespace `ops.aten`.
    entry(op): make the public function of an op.
    with_rows(held, grad): a gradient by rows as a sparse tensor, added to what a leaf holds.
    on_sparse(op, args, kwargs): run an op on sparse tensors, or return NotImplemented; None until there is one.
    """

    into: Callable[[Any, Any, Any, Any], Any]
    number: Callable[[Any], Any]
    grad: Callable[..., Any]
    remember: Callable[[Any], None]
    carried: Callable[[Any, Any, Any], Any]
    written: Callable[[Any, Any], None]
    with_tangents: Callable[[Any, str, Any], Any]
    on_duals: Callable[[Any, bool], Any]
    forbidden: Callable[[Any, str], str]
    once: Callable[..., Any]
    detach: Any
    aten: Callable[[], object]
    entry: Callable[[Any], Callable[..., Any]]
    with_rows: Callable[[Any, Any], Any]
    on_sparse: Callable[[Any, Any, Any], Any] | None = None


handlers = Handlers()
