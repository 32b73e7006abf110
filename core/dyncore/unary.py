"""The entry of unary ops, written out flat; the unusual goes to `general.call`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from numpy import ndarray

from . import dispatch, events
from .dispatch import bare, beside, clock, due, look, most, oldest, pack, rows, source, strings, tell, write
from .dtypes import F32, F64, as_float
from .forwards import forward_of
from .general import call, failure
from .grad_mode import GRAD, NO_GRAD, current, unusual
from .graph import ranks
from .nodes import Kind, unary_way
from .old_calls import only
from .registry import ABSENT, Op
from .sites import calling
from .swift import SwiftSingle
from .tensor import Tensor

__capture__ = "replayed"

__dyncore__ = True

heard = False  # whether somebody listens
events.holders.append(sys.modules[__name__])  # of what is imported from `dispatch`, and means another listener later
new, getframe = object.__new__, sys._getframe


def unary_entry(op: Op, dunder: bool) -> Callable[..., Any]:
    floats, differentiable = op.floats, op.differentiable
    save_input, save_result = "input" in op.saved_names, "result" in op.saved_names
    # For each kind of operand: the forward, and how its nodes are derived.
    ways: dict[Kind, tuple[Any, Any]] = {}
    array32 = scalar32 = array64 = scalar64 = other = theirs = None  # type: Any

    def way(kind: Kind) -> tuple[Any, Any]:
        if kind not in ways:
            ways[kind] = forward_of(op, kind, 1), unary_way(op, kind) if differentiable else None
        return ways[kind]

    def entry(input: Any = ABSENT, x: Any = None, a: Any = None, x1: Any = None, *, out: Any = None) -> Any:
        nonlocal array32, scalar32, array64, scalar64, other, theirs
        try:
            array, edge = input._array, input._edge
        except AttributeError:  # no Tensor: sooner than to ask whether it is one
            return call(op, only(op, input, x, a, x1), {} if out is None else {"out": out})
        if edge is None or type(array) is not ndarray or (form := edge.form) is None or unusual:
            pass
        elif heard:  # the same, noting what ran: neither dtype nor shape is asked
            forms_known = array32 is not None and differentiable and x is None and out is None
            if forms_known and (noted := rows) is not None and dispatch.listener is not None:
                forward, way_back = array32
                started = 0 if clock is None else clock()
                try:
                    r = forward(array)
                except Exception as error:
                    raise failure(op, (input,), {}, error) from None
                result = new(Tensor)
                result._array = r
                result._meta = None
                result._edge = node = SwiftSingle()
                node.way = way_back
                node.form = form
                node.rank = result._trace = rank = next(ranks)
                frame = getframe(1)
                code = frame.f_code
                if code is not theirs:
                    frame, code = calling(frame)
                    theirs = code
                node.code = code
                node.lasti = lasti = frame.f_lasti
                node.e0 = edge
                node.s0 = array if save_input else r if save_result else None
                ended = 0 if clock is None else clock()
                try:
                    number = input._trace
                    if number >= oldest:
                        number = source(input)
                except AttributeError:
                    number = source(input)
                if clock is None:
                    noted += (number, rank, lasti, 0, 0, len(beside), op, None, None, code)
                elif len(form) == 1 and (size := form[0]) <= most:
                    noted += (number, rank, lasti, started, ended, len(beside), op, None, size, code)
                    write(r)
                else:
                    what = r if r.size <= most else form if bare is F32 else look(r, (input,))
                    noted += (number, rank, lasti, started, ended, len(beside), op, None, what, code)
                if rank < due:
                    pack()
                return result
        elif array32 is not None and differentiable and x is None and out is None:
            # Of float32 in the plain mode, with nobody listening: 0.05 us.
            forward, way_back = array32
            try:
                r = forward(array)
            except Exception as error:
                raise failure(op, (input,), {}, error) from None
            result = new(Tensor)
            result._array = r
            result._meta = None
            result._edge = node = SwiftSingle()
            node.way = way_back
            node.form = form
            node.rank = next(ranks)
            frame = getframe(1)
            code = frame.f_code
            if code is not theirs:
                frame, code = calling(frame)
                theirs = code
            node.code = code
            node.lasti = frame.f_lasti
            node.e0 = edge
            node.s0 = array if save_input else r if save_result else None
            return result
        recorded = differentiable
        if unusual:
            mode = current()
            if mode is not GRAD:
                if mode is not NO_GRAD:
                    return call(op, only(op, input, x, a, x1), {} if out is None else {"out": out})
                recorded = False
        if out is not None or x is not None:
            return call(op, only(op, input, x, a, x1), {} if out is None else {"out": out})
        dtype = array.dtype
        if dtype is F32:
            if type(array) is ndarray:
                if array32 is None:
                    array32 = way((F32, False))
                forward, way_back = array32
            else:
                if scalar32 is None:
                    scalar32 = way((F32, True))
                forward, way_back = scalar32
        elif dtype is F64:
            if type(array) is ndarray:
                if array64 is None:
                    array64 = way((F64, False))
                forward, way_back = array64
            else:
                if scalar64 is None:
                    scalar64 = way((F64, True))
                forward, way_back = scalar64
        else:
            if other is None:
                other = way(None)
            forward, way_back = other
            if floats:
                array = as_float(array)
        listener = dispatch.listener
        started = 0 if clock is None or listener is None else clock()
        try:
            r = forward(array)
        except Exception as error:
            raise failure(op, (input,), {}, error) from None
        result = new(Tensor)
        result._array = r
        result._meta = None
        if edge is not None and recorded:
            node = SwiftSingle()
            node.way = way_back
            node.form = edge.form
            node.rank = next(ranks)
            frame = getframe(1)
            code = frame.f_code
            if code is not theirs:
                frame, code = calling(frame)
                theirs = code
            node.code = code
            node.lasti = frame.f_lasti
            node.e0 = edge
            node.s0 = array if save_input else r if save_result else None
            result._edge = node
            if listener is None:
                return result
            if (noted := rows) is not None:  # what its `quick` does, written out: recorded chain 1.39 to 1.29
                ended = 0 if clock is None else clock()
                result._trace = rank = node.rank
                try:
                    number = input._trace
                    if number >= oldest:
                        number = source(input)
                except AttributeError:
                    number = source(input)
                if clock is None:  # who listens wants neither times nor what was made
                    what = None if dtype is F32 or dtype is F64 else (r.shape, r.dtype)
                elif (size := r.size) > most:
                    what = r.shape if dtype is bare else look(r, (input,))
                else:
                    what = size if dtype is strings and r.ndim == 1 else r
                noted += (number, rank, node.lasti, started, ended, len(beside), op, None, what, code)
                if clock is not None and what is size:
                    write(r)
                if rank < due:
                    pack()
                return result
        else:
            result._edge = None
        if listener is not None:
            tell(op, input, None, result, started)
        return result

    return entry
