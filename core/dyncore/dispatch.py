"""From an op's record to the functions users call, fast: one closure for unary ops, one for binary, one for the rest.

What small models spend their time in is written out flat; the unusual (hooks, modes, `out=`) goes to `general.call`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from numpy import ndarray

from .dtypes import F32, F64, as_float
from .forwards import beside_view, forward_of
from .general import call, check_savable, failure
from .grad_mode import GRAD, NO_GRAD, current, unusual
from .graph import ranks
from .nodes import Kind, alone, binary_ways, crossed
from .old_calls import pair, with_options
from .own_code import own_code, without_keywords
from .registry import ABSENT, Op
from .scalars import known_numbers, weak, weak_unless_bool
from .sites import calling
from .swift import SwiftPair, SwiftSingle
from .tensor import Tensor

__capture__ = "replayed"

listener: Any = None
clock = quick = tell = rows = write = beside = source = pack = bare = look = strings = (
    listener  # see `events.Listener.op`
)
oldest = due = most = 0
STRAIGHT = {**dict.fromkeys(("add", "sub", "rsub", "mul"), 3), **dict.fromkeys(("lt", "le", "gt", "ge"), 2)}
now, new, getframe = perf_counter, object.__new__, sys._getframe


def entry(op: Op, dunder: bool = False) -> Callable[..., Any]:
    """The public function of `op`; with `dunder`, one that answers NotImplemented to operands it cannot take."""
    if op.composite:
        from .composite import composite_entry

        made = composite_entry(op)
    else:
        from .unary import unary_entry  # which cannot be imported before this module

        make = {"unary": unary_entry, "binary": binary_entry}.get(op.kind)
        made = general_entry(op, dunder) if make is None else own_code(make(op, dunder))
    made.__name__ = made.__qualname__ = op.name
    made.__doc__, made.__module__ = op.forward.__doc__, "dyncore"
    return made


def general_entry(op: Op, dunder: bool = False) -> Callable[..., Any]:
    from .hot import warming_entry

    made: Callable[..., Any] = warming_entry(op, dunder=dunder)
    if op.names[0] == "tensors" or "grads" in op.gradient_names:
        from .lists import entry_of  # 0.5 ms of a start

        made = entry_of(op) or made
    if op.flat:
        from . import affine, products

        made = (products if len(op.names) == 2 else affine).entry_of(op, made)
        if dunder:
            made = without_keywords(made)
    made.__wrapped__ = op.forward  # type: ignore[attr-defined]
    return made


def binary_entry(op: Op, dunder: bool) -> Callable[..., Any]:
    floats, differentiable, (first, second) = op.floats, op.differentiable, op.names
    for_first, for_second = op.rule_arguments.get(first, ()), op.rule_arguments.get(second, ())
    both_save_first, both_save_second = first in (*for_first, *for_second), second in (*for_first, *for_second)
    first_saves_first, first_saves_second = first in for_first, second in for_first
    second_saves_first, second_saves_second = first in for_second, second in for_second
    first_alone, second_alone, is_crossed = alone(op, first), alone(op, second), crossed(op)
    # For each kind of operands: the forward, how the nodes are derived, and the numbers known as operands.
    ways: dict[Kind, tuple[Any, Any, Any]] = {}
    array32 = scalar32 = array64 = scalar64 = unlike = theirs = beside32 = beside64 = None
    weakly = weak_unless_bool if op.name in ("sub", "rsub") else weak
    depth = dunder and STRAIGHT.get(op.name) or 1  # the user's frame is above those of `straight` and `plain`
    scaled, compares = op.name in ("add", "sub", "rsub"), op.name in ("eq", "ne", "lt", "le", "gt", "ge")

    def way(kind: Kind) -> tuple[Any, Any, Any]:
        if kind not in ways:
            ways[kind] = forward_of(op, kind, 2), binary_ways(op, kind) if differentiable else None, known_numbers(kind)
        return ways[kind]

    def entry(
        input: Any = ABSENT,
        other: Any = ABSENT,
        x2: Any = None,
        x1: Any = None,
        *,
        alpha: Any = None,
        rounding_mode: Any = None,
        out: Any = None,
    ) -> Any:
        nonlocal array32, scalar32, array64, scalar64, unlike, theirs, beside32, beside64
        if alpha is not None or rounding_mode is not None or x2 is not None:
            if x2 is not None:
                input, other, alpha = pair(op, input, other, x1, x2, alpha)
            return with_options(op, input, other, scaled, alpha, rounding_mode, out)
        recorded = differentiable
        if unusual:
            mode = current()
            if mode is not GRAD:
                if mode is not NO_GRAD:
                    return call(op, (input, other), {} if out is None else {"out": out}, dunder)
                recorded = False
        try:
            a, e0 = input._array, input._edge
            dtype = a.dtype
        except AttributeError:  # no Tensor: sooner than to ask whether it is one
            return call(op, (input, other), {} if out is None else {"out": out}, dunder)
        if out is not None:
            return call(op, (input, other), {"out": out}, dunder)
        kind = type(other)
        if dtype is F32:
            if type(a) is ndarray:
                if array32 is None:
                    array32 = way((F32, False))
                forward, back, known = array32
            else:
                if scalar32 is None:
                    scalar32 = way((F32, True))
                forward, back, known = scalar32
                if kind is Tensor and type(other._array) is ndarray and not other._array.ndim:
                    if beside32 is None:
                        beside32 = beside_view(forward, back, both_save_second)
                    forward, back = beside32
        elif dtype is F64:
            if type(a) is ndarray:
                if array64 is None:
                    array64 = way((F64, False))
                forward, back, known = array64
            else:
                if scalar64 is None:
                    scalar64 = way((F64, True))
                forward, back, known = scalar64
                if kind is Tensor and type(other._array) is ndarray and not other._array.ndim:
                    if beside64 is None:
                        beside64 = beside_view(forward, back, both_save_second)
                    forward, back = beside64
        else:
            if floats and dtype.kind in "iu" and dtype.itemsize < 8:  # a number of 300 is none of uint8
                return call(op, (input, other), {}, dunder)
            if unlike is None:
                unlike = way(None)
            forward, back, known = unlike
        if kind is Tensor:
            b, e1 = other._array, other._edge
            if dtype is not b.dtype:
                return call(op, (input, other), {})
            shaped = True
        elif kind is float or kind is int:
            # Not asked in `weak`: 0.13 us on bench chain.  Zeros by types, signs do not matter: 0.5 us of `x > 0`.
            try:
                b = known[other or (kind if compares or kind is int else None)]
            except KeyError:
                b = weak(other, a)
                if b is None:
                    return call(op, (input, other), {}, dunder)
            e1 = None
            shaped = False
        elif isinstance(other, Tensor):
            b, e1 = other._array, other._edge
            if dtype is not b.dtype:
                return call(op, (input, other), {})
            shaped = True
        else:
            b = weakly(other, a)
            if b is None:
                return call(op, (input, other), {}, dunder)
            e1 = None
            shaped = False
        if floats and dtype is not F32 and dtype is not F64:
            a, b = as_float(a), as_float(b)
        started = 0 if clock is None or listener is None else clock()
        try:
            r = forward(a, b)
        except Exception as error:
            raise failure(op, (input, other), {}, error) from None
        result = new(Tensor)
        result._array = r
        result._meta = None
        if recorded and (e0 is not None or e1 is not None):
            node: Any
            frame = getframe(depth)
            code = frame.f_code
            if code is not theirs:
                frame, code = calling(frame)
                theirs = code
            if not shaped and first_alone:
                node = SwiftSingle()
                node.form = None
                node.way = back[1]
                node.e0 = e0
                node.s0 = b if first_saves_second else a if first_saves_first else None
            elif shaped and a.shape != b.shape:
                node = back[4]()
                node.extra = None
                node.shapes = a.shape, b.shape
                node.e0, node.e1 = e0, e1
                if e1 is None:
                    node.s0 = a if first_saves_first else None
                    node.s1 = b if first_saves_second else None
                    if other._meta is not None and both_save_second:
                        check_savable(other)
                elif e0 is None:
                    node.s0 = a if second_saves_first else None
                    node.s1 = b if second_saves_second else None
                    if input._meta is not None and both_save_first:
                        check_savable(input)
                else:
                    node.s0 = a if both_save_first else None
                    node.s1 = b if both_save_second else None
            elif e1 is None:
                if first_alone:
                    node = SwiftSingle()
                    node.form = None
                    node.way = back[3 if shaped else 1]
                    node.s0 = b if first_saves_second else a if first_saves_first else None
                else:
                    node = back[3 if shaped else 1].kind()
                    node.extra = None
                    node.s0, node.s1 = a, b
                node.e0 = e0
                if shaped and both_save_second and other._meta is not None:
                    check_savable(other)
            elif e0 is None:
                if second_alone:
                    node = SwiftSingle()
                    node.form = None
                    node.way = back[2]
                    node.s0 = a if second_saves_first else b if second_saves_second else None
                else:
                    node = back[2].kind()
                    node.extra = None
                    node.s0, node.s1 = a, b
                node.e0 = e1
                if both_save_first and input._meta is not None:
                    check_savable(input)
            else:
                if is_crossed:
                    node = SwiftPair()
                    node.form = None
                    node.way = back[0]
                else:
                    node = back[0].kind()
                    node.extra = None
                node.e0 = e0
                node.e1 = e1
                node.s0 = a if both_save_first else None
                node.s1 = b if both_save_second else None
            node.rank = next(ranks)
            node.code = code
            node.lasti = frame.f_lasti
            result._edge = node
            if listener is None:
                return result
            if (noted := rows) is not None and (shaped or kind is float):
                ended = 0 if clock is None else clock()
                result._trace = rank = node.rank
                try:
                    number = input._trace
                    if number >= oldest:
                        number = source(input)
                except AttributeError:
                    number = source(input)
                if shaped:
                    try:
                        second = other._trace
                        if second >= oldest:
                            second = source(other)
                    except AttributeError:
                        second = source(other)
                else:
                    second = other
                if clock is None:  # who listens wants neither times nor what was made
                    what = None if dtype is F32 or dtype is F64 else (r.shape, r.dtype)
                elif (size := r.size) > most:
                    what = r.shape if dtype is bare else look(r, (input, other))
                else:
                    what = size if dtype is strings and r.ndim == 1 else r
                noted += (number, rank, node.lasti, started, ended, len(beside), op, second, what, code)
                if clock is not None and what is size:
                    write(r)
                if rank < due:
                    pack()
                return result
        else:
            result._edge = None
        if listener is not None:
            tell(op, input, other, result, started)
        return result

    return entry
