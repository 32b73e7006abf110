"""The ops that the small suite needs, on the engine without features.  `OPS` are those that are called by name."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from dyncore.dispatch.outer import Outer
from dyncore.dtypes.dtypes import F32
from dyncore.ops.few import largest_of, ones_of, sum_of, sums_along
from tests.bench.floor.engine import Many, Pair, Piece, Tensor, Way, binary, made, ranks, recorded, recorded_many, unary

ONES = {kind: np.ones((), kind) for kind in (np.dtype("f4"), np.dtype("f8"))}
ZEROS = {kind: np.zeros((), kind) for kind in ONES}
ONE, ZERO = ONES[F32], ZEROS[F32]


def one_for(array: Any) -> Any:
    return ONE if array.dtype is F32 else ONES[array.dtype]


def tanh_slope(grad: Any, result: Any) -> Any:
    slope = result * result
    np.subtract(one_for(result), slope, slope)
    return np.multiply(slope, grad, slope)


def sigmoid_forward(a: Any) -> Any:
    one = one_for(a)
    r = np.negative(a)
    np.exp(r, r)
    np.add(r, one, r)
    return np.divide(one, r, r)


def sigmoid_slope(grad: Any, result: Any) -> Any:
    slope = one_for(result) - result
    np.multiply(slope, result, slope)
    return np.multiply(slope, grad, slope)


def relu_slope(grad: Any, result: Any) -> Any:
    passed = np.zeros(grad.shape, grad.dtype)
    np.putmask(passed, result, grad)
    return passed


def to_shape(grad: Any, shape: Any) -> Any:
    """A gradient of a matrix summed over the rows that one row was stretched to."""
    return grad if grad.shape == shape else sums_along(grad, 0, True)


def filled(grad: Any, shape: Any) -> Any:
    stretched = np.empty(shape, grad.dtype)
    stretched.fill(grad)
    return stretched


tanh = unary(np.tanh, tanh_slope, lambda g, result: g * (result.dtype.type(1) - result * result))
sigmoid = unary(sigmoid_forward, sigmoid_slope, sigmoid_slope)
relu = unary(lambda a: np.maximum(ZERO if a.dtype is F32 else ZEROS[a.dtype], a), relu_slope, relu_slope)
times = operator.mul
multiply = binary(operator.mul, (Way(times, times), Way(times), Way(times), Way(times, times)), True)
add = binary(operator.add, (Way(None, None), Way(None), Way(None), Way(to_shape, to_shape)), False)
subtract = binary(operator.sub, (Way(None, operator.neg), Way(None), Way(None), Way(None)), False)

PRODUCT = Way(Outer, lambda g, w: g.dot(w))
WEIGHT = Way(Outer)
SUM, SUM_ALONG = Way(filled), Way(lambda g, shape: g + np.zeros(shape, g.dtype))
SOFTMAX = Way(lambda g, r: r * (g - sum_of(g * r)))
MAX = Way(lambda g, place: place)  # nothing in the suite goes back through it


def matmul(input: Any, other: Any) -> Any:
    """A matrix that needs a gradient times a vector."""
    a, b, e1 = input._array, other._array, other._edge
    if e1 is None:
        return recorded(a.dot(b), WEIGHT, input._edge, b)
    node = Pair()
    node.way = PRODUCT
    node.e0 = input._edge
    node.e1 = e1
    node.s0 = a
    node.s1 = b
    node.rank = next(ranks)
    return made(a.dot(b), node)


def linear(input: Any, weight: Any, bias: Any) -> Any:
    """input @ weight.T + bias of a few rows."""
    a, w = input._array, weight._array
    r = a.dot(w.T)
    row = r[0] if len(r) == 1 else r
    np.add(row, bias._array, row)
    edge = input._edge
    return recorded_many(r, linear_back, (edge, weight._edge, bias._edge), (a, None if edge is None else w))


def linear_back(grad: Any, saved: Any) -> Any:
    a, w = saved
    rows = len(grad)
    return (
        None if w is None else grad.dot(w),
        Outer(grad, a),
        grad[0] if rows == 1 else ones_of(rows, 0, grad.dtype).dot(grad),
    )


def sum(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The sum of all elements, or of the rows."""
    a = input._array
    if dim is None:
        return recorded(sum_of(a), SUM, input._edge, a.shape)
    r = sums_along(a, dim, keepdim)
    if r is None:
        r = a.sum(dim, keepdims=keepdim)
    return recorded(r, SUM_ALONG, input._edge, a.shape)


def softmax_forward(row: Any) -> Any:
    """The softmax of a row, whose exponentials are neither too large nor too small in the suite."""
    e = np.exp(row)
    length = row.shape[-1]
    totals = e.dot(ones_of(length, length, e.dtype))
    if not 1.0 <= totals.item(0) < 1e30:
        raise ValueError("not needed by the suite")
    return np.divide(e, totals, e)


def softmax(input: Any, dim: int) -> Any:
    """The softmax of one row."""
    r = softmax_forward(input._array)
    return recorded(r, SOFTMAX, input._edge, r)


def largest(input: Any) -> Any:
    """The largest element."""
    return recorded(largest_of(input._array), MAX, input._edge, None)


def logsumexp(input: Any, dim: int) -> Any:
    """The logarithm of the sum of a row's exponentials."""
    e = np.exp(input._array)
    total = e.dot(ones_of(e.shape[-1], 0, e.dtype))
    return recorded(np.log(total), LOGSUMEXP, input._edge, (e, total))


LOGSUMEXP = Way(lambda g, saved: saved[0] * (g / saved[1]))


def chunk(input: Any, chunks: int) -> list[Tensor]:
    """A vector in equal pieces."""
    return pieces(input, input._array.reshape(chunks, -1), join)


def split(input: Any, size: int, dim: int) -> list[Tensor]:
    """One row in equal pieces."""
    return pieces(input, input._array.reshape(-1, 1, size), join_row)


def pieces(input: Any, parts: Any, joined: Any) -> list[Tensor]:
    edge = input._edge
    if edge is None:
        return [made(part, None) for part in parts]
    node = Many()
    node.back = joined
    node.edges = (edge,)
    node.saved = len(parts)
    node.rank = next(ranks)
    return [made(part, Piece(node, number)) for number, part in enumerate(parts)]


def join(grads: Any, _: int) -> Any:
    return (np.concatenate(grads),)


def join_row(grads: Any, _: int) -> Any:
    return (np.concatenate(grads, 1),)


def cat(tensors: Any) -> Tensor:
    """Rows put below each other."""
    arrays = [each._array for each in tensors]
    return recorded_many(np.concatenate(arrays), parted, [each._edge for each in tensors], None)


def parted(grad: Any, _: Any) -> Any:
    return grad[:, None]


def lstm_step(gates: Any, cell: Any) -> tuple[Tensor, Tensor]:
    """The new (h, c) from four gates side by side and the old c, as the engine's two ops of it compute them."""
    g, c = gates._array, cell._array
    size = c.shape[-1]
    both, new = sigmoid_forward(g[:, : 2 * size]), np.tanh(g[:, 2 * size : 3 * size])
    state = recorded_many(
        both[:, size:] * c + both[:, :size] * new, cell_back, (gates._edge, cell._edge), (c, both, new)
    )
    out, inner = sigmoid_forward(g[:, 3 * size :]), np.tanh(state._array)
    hidden = recorded_many(out * inner, hidden_back, (gates._edge, state._edge), (out, inner))
    return hidden, state


def cell_back(grad: Any, saved: Any) -> Any:
    c, both, new = saved
    size = c.shape[-1]
    slopes = both - both * both
    third = grad * both[:, :size]
    third = third - third * new * new
    first, second = grad * new * slopes[:, :size], grad * c * slopes[:, size:]
    return np.concatenate([first, second, third, np.zeros(third.shape, third.dtype)], 1), grad * both[:, size:]


def hidden_back(grad: Any, saved: Any) -> Any:
    out, inner = saved
    last = grad * inner * (out - out * out)
    zero, through = np.zeros(last.shape, last.dtype), grad * out
    return np.concatenate([zero, zero, zero, last], 1), through - through * inner * inner
