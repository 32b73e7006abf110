"""From an op's record to the functions users call, fast: one closure for unary ops, one for binary, one for the rest.

The two fast paths are what a small dynamic model spends its time in, so they are written out flat: no loops, no
`*args`, no dictionary. Whatever is unusual (hooks on saved tensors, inference mode, anomaly mode, `out=`, mixed dtypes
that require grad) goes to `general.call`, which knows everything.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import attrgetter
from time import perf_counter_ns as now
from typing import Any

import numpy as np

from . import versions
from .broadcast import unbroadcast
from .dtypes import F32, F64, as_float
from .general import call, check_savable, failure
from .grad_mode import GRAD, NO_GRAD, current
from .graph import FREED, BinaryNode, UnaryNode, next_rank
from .registry import Op
from .replay import wrap_saved
from .saved import check_unchanged, second_time
from .scalars import weak
from .tensor import Tensor

listener: Any = None
new = object.__new__
getframe = sys._getframe
ndarray = np.ndarray


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
    def entry(*args: Any, **kwargs: Any) -> Any:
        return call(op, args, kwargs)

    entry.__wrapped__ = op.forward  # type: ignore[attr-defined]
    return entry


def unary_entry(op: Op, dunder: bool) -> Callable[..., Any]:
    forward, floats = op.forward, op.floats
    differentiable = op.differentiable
    save_input, save_result = "input" in op.saved_names, "result" in op.saved_names
    node_class = unary_node(op) if differentiable else None

    def entry(input: Any, *, out: Any = None) -> Any:
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
            node = new(node_class)  # type: ignore[arg-type]
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
    first_for_first, first_for_second = first in for_first, first in for_second
    second_for_first, second_for_second = second in for_first, second in for_second
    saves_first, saves_second = first_for_first or first_for_second, second_for_first or second_for_second
    differentiable = op.differentiable
    node_class, broadcast_class = binary_nodes(op) if differentiable else (None, None)
    scaled = op.name in ("add", "sub", "rsub")

    def entry(input: Any, other: Any, *, alpha: Any = None, rounding_mode: Any = None, out: Any = None) -> Any:
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
        if (e0 is not None or e1 is not None) and differentiable and mode is GRAD:
            if shaped and a.shape != b.shape:
                node = new(broadcast_class)  # type: ignore[arg-type]
                node.shapes = a.shape, b.shape
            else:
                node = new(node_class)  # type: ignore[arg-type]
            node.rank = next_rank()
            frame = getframe(1)
            while "__dyncore__" in frame.f_globals:
                frame = frame.f_back  # type: ignore[assignment]
            node.code = frame.f_code
            node.lasti = frame.f_lasti
            node.extra = None
            node.e0 = e0
            node.e1 = e1
            node.s0 = a if (first_for_second and e1 is not None) or (first_for_first and e0 is not None) else None
            node.s1 = b if (second_for_first and e0 is not None) or (second_for_second and e1 is not None) else None
            if shaped and (e0 is None or e1 is None):
                constant = input if e0 is None else other
                if constant._meta is not None and (saves_first if e0 is None else saves_second):
                    check_savable(constant)
            result._edge = node
        else:
            result._edge = None
        if listener is not None:
            listener.op(op, (input, other), {}, result, started, now())
        return result

    return entry


def _with_options(
    op: Op, input: Any, other: Any, scaled: bool, alpha: Any, rounding_mode: Any, out: Any
) -> Any:
    """`alpha=` of add and sub, `rounding_mode=` of div; TypeError for any other op."""
    from .registry import TABLE

    if rounding_mode is not None and op.name == "div":
        return TABLE["div_rounded"].entry(input, other, rounding_mode=rounding_mode, out=out)
    if alpha is None or not scaled or rounding_mode is not None:
        raise TypeError(f"{op.name}() got an unexpected keyword argument '{'rounding_mode' if alpha is None else 'alpha'}'")
    if op.name == "rsub":
        return op.entry(input * alpha, other, out=out)
    return op.entry(input, other * alpha, out=out)


def unary_node(op: Op) -> type[UnaryNode]:
    """The node class of a unary op, with its derivative bound."""
    rule = op.rules[op.names[0]]
    saved = bool(op.saved_names)

    def run(self: Any, grad: Any, keep: bool) -> Any:
        value = self.s0
        if value is FREED:
            raise second_time(self)
        if versions.newest < self.rank:
            check_unchanged(self)
        if not keep:
            self.s0 = FREED
        return rule(grad, value)

    def run_bare(self: Any, grad: Any, keep: bool) -> Any:
        return rule(grad)

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        value = self.s0
        if not saved:
            return op.tensor_rules[op.names[0]](grad)
        if value is FREED:
            raise second_time(self)
        if versions.newest < self.rank:
            check_unchanged(self)
        if not keep:
            self.s0 = FREED
        return op.tensor_rules[op.names[0]](grad, wrap_saved(self, op.saved_names[0], value))

    methods = {"run": run if saved else run_bare, "run_tensors": run_tensors}
    return _node_class(op, op.default_title, UnaryNode, (), methods)


def binary_nodes(op: Op) -> tuple[type[BinaryNode], type[BinaryNode]]:
    """The node classes of a binary op: for equal shapes, and for broadcast ones."""
    first, second = op.names
    slots = {first: "s0", second: "s1"}
    rule0, rule1 = op.rules.get(first), op.rules.get(second)
    names0, names1 = (tuple(op.rule_arguments.get(name, ())[1:]) for name in (first, second))
    get0, get1 = (attrgetter(*(slots[n] for n in names)) if names else None for names in (names0, names1))
    several0, several1 = len(names0) > 1, len(names1) > 1
    saved = bool(op.saved_names)

    def run(self: Any, grad: Any, keep: bool) -> Any:
        e0, e1 = self.e0, self.e1
        if saved:
            if self.s0 is FREED:
                raise second_time(self)
            if versions.newest < self.rank:
                check_unchanged(self)
        g0 = g1 = None
        if e0 is not None and rule0 is not None:
            g0 = rule0(grad) if get0 is None else rule0(grad, *get0(self)) if several0 else rule0(grad, get0(self))
        if e1 is not None and rule1 is not None:
            g1 = rule1(grad) if get1 is None else rule1(grad, *get1(self)) if several1 else rule1(grad, get1(self))
        if saved and not keep:
            self.s0 = self.s1 = FREED
        return (e0, g0), (e1, g1)

    def run_broadcast(self: Any, grad: Any, keep: bool) -> Any:
        (e0, g0), (e1, g1) = run(self, grad, keep)
        shape0, shape1 = self.shapes
        if g0 is not None and g0.shape != shape0:
            g0 = unbroadcast(g0, shape0)
        if g1 is not None and g1.shape != shape1:
            g1 = unbroadcast(g1, shape1)
        return (e0, g0), (e1, g1)

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        if saved:
            if self.s0 is FREED:
                raise second_time(self)
            if versions.newest < self.rank:
                check_unchanged(self)
        values = {first: self.s0, second: self.s1}
        pairs = []
        for name, edge, names, rule in ((first, self.e0, names0, rule0), (second, self.e1, names1, rule1)):
            if edge is None or rule is None:
                pairs.append((edge, None))
            else:
                operands = [wrap_saved(self, each, values[each]) for each in names]
                pairs.append((edge, op.tensor_rules[name](grad, *operands)))
        if saved and not keep:
            self.s0 = self.s1 = FREED
        return pairs

    def run_tensors_broadcast(self: Any, grad: Any, keep: bool) -> Any:
        from .registry import TABLE

        shrink = TABLE["sum_to_size"].entry
        pairs = run_tensors(self, grad, keep)
        return [
            (edge, g if g is None or g._array.shape == shape else shrink(g, shape))
            for (edge, g), shape in zip(pairs, self.shapes, strict=True)
        ]

    plain = _node_class(op, op.default_title, BinaryNode, (), {"run": run, "run_tensors": run_tensors})
    broadcast = {"run": run_broadcast, "run_tensors": run_tensors_broadcast}
    return plain, _node_class(op, op.default_title, plain, ("shapes",), broadcast)


def _node_class(op: Op, title: str, base: type, slots: tuple[str, ...], methods: dict[str, Any]) -> Any:
    return type(title, (base,), {"__slots__": slots, "op": op, "title": title, "__module__": "dyncore", **methods})
