"""Gradients of tables of which few rows are used, with the rows they came from.

`Embedding(sparse=True)` makes them for a leaf, and the leaf keeps a sparse tensor.  Everything between sees an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class RowGradient(np.ndarray):
    """A gradient (rows, width), with the numbers (nnz,) of its rows and their values (nnz, width) in order of use.

    The result of NumPy's functions is an array without these, but for the sum of two.
    """

    numbers: Any
    values: Any

    def __add__(self, other: Any) -> Any:
        if other.__class__ is not RowGradient:
            return np.add(self, other)
        return row_gradient(self.shape, *summed(self.numbers, self.values, other.numbers, other.values))

    def __neg__(self) -> RowGradient:
        return row_gradient(self.shape, self.numbers, -self.values)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        if out is not None:
            options["out"] = tuple(map(plain, out))
        return getattr(ufunc, method)(*map(plain, inputs), **options)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        kwargs = {name: plain(value) for name, value in kwargs.items()}
        return function(*map(plain, args), **kwargs)


def plain(value: Any) -> Any:
    """Return the array itself of a gradient by rows; anything else as it is."""
    return value.view(np.ndarray) if value.__class__ is RowGradient else value


def merged(first: Any, second: Any) -> tuple[Any, Any]:
    """Return the places in the sum that the elements of two operands go to, as PyTorch merges them.

    The heads of both are compared, and equal heads share a place: numbers that are in order come out in order.
    """
    places: tuple[list[int], list[int]] = [], []
    left, right = first.tolist(), second.tolist()
    i = j = count = 0
    while i < len(left) or j < len(right):
        take = i < len(left) and (j == len(right) or left[i] <= right[j])
        take_other = j < len(right) and (i == len(left) or right[j] <= left[i])
        if take:
            places[0].append(count)
            i += 1
        if take_other:
            places[1].append(count)
            j += 1
        count += 1
    return np.array(places[0], np.int64), np.array(places[1], np.int64)


def summed(first: Any, values: Any, second: Any, others: Any) -> tuple[Any, Any]:
    """Return the row numbers and the values of the sum of two gradients by rows."""
    at, other_at = merged(first, second)
    numbers = np.empty(max([0, *at[-1:] + 1, *other_at[-1:] + 1]), first.dtype)
    numbers[at], numbers[other_at] = first, second
    total = np.zeros((len(numbers), *values.shape[1:]), values.dtype)
    total[at] += values
    total[other_at] += others
    return numbers, total


def row_gradient(shape: tuple[int, ...], numbers: Any, values: Any) -> RowGradient:
    """Return the gradient of a table of this shape, of whose rows those of these numbers got these values."""
    dense = np.zeros(shape, values.dtype)
    np.add.at(dense, numbers, values)
    made = dense.view(RowGradient)
    made.numbers, made.values = numbers, values
    return made
