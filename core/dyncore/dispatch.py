"""From an op's record to the functions users call, fast: one closure for unary ops, one for binary, one for the rest.

The two fast paths are what a small dynamic model spends its time in, so they are written out flat: no loops, no
`*args`, no dictionary. Whatever is unusual (hooks on saved tensors, inference mode, anomaly mode, `out=`, mixed dtypes
that require grad) goes to `general.call`, which knows everything.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from .dtypes import F32, F64, as_float
from .general import call, check_savable, failure
from .grad_mode import GRAD, NO_GRAD, current
from .graph import next_rank
from .nodes import binary_nodes, unary_node
from .registry import Op
from .scalars import weak
from .tensor import Tensor

listener: Any = None
now = perf_counter_ns
new = object.__new__
getframe = sys._getframe


def entry(op: Op, dunder: bool = False) -> Callable[..., Any]:
    """The public function of `op`; with `dunder`, one that answers NotImplemented to operands it cannot take."""
    if op.composite:
        from .composite import composite_entry

        made = composite_entry(op)
    else:
        make = {"unary": unary_entry, "binary": binary_entry}.get(op.kind)
        made = general_entry(op) if make is None else make(op, dunder)
    made.__name__ = made.__qualname__ = op.name
    made.__doc__ = op.forward.__doc__
    made.__module__ = "dyncore"
    return made


def general_entry(op: Op) -> Callable[..., Any]:
    from .hot import warming_entry
    from .lists import entry_of

    made = entry_of(op) or warming_entry(op)
    made.__wrapped__ = op.forward  # type: ignore[attr-defined]
    return made


def unary_entry(op: Op, dunder: bool) -> Callable[..., Any]:
    forward, floats = op.forward, op.floats
    differentiable = op.differentiable
    save_input, save_result = "input" in op.saved_names, "result" in op.saved_names
    node_class: Any = None

    def entry(input: Any, *, out: Any = None) -> Any:
        nonlocal node_class
        mode = current()
        if (mode is not GRAD and mode is not NO_GRAD) or out is not None or not isinstance(input, Tensor):
            return call(op, (input,), {} if out is None else {"out": out})
        a = input._array
        if floats and a.dtype is not F32 and a.dtype is not F64:
            a = as_float(a)
        started = 0 if listener is None else now()
        try:
            r = forward(a)
        except Exception as error:
            raise failure(op, (input,), {}, error) from None
        result = new(Tensor)
        result._array = r
        result._meta = None
        edge = input._edge
        if edge is not None and differentiable and mode is GRAD:
            if node_class is None:
                node_class = unary_node(op)
            node = new(node_class)
            node.rank = next_rank()
            frame = getframe(1)
            while "__dyncore__" in frame.f_globals:
                frame = frame.f_back  # type: ignore[assignment]
            node.code = frame.f_code
            node.lasti = frame.f_lasti
            node.extra = None
            node.e0 = edge
            node.s0 = a if save_input else r if save_result else None
            result._edge = node
        else:
            result._edge = None
        if listener is not None:
            listener.op(op, (input,), {}, result, started, now())
        return result

    return entry


def binary_entry(op: Op, dunder: bool) -> Callable[..., Any]:
    forward, floats = op.forward, op.floats
    first, second = op.names
    for_first, for_second = op.rule_arguments.get(first, ()), op.rule_arguments.get(second, ())
    both_save_first, both_save_second = first in (*for_first, *for_second), second in (*for_first, *for_second)
    first_saves_first, first_saves_second = first in for_first, second in for_first
    second_saves_first, second_saves_second = first in for_second, second in for_second
    differentiable = op.differentiable
    both: Any = None
    only_first: Any = None
    only_second: Any = None
    broadcast: Any = None
    scaled = op.name in ("add", "sub", "rsub")

    def entry(input: Any, other: Any, *, alpha: Any = None, rounding_mode: Any = None, out: Any = None) -> Any:
        nonlocal both, only_first, only_second, broadcast
        if alpha is not None or rounding_mode is not None:
            return _with_options(op, input, other, scaled, alpha, rounding_mode, out)
        mode = current()
        if (mode is not GRAD and mode is not NO_GRAD) or out is not None or not isinstance(input, Tensor):
            return call(op, (input, other), {} if out is None else {"out": out}, dunder)
        a = input._array
        e0 = input._edge
        if isinstance(other, Tensor):
            b = other._array
            e1 = other._edge
            if a.dtype is not b.dtype:
                return call(op, (input, other), {})
            shaped = True
        else:
            b = weak(other, a)
            if b is None:
                return call(op, (input, other), {}, dunder)
            e1 = None
            shaped = False
        if floats and a.dtype is not F32 and a.dtype is not F64:
            a, b = as_float(a), as_float(b)
        started = 0 if listener is None else now()
        try:
            r = forward(a, b)
        except Exception as error:
            raise failure(op, (input, other), {}, error) from None
        result = new(Tensor)
        result._array = r
        result._meta = None
        result._edge = None
        if (e0 is not None or e1 is not None) and differentiable and mode is GRAD:
            if both is None:
                both, only_first, only_second, broadcast = binary_nodes(op)
            if shaped and a.shape != b.shape:
                node = new(broadcast)
                node.shapes = a.shape, b.shape
                node.e0, node.e1 = e0, e1
                node.s0 = a if both_save_first else None
                node.s1 = b if both_save_second else None
            elif e1 is None:
                node = new(only_first)
                node.e0 = e0
                node.s0 = a if first_saves_first else None
                node.s1 = b if first_saves_second else None
            elif e0 is None:
                node = new(only_second)
                node.e0 = e1
                node.s0 = a if second_saves_first else None
                node.s1 = b if second_saves_second else None
            else:
                node = new(both)
                node.e0 = e0
                node.e1 = e1
                node.s0 = a if both_save_first else None
                node.s1 = b if both_save_second else None
            node.rank = next_rank()
            frame = getframe(1)
            while "__dyncore__" in frame.f_globals:
                frame = frame.f_back  # type: ignore[assignment]
            node.code = frame.f_code
            node.lasti = frame.f_lasti
            node.extra = None
            if shaped and (e0 is None or e1 is None):
                constant = input if e0 is None else other
                if constant._meta is not None and (both_save_first if e0 is None else both_save_second):
                    check_savable(constant)
            result._edge = node
        if listener is not None:
            listener.op(op, (input, other), {}, result, started, now())
        return result

    return entry


def _with_options(op: Op, input: Any, other: Any, scaled: bool, alpha: Any, rounding_mode: Any, out: Any) -> Any:
    """`alpha=` of add and sub, `rounding_mode=` of div; TypeError for any other op."""
    from .registry import TABLE

    if rounding_mode is not None and op.name == "div":
        return TABLE["div_rounded"].entry(input, other, rounding_mode=rounding_mode, out=out)
    if alpha is None or not scaled or rounding_mode is not None:
        raise TypeError(
            f"{op.name}() got an unexpected keyword argument '{'rounding_mode' if alpha is None else 'alpha'}'"
        )
    if op.name == "rsub":
        return op.entry(input * alpha, other, out=out)
    return op.entry(input, other * alpha, out=out)
