"""Columns of a table, packed: numbers in eight bytes instead of forty, small arrays as their elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, compress
from operator import attrgetter
from struct import Struct
from sys import getrefcount
from typing import Any

import numpy as np
from numpy import ndarray

_shape, _dtype = attrgetter("shape"), attrgetter("dtype")
(_ALONE,) = [getrefcount(each) for each in [object()]]  # what only a column and the loop over it refer to


class Numbers:
    """Columns of integers, of kind `q`, or of floats, of kind `d`."""

    __slots__ = ("kind", "data", "count")

    def __init__(self, kind: str, columns: Sequence[Sequence[float]]) -> None:
        self.kind, self.count = kind, len(columns)
        self.data = Struct(f"{sum(map(len, columns))}{kind}").pack(*chain.from_iterable(columns))

    def columns(self) -> list[tuple[Any, ...]]:
        """The columns again."""
        length = len(self.data) // 8 // self.count
        return [
            Struct(f"{length}{self.kind}").unpack_from(self.data, 8 * length * place) for place in range(self.count)
        ]


class Elements:
    """Arrays: the elements of all, the forms that there are, a shape and a dtype, and which of them each has."""

    __slots__ = ("data", "forms", "kinds")

    def __init__(self, arrays: Sequence[Any]) -> None:
        forms: dict[Any, int] = {}
        if len(set(map(_shape, arrays))) == 1 == len(set(map(id, map(_dtype, arrays)))):
            forms[arrays[0].shape, arrays[0].dtype] = 0
            self.kinds = [0] * len(arrays)
        else:
            self.kinds = [forms.setdefault(form, len(forms)) for form in zip(map(_shape, arrays), map(_dtype, arrays))]
        self.forms = [*forms]
        try:
            self.data = b"".join(arrays)
        except (BufferError, TypeError):  # not in C order
            self.data = b"".join(map(ndarray.tobytes, arrays))

    def __iter__(self) -> Iterator[Any]:
        start = 0
        for kind in self.kinds:
            shape, dtype = self.forms[kind]
            array: Any = np.ndarray(shape, dtype, self.data, start)
            start += array.nbytes
            yield array


class Arrays:
    """A column with arrays in it.  Those are taken in that nobody else holds, so that nobody can write them any more.

    column: in the place of each that was taken in, the elements that it is among.
    left: whether it may be worth while to look again, which is done once.
    """

    __slots__ = ("column", "left", "again")

    def __init__(self, column: list[Any]) -> None:
        self.column = column
        self.left = True
        self.again = False

    def pack(self) -> None:
        """Takes in what nobody else holds by now."""
        if ndarray in set(map(type, self.column)):
            taken = [a.__class__ is ndarray and getrefcount(a) == _ALONE and a.base is None for a in self.column]
            if any(taken):
                elements = Elements([*compress(self.column, taken)])
                self.column = [elements if each else what for each, what in zip(taken, self.column)]
        self.left = not self.again and ndarray in map(type, self.column)
        self.again = True

    def __iter__(self) -> Iterator[Any]:
        taken: dict[int, Iterator[Any]] = {}
        for what in self.column:
            if what.__class__ is Elements:
                what = next(taken.get(id(what)) or taken.setdefault(id(what), iter(what)))
            yield what
