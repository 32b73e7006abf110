"""Average pooling to a given size: means of nearly equal parts."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes.dtypes import F32, F64
from dyncore.dtypes.supported import refusal
from dyncore.graph.names import named as called
from dyncore.ops.pool import check_line
from dyncore.ops.sliding import kept
from dyncore.tensors.strides import with_channels


def bins(size, count):
    """Return the start and end of `count` nearly equal parts of `size` elements."""
    numbers = np.arange(count)
    return numbers * size // max(count, 1), -(-(numbers + 1) * size // max(count, 1))


@kept
def bin_means(size, count):
    """Return the (count, size) matrix that averages over the parts."""
    start, end = bins(size, count)
    positions = np.arange(size)
    inside = (positions >= start[:, None]) & (positions < end[:, None])
    return inside / np.maximum(end - start, 1)[:, None]


def product_along(values, matrices):
    """Multiply `values` by one matrix (new, old) along each of its last dimensions."""
    rank, given = len(matrices), values
    for number, matrix in enumerate(matrices):
        if matrix is None:
            continue
        axis = values.ndim - rank + number
        moved = np.matmul(
            matrix.astype(values.dtype), values.swapaxes(axis, -2) if axis < values.ndim - 1 else values[..., None]
        )
        values = moved.swapaxes(axis, -2) if axis < values.ndim - 1 else moved[..., 0]
    total = np.add.reduce(values, axis=None)
    if total != total and not np.isfinite(given).all():
        return _weighted(given, matrices)
    return np.ascontiguousarray(values)


def _weighted(values, matrices):
    """Compute `product_along` of values that are not all finite.

    An element counts only where its weight is not 0.
    """
    for axis, matrix in enumerate(matrices, values.ndim - len(matrices)):
        if matrix is None:
            continue
        last = np.moveaxis(values, axis, -1)
        result = np.zeros((*last.shape[:-1], len(matrix)), values.dtype)
        for position, weights in enumerate(matrix.astype(values.dtype)):
            used = np.flatnonzero(weights)
            result[..., position] = np.add.reduce(last[..., used] * weights[used], axis=-1)
        values = np.moveaxis(result, -1, axis)
    return np.ascontiguousarray(values)


def _adaptive_error(shape, output_size):
    """Return the error for a negative size, or for an empty input.

    A line is an image of height 1.
    """
    if len(output_size) == 1:
        shape, output_size = (*shape[:-1], 1, shape[-1]), (1, *output_size)
    rank = len(output_size)
    if min(output_size) < 0:
        given = ", ".join(map(str, output_size[:2])) + "".join(f",{n}" for n in output_size[2:])
        return RuntimeError(
            f"adaptive_avg_pool{rank}d: elements of output_size must be greater than or equal to 0 but received "
            f"{{{given}}}"
        )
    return RuntimeError(
        f"adaptive_avg_pool{rank}d(): Expected input to have non-zero size for non-batch dimensions, but input has "
        f"sizes {list(shape)} with dimension {shape.index(0, len(shape) - rank)} being empty"
    )


def _adaptive_matrices(sizes, output_size):
    return [None if n == m else bin_means(n, m) for n, m in zip(sizes, output_size)]


def _adaptive_title(output_size):
    if len(output_size) == 1:
        return "SqueezeBackward1"
    return "MeanBackward1" if set(output_size) == {1} else f"AdaptiveAvgPool{len(output_size)}DBackward0"


def _adaptive_rule(g, input_shape, output_size):
    return adaptive_avg_spread(g, tuple(input_shape[len(input_shape) - len(output_size) :]))


def _adaptive_recorded(g, input_shape, output_size):
    """Return the gradient for Tensors.

    One mean over everything has that of `mean`, a line that of an image of height 1.
    """
    if set(output_size) != {1}:
        return adaptive_avg_spread(g, tuple(input_shape[len(input_shape) - len(output_size) :]))
    shape, line = tuple(input_shape), len(output_size) == 1
    number = math.prod(shape[len(shape) - len(output_size) :])
    if line:
        g, shape = np.expand_dims(g, -2), (*shape[:-1], 1, shape[-1])
    result = called(np.broadcast_to(g, shape) / number, "DivBackward1")
    return np.squeeze(result, -2) if line else result


_adaptive_rule.recorded = _adaptive_recorded


@op(input=_adaptive_rule, private=True, node=_adaptive_title)
def adaptive_avg(input, output_size: tuple):
    """Mean of `output_size` nearly equal parts of the last dimensions."""
    rank = len(output_size)
    if input.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"adaptive_avg_pool{rank}d(): Expected {rank + 1}D or {rank + 2}D tensor, but got {list(input.shape)}"
        )
    if min(output_size) < 0 or 0 in input.shape[input.ndim - rank :]:
        raise _adaptive_error(input.shape, output_size)
    if input.dtype.kind not in "fc":
        raise refusal(f"adaptive_avg_pool{rank}d", input.dtype)
    sizes = input.shape[input.ndim - rank :]
    if output_size == (1,) * rank and (input.dtype is F32 or input.dtype is F64):
        total = np.add.reduce(input, axis=tuple(range(input.ndim - rank, input.ndim)), keepdims=True)
        return np.divide(total, math.prod(sizes), total)  # faster than a product (tests/bench, calls)
    result = product_along(input, _adaptive_matrices(sizes, output_size))
    result = result.copy() if result is input else result
    return with_channels(input, result) if rank == 2 else result


@op(
    input=lambda g, input_shape, sizes: adaptive_avg(g, tuple(input_shape[len(input_shape) - len(sizes) :])),
    private=True,
)
def adaptive_avg_spread(input, sizes: tuple):
    """Transpose of `adaptive_avg`."""
    if set(input.shape[input.ndim - len(sizes) :]) == {1} and (input.dtype is F32 or input.dtype is F64):
        result = np.empty((*input.shape[: input.ndim - len(sizes)], *sizes), input.dtype)
        return np.divide(input, math.prod(sizes), result)
    matrices = _adaptive_matrices(sizes, input.shape[input.ndim - len(sizes) :])
    return product_along(input, [None if each is None else each.T for each in matrices])


def checked_sizes(output_size, shape, rank, name):
    """Return `output_size` for each of the last dimensions.

    Raises RuntimeError or ValueError for a wrong one.
    """
    given = tuple(output_size) if isinstance(output_size, (tuple, list)) else (output_size,) * rank
    average = name.startswith("adaptive_avg")
    if rank == 1 and len(given) != 1:
        raise RuntimeError(f"{name}() argument 'output_size' should contain one int (got {len(given)})")
    if rank == 1:
        check_line(shape, name)
    elif len(shape) < rank + 1:
        if given is output_size or isinstance(output_size, list):
            raise ValueError(f"Input dimension should be at least {rank + 1}")
        raise RuntimeError(
            f"{name}(): Expected {rank + 1}D or {rank + 2}D tensor, but got{'' if average else ':'} {list(shape)}"
        )
    if len(given) != rank:
        raise RuntimeError(
            f"{name}: output_size must be {rank}"
            if average
            else f"{name}(): internal error: output_size.size() must be {rank}"
        )
    if not average and any(n is not None and n < 0 for n in given):
        wrong = next(n for n in given if n is not None and n < 0)
        lead = list(shape[: len(shape) - rank])
        whole = [*lead, 1, *given] if rank == 1 else [*lead, *given]
        raise RuntimeError(f"Trying to create tensor with negative dimension {wrong}: {whole}")
    return given


def _filled(input, output_size, rank):
    """Return `output_size` as a tuple, with the input's own size for None."""
    shape = tuple(input.shape)
    given = checked_sizes(output_size, shape, rank, f"adaptive_avg_pool{rank}d")
    return tuple(shape[len(shape) - rank + i] if n is None else int(n) for i, n in enumerate(given))


@op(composite=True, method=False)
def adaptive_avg_pool1d(input, output_size: object):
    """Mean of `output_size` nearly equal parts of the last dimension."""
    return adaptive_avg(input, _filled(input, output_size, 1))


@op(composite=True, method=False, function=False)
def adaptive_avg_pool2d(input, output_size: object):
    """Mean of (H, W) nearly equal parts of the last two dimensions."""
    return adaptive_avg(input, _filled(input, output_size, 2))


@op(composite=True, method=False, function=False)
def adaptive_avg_pool3d(input, output_size: object):
    """Mean of (D, H, W) nearly equal parts of the last three dimensions."""
    return adaptive_avg(input, _filled(input, output_size, 3))
