"""Columns of a tape, packed: integers eight bytes instead of forty, small arrays their elements instead of 130 bytes.

Packing costs 0.3 us an op of bench tracing, forward and backward, which only a long tape pays.
"""

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


class Integers:
    """Columns of integers."""

    __slots__ = ("data", "count")

    def __init__(self, columns: Sequence[Sequence[int]]) -> None:
        self.count = len(columns)
        self.data = Struct(f"{sum(map(len, columns))}q").pack(*chain.from_iterable(columns))

    def columns(self) -> list[tuple[int, ...]]:
        """The columns again."""
        length = len(self.data) // 8 // self.count
        return [Struct(f"{length}q").unpack_from(self.data, 8 * length * place) for place in range(self.count)]


class Strings:
    """Strings of less than 256 bytes: one after the other, and how long each is."""

    __slots__ = ("data", "lengths")

    def __init__(self, strings: Sequence[bytes]) -> None:
        self.data = b"".join(strings)
        alike = len(set(map(len, strings))) == 1
        self.lengths = bytes([len(strings[0])]) * len(strings) if alike else bytes(map(len, strings))

    def __iter__(self) -> Iterator[bytes]:
        start = 0
        for length in self.lengths:
            yield self.data[start : start + length]
            start += length


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
    """A column with arrays in it, or with their bytes.  Bytes are taken in, and arrays that nobody else holds, so that
    nobody can write them any more.

    column: in the place of each that was taken in, the number of its layer.  layers: those that were taken in together.
    left: whether it may be worth while to look again, which is done once.
    """

    __slots__ = ("column", "layers", "left")

    def __init__(self, column: list[Any]) -> None:
        self.column = column
        self.layers: list[Strings | Elements] = []
        self.left = True

    def pack(self) -> None:
        """Takes in bytes, and what nobody else holds by now."""
        again = bool(self.layers)
        kinds = set(map(type, self.column))
        if kinds == {bytes}:
            self._take(Strings)
        elif bytes in kinds:
            self._take(Strings, [what.__class__ is bytes for what in self.column])
        if ndarray in kinds:
            alone = [a.__class__ is ndarray and getrefcount(a) == _ALONE and a.base is None for a in self.column]
            self._take(Elements, alone)
        self.left = not again and ndarray in kinds and ndarray in map(type, self.column)

    def _take(self, kind: type[Strings] | type[Elements], taken: Sequence[bool] = ()) -> None:
        """Makes a layer of those that are to be taken in, of all by default."""
        number = len(self.layers)
        if all(taken):
            self.layers.append(kind(self.column))
            self.column = [number] * len(self.column)
        else:
            self.layers.append(kind([*compress(self.column, taken)]))
            self.column = [number if each else what for each, what in zip(taken, self.column)]

    def __iter__(self) -> Iterator[Any]:
        layers = [iter(layer) for layer in self.layers]
        for what in self.column:
            yield next(layers[what]) if what.__class__ is int else what
