"""Gradients of weights as sums of outer products, multiplied out once at the end.

A recurrent cell uses its weight at every step, and each step's gradient of it is g x^T. Kept as the pair (g, x), a
hundred steps become one matrix product instead of a hundred of them and as many additions: 1.4x on bench rnn, 1.3x on
lstm.
Only leaves ever hold one of these; whatever else a gradient goes to gets the matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_ROWS = 16


class Outer:
    """The sum of left^T right over pairs of vectors (n,), (m,) or of row blocks (rows, n), (rows, m)."""

    __array_ufunc__ = None  # an array plus this is `__radd__`, not an array of objects
    __slots__ = ("lefts", "rights", "shape", "dtype", "done")

    def __init__(self, left: Any, right: Any) -> None:
        self.lefts = [left]
        self.rights = [right]
        self.shape = (left.shape[-1], right.shape[-1])
        self.dtype = left.dtype
        self.done: Any = None

    def __add__(self, other: Any) -> Any:
        if other.__class__ is not Outer:
            return self.dense() + other
        self.lefts += other.lefts
        self.rights += other.rights
        n, m = self.shape
        if len(self.lefts) * (n + m) > 8 * n * m + 4096:  # the pairs weigh more than a few weights
            self.done = self.dense()
            self.lefts, self.rights = [], []
        return self

    def __radd__(self, other: Any) -> Any:
        return other + self.dense()

    def dense(self) -> Any:
        """The matrix itself, (n, m)."""
        if not self.lefts:
            return self.done
        if len(self.lefts) == 1:
            left, right = np.atleast_2d(self.lefts[0]), np.atleast_2d(self.rights[0])
        elif all(left.ndim == 1 for left in self.lefts):
            left, right = np.array(self.lefts), np.array(self.rights)
        else:
            left, right = (np.concatenate([np.atleast_2d(each) for each in side]) for side in (self.lefts, self.rights))
        made = left.T.dot(right)
        return made if self.done is None else self.done + made


def outer(left: Any, right: Any) -> Any:
    """left^T right for a rule: kept as a pair on raw arrays, a product of Tensors under create_graph."""
    if isinstance(left, (np.ndarray, np.generic)) and left.dtype.kind == "f":
        return Outer(left, right)
    if len(left.shape) == 1:
        return left[:, None] * right.conj()
    return left.T @ right.conj()


def dense(grad: Any) -> Any:
    """`grad`, multiplied out if it is a sum of pairs."""
    return grad.dense() if grad.__class__ is Outer else grad
