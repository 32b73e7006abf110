"""Facts about matrices that derivatives treat as constants: identities, pivots, which gradients are absent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def raw(x: Any) -> Any:
    """Return the array of a Tensor, or the array itself."""
    return getattr(x, "_array", x)


def eye_like(x: Any, size: int | None = None) -> Any:
    """Return the identity of the dtype and, without `size`, of the last dimension of `x`."""
    array = raw(x)
    return np.eye(array.shape[-1] if size is None else size, dtype=array.dtype)


def absent(g: Any) -> bool:
    """Return True if a gradient is a constant zero: its output was not used."""
    return getattr(g, "_edge", None) is None and not np.any(raw(g))


def all_nonzero(x: Any) -> bool:
    """Return True if no element is zero."""
    return bool(np.all(raw(x)))


def is_complex(x: Any) -> bool:
    """Return True if the elements are complex."""
    return bool(raw(x).dtype.kind == "c")


def real_kind(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of the absolute values of `dtype`."""
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype


def factor(matrix: Any) -> tuple[Any, Any, Any]:
    """Return (LU, pivots, info) of a batch of matrices.

    Gauss's elimination with the largest element of each column as pivot.
    pivots: 1-based rows exchanged in turn, int32.  info: 0, or the 1-based position of the first pivot that is zero.
    """
    lu = np.array(matrix)
    *batch, rows, columns = lu.shape
    count = min(rows, columns)
    flat = lu.reshape(math.prod(batch), rows, columns)
    pivots = np.tile(np.arange(1, count + 1, dtype=np.int32), (len(flat), 1))
    info = np.zeros(len(flat), np.int32)
    each = np.arange(len(flat))
    for k in range(count):
        column = flat[:, k:, k]
        best = k + (np.abs(column.real) + np.abs(column.imag)).argmax(1)  # as LAPACK compares
        pivots[:, k] = best + 1
        swapped = flat[each, best].copy()
        flat[each, best] = flat[:, k]
        flat[:, k] = swapped
        head = flat[:, k, k]
        zero = head == 0
        info[zero & (info == 0)] = k + 1
        flat[:, k + 1 :, k] /= np.where(zero, 1, head)[:, None]
        flat[:, k + 1 :, k + 1 :] -= flat[:, k + 1 :, k, None] * flat[:, k, None, k + 1 :]
    return flat.reshape(lu.shape), pivots.reshape(*batch, count), info.reshape(batch)[()]


def eye_of(rows: int, columns: int, like: Any) -> Any:
    """Return a matrix with ones on its diagonal, of the dtype of `like`."""
    return np.eye(rows, columns, dtype=raw(like).dtype)


def zeros_of(shape: tuple[int, ...], like: Any) -> Any:
    """Return zeros of the dtype of `like`."""
    return np.zeros(shape, raw(like).dtype)


def constant(array: Any, like: Any) -> Any:
    """Return `array`, as a Tensor without history if `like` is a Tensor."""
    from dyncore.tensors.tensor import Tensor, wrap

    return wrap(raw(array), None) if isinstance(like, Tensor) else array


def ranks(values: Any = None, size: int = 0, rcond: float | None = None) -> Any:
    """Return how many singular values are above a limit, relative to the largest.

    An empty array without any values.
    """
    if values is None:
        return np.zeros(0, np.int64)
    array = raw(values)
    limit = array.max(-1, initial=0, keepdims=True) * (np.finfo(array.dtype).eps * size if rcond is None else rcond)
    return (array > limit).sum(-1)


def permutation(pivots: Any, like: Any) -> Any:
    """Return the matrix P with A = P L U, from the rows exchanged in turn; of the rows and dtype of `like`."""
    pivots, (rows, dtype) = raw(pivots), (like.shape[-2], raw(like).dtype)
    flat = pivots.reshape(math.prod(pivots.shape[:-1]), pivots.shape[-1])
    order = np.tile(np.arange(rows), (len(flat), 1))
    each = np.arange(len(flat))
    for k in range(pivots.shape[-1]):
        other = flat[:, k] - 1
        swapped = order[each, other].copy()
        order[each, other] = order[:, k]
        order[:, k] = swapped
    made = np.zeros((len(flat), rows, rows), dtype)
    made[each[:, None], order, np.arange(rows)] = 1
    return made.reshape(*pivots.shape[:-1], rows, rows)


def exponential(matrix: Any) -> Any:
    """Return e to the power of each matrix, by its Taylor polynomial of degree 18 on a scaled matrix, squared back."""
    if not matrix.size:
        return matrix.copy()
    norm = np.abs(matrix).sum(-2).max()
    times = max(0, int(np.ceil(np.log2(norm))) + 1) if np.isfinite(norm) and norm > 0.5 else 0
    scaled = matrix / matrix.dtype.type(2.0**times)
    identity = np.eye(matrix.shape[-1], dtype=matrix.dtype)
    total = identity + scaled / 18
    for k in range(17, 0, -1):
        total = identity + scaled @ total / k
    for _ in range(times):
        total = total @ total
    return total.astype(matrix.dtype, copy=False)


_MODES: dict[str, Any] = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def mirrored(size: int, amount: int, mode: str) -> Any:
    """Return the positions, in a signal, of the elements of the signal padded on both sides."""
    if mode not in _MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if mode == "reflect" and amount >= size:
        raise RuntimeError(
            "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
            f"({amount}, {amount}) at dimension 2 of input [1, 1, {size}]"
        )
    return np.pad(np.arange(size), amount, mode=_MODES[mode])
