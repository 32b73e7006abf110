"""The operators that small models are made of, on two arrays of float32 of one form, or one and a number.

Forms (`forms.py`) say that nothing else need be asked; what has none goes to `straight.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

from numpy import float32, ndarray

from . import dispatch, events
from .dispatch import bare, beside, clock, due, look, most, oldest, pack, rows, source, write
from .dtypes import F32
from .forwards import forward_of
from .general import failure
from .grad_mode import unusual
from .graph import ranks
from .nodes import binary_ways
from .parameter import Parameter
from .registry import Op
from .scalars import known_numbers
from .sites import calling
from .swift import SwiftPair, SwiftSingle
from .tensor import Tensor

__capture__ = "replayed"

__dyncore__ = True

events.holders.append(sys.modules[__name__])  # of what is imported from `dispatch`, and means another listener later
new, getframe = object.__new__, sys._getframe
KNOWN = known_numbers((F32, False))
Entry = Callable[[Any, Any], Any]


def plain_entry(op: Op, rest: Entry, of_scalars: Entry, saves: bool) -> tuple[Entry, CodeType]:
    """The operator's function, which hands on what is not plain, and its code while somebody listens.

    saves: whether each derivative wants the other operand.
    """
    forward: Any = None
    both = of_number = of_first = of_second = theirs = None  # type: Any

    def first(a: Any, b: Any) -> Any:
        nonlocal forward, both, of_number, of_first, of_second
        both, of_number, of_second, of_first, _ = binary_ways(op, (F32, False))
        forward = forward_of(op, (F32, False), 2)
        return None

    forward = first

    def entry(input: Any, other: Any) -> Any:
        nonlocal theirs
        if unusual:
            return rest(input, other)
        try:
            a, e0 = input._array, input._edge
        except Exception:  # no Tensor, or a parameter without elements yet: `rest` says it in PyTorch's words
            a = e0 = None
        if type(a) is float32:  # before the form, as what leads back may be of many classes: 0.02 us of a scalar
            return of_scalars(input, other)
        r = None
        kind = type(other)
        try:
            if e0 is None:  # a constant: with another one 9.8 to 8.7 thousand instructions, nothing else asked
                if type(a) is not ndarray or a.dtype is not F32:
                    pass
                elif kind is Tensor or kind is Parameter:
                    b, e1 = other._array, other._edge
                    if e1 is None:
                        if b.dtype is F32:
                            r = forward(a, b)
                    elif a.shape == (form := e1.form) and (not saves or input._meta is None):
                        r = forward(a, b)
                        way, e0, e1, b = of_second, e1, None, a
                elif kind is float or kind is int:
                    r = forward(a, KNOWN[other if kind is float else other or int])
                if e0 is None and r is not None:
                    result = new(Tensor)
                    result._array = r
                    result._edge = result._meta = None
                    return result
            elif (form := e0.form) is None:
                pass
            elif kind is Tensor or kind is Parameter:
                b, e1 = other._array, other._edge
                if e1 is not None:
                    if e1.form is form:
                        r = forward(a, b)
                elif b.dtype is F32 and b.shape == form and (not saves or other._meta is None):
                    r = forward(a, b)
                    way = of_first
            elif kind is float:
                b = KNOWN[other]
                e1 = None
                r = forward(a, b)
                way = of_number
            elif kind is int:
                b = KNOWN[other or int]
                e1 = None
                r = forward(a, b)
                way = of_number
        except KeyError:  # a number that nobody knows yet
            r = None
        except Exception as error:
            raise failure(op, (input, other), {}, error) from None
        if r is None:
            return rest(input, other)
        result = new(Tensor)
        result._array = r
        result._meta = None
        node: Any
        if e1 is None:
            node = SwiftSingle()
            node.way = way
            node.s0 = b if saves else None
        else:
            node = SwiftPair()
            node.way = both
            node.e1 = e1
            if saves:
                node.s0 = a
                node.s1 = b
            else:
                node.s0 = node.s1 = None
        node.e0 = e0
        node.form = form
        frame = getframe(1)
        code = frame.f_code
        if code is not theirs:
            frame, code = calling(frame)
            theirs = code
        node.rank = next(ranks)
        node.code = code
        node.lasti = frame.f_lasti
        result._edge = node
        return result

    def heard(input: Any, other: Any) -> Any:
        """The same, noting what ran, with what forms say of it: 0.92 of a recorded chain (bench tracing)."""
        nonlocal theirs
        if unusual or (noted := rows) is None or dispatch.listener is None:
            return rest(input, other)
        try:
            a, e0 = input._array, input._edge
        except Exception:
            a = e0 = None
        if type(a) is float32:
            return of_scalars(input, other)
        r = None
        kind = type(other)
        started = 0 if clock is None else clock()
        try:
            if e0 is None:
                if (kind is Tensor or kind is Parameter) and type(a) is ndarray and a.dtype is F32:
                    e1 = other._edge
                    if e1 is not None and a.shape == (form := e1.form) and input._meta is None:
                        r = forward(a, other._array)
                        way, e0, e1, b = of_second, e1, None, a
            elif (form := e0.form) is None:
                pass
            elif kind is Tensor or kind is Parameter:
                b, e1 = other._array, other._edge
                if e1 is not None:
                    if e1.form is form:
                        r = forward(a, b)
                elif b.dtype is F32 and b.shape == form and other._meta is None:
                    r = forward(a, b)
                    way = of_first
            elif kind is float:
                b = KNOWN[other]
                e1 = None
                r = forward(a, b)
                way = of_number
            elif kind is int:
                b = KNOWN[other or int]
                e1 = None
                r = forward(a, b)
                way = of_number
        except KeyError:
            r = None
        except Exception as error:
            raise failure(op, (input, other), {}, error) from None
        if r is None:
            return rest(input, other)
        result = new(Tensor)
        result._array = r
        result._meta = None
        node: Any
        if e1 is None:
            node = SwiftSingle()
            node.way = way
            node.s0 = b if saves else None
        else:
            node = SwiftPair()
            node.way = both
            node.e1 = e1
            if saves:
                node.s0 = a
                node.s1 = b
            else:
                node.s0 = node.s1 = None
        node.e0 = e0
        node.form = form
        frame = getframe(1)
        code = frame.f_code
        if code is not theirs:
            frame, code = calling(frame)
            theirs = code
        node.rank = result._trace = rank = next(ranks)
        node.code = code
        node.lasti = lasti = frame.f_lasti
        result._edge = node
        ended = 0 if clock is None else clock()
        try:
            number = input._trace
            if number >= oldest:
                number = source(input)
        except AttributeError:
            number = source(input)
        second: Any
        if kind is float:
            second = other
        elif kind is int:
            second = (other,)
        else:
            try:
                second = other._trace
                if second >= oldest:
                    second = source(other)
            except AttributeError:
                second = source(other)
        if clock is None:  # who listens wants neither times nor what was made
            noted += (number, rank, lasti, 0, 0, len(beside), op, second, None, code)
        elif len(form) == 1 and (size := form[0]) <= most:
            noted += (number, rank, lasti, started, ended, len(beside), op, second, size, code)
            write(r)
        else:
            what = r if r.size <= most else form if bare is F32 else look(r, (input, other))
            noted += (number, rank, lasti, started, ended, len(beside), op, second, what, code)
        if rank < due:
            pack()
        return result

    return entry, heard.__code__
