"""Gradients of weights as sums of outer products, multiplied out once at the end.

A recurrent cell uses its weight at every step, and each step's gradient of it is g x^T. Kept as the pair (g, x), a
hundred steps become one matrix product instead of a hundred of them and as many additions (tests/bench, rnn and lstm).
Only leaves ever hold one of these; any other receiver of the gradient gets the matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_ROWS = 16


class Outer:
    """Sum of left^T right over pairs of vectors or of row blocks.

    Vectors (n,), (m,), or blocks (rows, n), (rows, m).
    Every `most` rows are multiplied out, wherever they came from, so that sums grouped otherwise are the same sums.
    One pair alone has no lists yet: most are made to be added to an older one, and then forgotten.
    """

    __array_ufunc__ = None  # an array plus this is `__radd__`, not an array of objects
    __slots__ = ("left", "right", "lefts", "rights", "rows", "most", "done")

    def __init__(self, left: Any, right: Any) -> None:
        self.left = left
        self.right = right
        self.lefts: list[Any] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.left.shape[-1], self.right.shape[-1]

    @property
    def dtype(self) -> Any:
        return self.left.dtype

    def _open(self) -> list[Any]:
        """Return the left sides, with everything else that a sum of pairs has."""
        if self.lefts is None:
            self.lefts = [self.left]
            self.rights = [self.right]
            self.rows = len(self.left) if self.left.ndim > 1 else 1
            n, m = self.shape
            self.most = most_rows(n, m)
            self.done: Any = None
        return self.lefts

    def __add__(self, other: Any) -> Any:
        if other.__class__ is not Outer:
            return self.dense() + other
        self.take(other)
        return self

    def take(self, other: Outer) -> None:
        """Add the pairs of another sum to these."""
        lefts = self.lefts
        if lefts is None:
            lefts = self._open()
        if other.lefts is None:
            lefts.append(other.left)
            self.rights.append(other.right)
            self.rows += len(other.left) if other.left.ndim > 1 else 1
        else:
            lefts += other.lefts
            self.rights += other.rights
            self.rows += other.rows
            if other.done is not None:
                self.done = other.done if self.done is None else self.done + other.done
        if self.rows >= self.most:  # the pairs weigh more than a few weights
            self._multiply_out()

    def put(self, left: Any, right: Any) -> None:
        """Add a pair of vectors."""
        lefts = self.lefts
        if lefts is None:
            lefts = self._open()
        lefts.append(left)
        self.rights.append(right)
        self.rows += 1
        if self.rows >= self.most:
            self._multiply_out()

    def __radd__(self, other: Any) -> Any:
        return other + self.dense()

    def _multiply_out(self) -> None:
        most = self.most
        while self.rows >= most:
            left, right = self._rows()
            made = left[:most].T.dot(right[:most])
            self.done = made if self.done is None else self.done + made
            self.rows -= most
            self.lefts, self.rights = ([left[most:]], [right[most:]]) if self.rows else ([], [])

    def _rows(self) -> tuple[Any, Any]:
        assert self.lefts is not None
        return blocks(self.lefts, self.rows), blocks(self.rights, self.rows)

    def dense(self) -> Any:
        """Return the matrix itself, (n, m)."""
        if self.lefts is None:
            left, right = self.left, self.right
            if left.ndim == right.ndim == 1:  # sooner than what follows (tests/bench, early exit)
                return left[:, None].dot(right[None])
            if left.ndim == right.ndim == 2 and len(left) < most_rows(left.shape[1], right.shape[1]):
                return left.T.dot(right)
        self._open()
        if self.rows >= self.most:
            self._multiply_out()
        if not self.rows and self.done is not None:
            return self.done
        left, right = self._rows()
        made = left.T.dot(right)
        return made if self.done is None else self.done + made


def paired(leaves: dict[Any, list[Any]], leaf: Any, left: Any, right: Any) -> Outer | None:
    """Return the outer product of two arrays for a leaf; None if it was put among those that wait at the leaf.

    Without an object that is made to be put there and forgotten (tests/bench, RNN by hand).
    """
    found = leaves.get(leaf)
    if (
        found is None or type(found[0]) is not Outer or left.ndim != 1
        or leaf.extra is not None or leaf.post_accumulate is not None
    ):  # fmt: skip
        return Outer(left, right)
    found[0].put(left, right)
    return None


def most_rows(n: int, m: int) -> int:
    """Return how many pairs of vectors are more memory than a few matrices.

    So many are multiplied out.
    """
    return (8 * n * m + 4096) // (n + m or 1) + 1


def blocks(parts: list[Any], rows: int) -> Any:
    """Join vectors and blocks of rows to one block of so many rows."""
    width = parts[0].shape[-1]
    if rows == len(parts):
        try:
            made = np.array(parts)  # sooner than joining a few rows
            return made if made.ndim == 2 else made.reshape(rows, width)
        except ValueError:  # some are vectors, others blocks of one row
            pass
    return np.concatenate(parts, None).reshape(rows, width)


def outer(left: Any, right: Any) -> Any:
    """left^T right for a rule: kept as a pair on raw arrays, a product of Tensors under create_graph."""
    if left.__class__ is np.ndarray and left.dtype.kind == "f":
        return Outer(left, right)
    if len(left.shape) == 1:
        return left[:, None] * right.conj()
    return left.T @ right.conj()


def dense(grad: Any) -> Any:
    """Return `grad`, multiplied out if it is a sum of pairs."""
    return grad.dense() if grad.__class__ is Outer else grad
