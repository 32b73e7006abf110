"""Sparse tensors, given by their elements and the places of these: as a dense tensor, and times a dense matrix."""

import numpy as np

from dyncore.dispatch.registry import op


def _rows_summed(terms, rows, count):
    """Return `count` rows: the sum of the terms of each, in their order."""
    result = np.zeros((count, *terms.shape[1:]), terms.dtype)
    if rows.size:
        order = np.argsort(rows, kind="stable")
        sorted_rows = rows[order]
        starts = np.flatnonzero(np.diff(sorted_rows, prepend=-1))
        result[sorted_rows[starts]] = np.add.reduceat(terms[order], starts, axis=0)
    return result


def _values_rule(g, dense, rows, columns):
    terms = g[rows] * np.conj(dense[columns])
    return np.sum(terms, -1) if dense.ndim > 1 else terms


def _full_rule(g, dense):
    return g @ np.conj(dense).swapaxes(-1, -2) if dense.ndim > 1 else np.expand_dims(g, -1) * np.conj(dense)


@op(
    values=_values_rule,
    full=_full_rule,
    dense=lambda g, values, rows, columns, dense_shape: sparse_product(
        np.conj(values), g, columns, rows, dense_shape[0]
    ),
    private=True,
    node=lambda adding, dense_shape: (
        "MvBackward0" if len(dense_shape) == 1 else "SparseAddmmBackward0" if adding else "MmBackward0"
    ),
)
def sparse_product(values, dense, rows, columns, count: int, adding: bool = False, full=None):
    """Product of a (count, n) matrix with `values` at (rows, columns) and a dense (n, k) or (n,) one.

    adding: whether the call was `sparse.mm`, whose node has another name than that of `mm`.
    full: (count, n), not read: it gets the gradient by every element.
    """
    return _rows_summed((np.expand_dims(values, -1) if dense.ndim > 1 else values) * dense[columns], rows, count)


@op(values=lambda g, coords: g[tuple(coords)], full=lambda g: g, private=True, node="ToDenseBackward0")
def sparse_to_dense(values, coords, size: tuple, full=None):
    """Dense tensor of a size with `values` (nnz, *) at `coords` (dims, nnz), summed where places are equal.

    full: a tensor of that size, not read: it gets the gradient by every element.
    """
    result = np.zeros(size, values.dtype)
    np.add.at(result, tuple(coords), values)
    return result
