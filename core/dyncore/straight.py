"""The operators that small models are made of, on arrays of float32 and float64, in the plain mode.

`dispatch.binary_entry` asks of each call what its op saves, which options were given and of what kind the operands are.
Here that is written out for each operator, and whatever else there is goes to that entry, scalars to
`straight_scalars.py`: a sum of two vectors 1.14 to 1.06 us, of a vector and a number 1.11 to 1.03, a comparison of a
number 0.42 to 0.27; bench 4,000 scalars 0.93 of before, chain 0.97, branch 0.97.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from numpy import float32, ndarray

from . import dispatch, events
from .dispatch import bare, beside, clock, due, look, most, oldest, pack, rows, source, strings, tell, write
from .dtypes import F32, F64
from .forwards import forward_of
from .general import check_savable, failure
from .grad_mode import GRAD, current, unusual
from .graph import ranks
from .nodes import binary_ways
from .own_code import own_code
from .parameter import Parameter
from .plain import plain_entry
from .registry import Op
from .scalars import known_numbers
from .sites import calling
from .straight_scalars import multiplied, summed
from .swift import SwiftPair, SwiftSingle
from .tensor import Tensor

__capture__ = "replayed"

__dyncore__ = True

events.holders.append(sys.modules[__name__])  # of what is imported from `dispatch`, and means another listener later
new, getframe = object.__new__, sys._getframe
KNOWN, KNOWN_SCALARS = known_numbers((F32, False)), known_numbers((F32, True))  # as operands of comparisons
Entry = Callable[[Any, Any], Any]


def operator_entry(op: Op, usual: Entry) -> Entry:
    """The function of an operator that is `usual` elsewhere; `usual` itself for one that is not written here."""
    if op.name in ("add", "sub", "rsub"):
        make, of_scalars = summing, own_code(summed(op, usual))
    elif op.name == "mul":
        make, of_scalars = multiplying, own_code(multiplied(op, usual))
    elif op.name in ("lt", "le", "gt", "ge"):
        return _named(comparing(op, usual), op, usual)
    else:
        return usual
    of_doubles = own_code(make(op, usual, of_scalars, usual, F64, 3))
    rest = own_code(make(op, usual, of_scalars, of_doubles, F32, 2))
    plain, heard = plain_entry(op, rest, of_scalars, make is multiplying)
    made = _named(plain, op, usual)
    events.speaks(made, heard)
    return made


def _named(entry: Entry, op: Op, usual: Entry) -> Entry:
    made: Any = own_code(entry)
    made.__doc__, made.__module__ = usual.__doc__, usual.__module__
    made.__name__ = made.__qualname__ = op.name
    return made  # type: ignore[no-any-return]


def summing(op: Op, usual: Entry, of_scalars: Entry, rest: Entry, dtype: Any, above: int) -> Entry:
    """Of an op that saves nothing."""
    known = known_numbers((dtype, False))
    forward: Any = None
    kind_of: Any = None  # the dtype, as soon as the others are there
    both = of_number = of_first = of_second = broadcast = theirs = None  # type: Any
    others: Entry

    def first(input: Any, other: Any) -> Any:
        nonlocal forward, kind_of, both, of_number, of_first, of_second, broadcast, others
        found = input._array.dtype
        if found is not F32 and found is not F64:
            return rest(input, other)
        forward = forward_of(op, (dtype, False), 2)
        both, of_number, of_second, of_first, broadcast = binary_ways(op, (dtype, False))
        kind_of, others = dtype, rest
        return (usual if found is dtype else rest)(input, other)

    others = first

    def entry(input: Any, other: Any) -> Any:
        nonlocal theirs
        if unusual and current() is not GRAD:
            return usual(input, other)
        kind = type(other)
        try:
            a, e0 = input._array, input._edge
            if type(a) is not ndarray:
                return of_scalars(input, other)
            if a.dtype is not kind_of:
                return others(input, other)
            if kind is Tensor or kind is Parameter:
                b, e1 = other._array, other._edge
                if b.dtype is not kind_of:
                    return usual(input, other)
            elif kind is float:
                b = known[other]
                e1 = None
            elif kind is int:
                b = known[other or int]
                e1 = None
            else:
                return usual(input, other)
        except (AttributeError, KeyError):  # no Tensor, or a number that nobody knows yet
            return usual(input, other)
        listener = dispatch.listener
        started = 0 if clock is None or listener is None else clock()
        try:
            r = forward(a, b)
        except Exception as error:
            raise failure(op, (input, other), {}, error) from None
        result = new(Tensor)
        result._array = r
        result._meta = None
        if e0 is not None or e1 is not None:
            node: Any
            frame = getframe(above)
            code = frame.f_code
            if code is not theirs:
                frame, code = calling(frame)
                theirs = code
            if e0 is not None and e1 is not None and a.shape == b.shape:
                node = SwiftPair()
                node.form = e0.form or e1.form
                node.way = both
                node.e0 = e0
                node.e1 = e1
                node.s0 = node.s1 = None
            elif kind is float or kind is int:
                node = SwiftSingle()
                node.way = of_number
                node.e0 = e0
                node.form = e0.form
                node.s0 = None
            elif a.shape != b.shape:
                node = broadcast()
                node.extra = None
                node.shapes = a.shape, b.shape
                node.e0, node.e1 = e0, e1
                node.s0 = node.s1 = None
            elif e1 is None:
                node = SwiftSingle()
                node.way = of_first
                node.e0 = e0
                node.form = e0.form
                node.s0 = None
            else:
                node = SwiftSingle()
                node.way = of_second
                node.e0 = e1
                node.form = e1.form
                node.s0 = None
            node.rank = next(ranks)
            node.code = code
            node.lasti = frame.f_lasti
            result._edge = node
            if listener is None:
                return result
            if (noted := rows) is not None and kind is not int:
                ended = 0 if clock is None else clock()
                result._trace = rank = node.rank
                try:
                    number = input._trace
                    if number >= oldest:
                        number = source(input)
                except AttributeError:
                    number = source(input)
                if kind is float:
                    second = other
                else:
                    try:
                        second = other._trace
                        if second >= oldest:
                            second = source(other)
                    except AttributeError:
                        second = source(other)
                if clock is None:  # who listens wants neither times nor what was made
                    noted += (number, rank, node.lasti, 0, 0, len(beside), op, second, None, code)
                else:
                    if (size := r.size) > most:
                        what = r.shape if a.dtype is bare else look(r, (input, other))
                    else:
                        what = size if kind_of is strings and r.ndim == 1 else r
                    noted += (number, rank, node.lasti, started, ended, len(beside), op, second, what, code)
                    if what is size:
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


def multiplying(op: Op, usual: Entry, of_scalars: Entry, rest: Entry, dtype: Any, above: int) -> Entry:
    """Of an op whose derivative by each operand wants the other one."""
    known = known_numbers((dtype, False))
    forward: Any = None
    kind_of: Any = None  # the dtype, as soon as the others are there
    both = of_number = of_first = of_second = broadcast = theirs = None  # type: Any
    others: Entry

    def first(input: Any, other: Any) -> Any:
        nonlocal forward, kind_of, both, of_number, of_first, of_second, broadcast, others
        found = input._array.dtype
        if found is not F32 and found is not F64:
            return rest(input, other)
        forward = forward_of(op, (dtype, False), 2)
        both, of_number, of_second, of_first, broadcast = binary_ways(op, (dtype, False))
        kind_of, others = dtype, rest
        return (usual if found is dtype else rest)(input, other)

    others = first

    def entry(input: Any, other: Any) -> Any:
        nonlocal theirs
        if unusual and current() is not GRAD:
            return usual(input, other)
        kind = type(other)
        try:
            a, e0 = input._array, input._edge
            if type(a) is not ndarray:
                return of_scalars(input, other)
            if a.dtype is not kind_of:
                return others(input, other)
            if kind is Tensor or kind is Parameter:
                b, e1 = other._array, other._edge
                if b.dtype is not kind_of:
                    return usual(input, other)
            elif kind is float:
                b = known[other]
                e1 = None
            elif kind is int:
                b = known[other or int]
                e1 = None
            else:
                return usual(input, other)
        except (AttributeError, KeyError):  # no Tensor, or a number that nobody knows yet
            return usual(input, other)
        listener = dispatch.listener
        started = 0 if clock is None or listener is None else clock()
        try:
            r = forward(a, b)
        except Exception as error:
            raise failure(op, (input, other), {}, error) from None
        result = new(Tensor)
        result._array = r
        result._meta = None
        if e0 is not None or e1 is not None:
            node: Any
            frame = getframe(above)
            code = frame.f_code
            if code is not theirs:
                frame, code = calling(frame)
                theirs = code
            if e0 is not None and e1 is not None and a.shape == b.shape:
                node = SwiftPair()
                node.form = e0.form or e1.form
                node.way = both
                node.e0 = e0
                node.e1 = e1
                node.s0 = a
                node.s1 = b
            elif kind is float or kind is int:
                node = SwiftSingle()
                node.way = of_number
                node.e0 = e0
                node.form = e0.form
                node.s0 = b
            elif a.shape != b.shape:
                node = broadcast()
                node.extra = None
                node.shapes = a.shape, b.shape
                node.e0, node.e1 = e0, e1
                node.s0 = None if e1 is None else a
                node.s1 = None if e0 is None else b
                if e1 is None and other._meta is not None:
                    check_savable(other)
                if e0 is None and input._meta is not None:
                    check_savable(input)
            elif e1 is None:
                node = SwiftSingle()
                node.way = of_first
                node.e0 = e0
                node.form = e0.form
                node.s0 = b
                if other._meta is not None:
                    check_savable(other)
            else:
                node = SwiftSingle()
                node.way = of_second
                node.e0 = e1
                node.form = e1.form
                node.s0 = a
                if input._meta is not None:
                    check_savable(input)
            node.rank = next(ranks)
            node.code = code
            node.lasti = frame.f_lasti
            result._edge = node
            if listener is None:
                return result
            if (noted := rows) is not None and kind is not int:
                ended = 0 if clock is None else clock()
                result._trace = rank = node.rank
                try:
                    number = input._trace
                    if number >= oldest:
                        number = source(input)
                except AttributeError:
                    number = source(input)
                if kind is float:
                    second = other
                else:
                    try:
                        second = other._trace
                        if second >= oldest:
                            second = source(other)
                    except AttributeError:
                        second = source(other)
                if clock is None:  # who listens wants neither times nor what was made
                    noted += (number, rank, node.lasti, 0, 0, len(beside), op, second, None, code)
                else:
                    if (size := r.size) > most:
                        what = r.shape if a.dtype is bare else look(r, (input, other))
                    else:
                        what = size if kind_of is strings and r.ndim == 1 else r
                    noted += (number, rank, node.lasti, started, ended, len(beside), op, second, what, code)
                    if what is size:
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


def comparing(op: Op, usual: Entry) -> Entry:
    """Of a comparison, which nothing leads back through."""
    forward = forward_of(op, (F32, False), 2)

    def entry(input: Any, other: Any) -> Any:
        if unusual and current() is not GRAD:
            return usual(input, other)
        kind = type(other)
        try:
            a = input._array
            if kind is Tensor:
                b = other._array
                if a.dtype is not F32 or b.dtype is not F32:
                    return usual(input, other)
            elif kind is not float and kind is not int:
                return usual(input, other)
            elif type(a) is float32:
                b = KNOWN_SCALARS[other or kind]
            elif a.dtype is F32:
                b = KNOWN[other or kind]
            else:
                return usual(input, other)
        except (AttributeError, KeyError):
            return usual(input, other)
        listener = dispatch.listener
        started = 0 if clock is None or listener is None else clock()
        try:
            r = forward(a, b)
        except Exception as error:
            raise failure(op, (input, other), {}, error) from None
        result = new(Tensor)
        result._array = r
        result._edge = result._meta = None
        if listener is not None:
            tell(op, input, other, result, started)
        return result

    return entry
