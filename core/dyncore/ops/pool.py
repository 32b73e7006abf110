"""Average pooling: over sliding windows, and to a given size."""

import math

import numpy as np

from dyncore.dtypes import F32, F64
from dyncore.ops.sliding import at, kept, offsets, padded, several
from dyncore.registry import op
from dyncore.strides import with_channels


def pooled_sizes(sizes, kernel, stride, padding, dilation, ceil_mode):
    """How many windows there are along each dimension; with `ceil_mode`, also those that reach over the end."""
    found = []
    for n, k, s, p, d in zip(sizes, kernel, stride, padding, dilation):
        room = n + 2 * p - d * (k - 1) - 1
        count = -(-room // s) + 1 if ceil_mode else room // s + 1
        if ceil_mode and (count - 1) * s >= n + p:
            count -= 1
        found.append(count)
    return tuple(found)


def window_arguments(kernel_size, stride, padding, rank, name, dilation=1):
    """Kernel, stride and padding as tuples; the stride is the kernel when left out."""
    kernel = several(kernel_size, rank, "kernel_size")
    empty = stride is None or (isinstance(stride, (tuple, list)) and not stride)
    stride = kernel if empty else several(stride, rank, "stride")
    padding, dilation = several(padding, rank, "padding"), several(dilation, rank, "dilation")
    if min(padding) < 0:
        raise RuntimeError(f"pad must be non-negative, but got pad: {min(padding)}")
    for k, p, d in zip(kernel, padding, dilation):
        if p > ((k - 1) * d + 1) // 2:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and "
                f"dilation={d}"
            )
    if name == "max_pool1d":
        for word, given in (("kernel_size", kernel), ("stride", stride)):
            if given[0] <= 0:
                raise RuntimeError(f"max_pool1d() {word} must be greater than zero, but got {given[0]}")
    if min(stride) == 0:
        raise RuntimeError("stride should not be zero")
    for word, letter, given in (("kernel size", "k", kernel), ("stride", "d", stride)):
        if min(given) <= 0:
            shown = zip("THW"[-max(rank, 2) :], given if rank > 1 else (1, *given))
            text = " ".join(f"{letter}{axis}: {n}" for axis, n in shown)
            raise RuntimeError(f"{word} should be greater than zero, but got {text}")
    return kernel, stride, padding


def check_input(shape, rank, name):
    """Raises RuntimeError unless the input has `rank` dimensions beyond channels, with or without a batch."""
    if len(shape) not in (rank + 1, rank + 2) or 0 in shape[1 if len(shape) == rank + 2 else 0 :]:
        if rank == 3 and name.startswith("avg"):
            raise RuntimeError("non-empty 4D or 5D (batch mode) tensor expected for input")
        if rank == 3 and len(shape) in (4, 5):
            raise RuntimeError(
                "max_pool3d_with_indices_out_cpu_template(): Expected input's non-batch dimensions to have positive "
                "length, "
                f"but input has a shape of {list(shape)} and non-batch dimension "
                f"{shape[1 if len(shape) == 5 else 0]} has length zero!"
            )
        raise RuntimeError(
            f"Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with optional 0 dim batch size for input, but "
            "got:"
            f"{list(shape)}"
            if rank < 3
            else f"{name}(): Expected 4D or 5D input tensor, but got {list(shape)}"
        )


def check_windows(shape, windows, rank):
    """Raises RuntimeError if no window fits."""
    if windows and min(windows) < 1:
        one = "x".join(map(str, shape[len(shape) - rank - 1 :]))
        two = "x".join(map(str, (shape[len(shape) - rank - 1], *windows)))
        raise RuntimeError(f"Given input size: ({one}). Calculated output size: ({two}). Output size is too small")


def _divisors(sizes, windows, kernel, stride, padding, count_include_pad, override):
    """How many elements each window is divided by: a number, or an array over the windows."""
    if override is not None:
        if override == 0:
            raise RuntimeError("divisor must be not zero")
        return override
    result = 1
    for n, m, k, s, p in zip(sizes, windows, kernel, stride, padding):
        start = np.arange(m) * s - p
        end = np.minimum(start + k, n + p)
        if not count_include_pad:
            start, end = np.maximum(start, 0), np.minimum(end, n)
        result = np.multiply.outer(result, end - start)
    first = result.flat[0] if result.size else 1
    return int(first) if (result == first).all() else result


@kept
def _plan(sizes, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    """(padding, what is missing at the end, where the elements of windows lie, the number of windows, divisors)."""
    rank = len(sizes)
    kernel, stride, padding = window_arguments(kernel_size, stride, padding, rank, f"avg_pool{rank}d")
    windows = pooled_sizes(sizes, kernel, stride, padding, (1,) * rank, ceil_mode)
    after = tuple(max((m - 1) * s + k - n - p, 0) for m, s, k, n, p in zip(windows, stride, kernel, sizes, padding))
    divisors = _divisors(sizes, windows, kernel, stride, padding, count_include_pad, divisor_override)
    places = tuple([at(offset, windows, stride) for offset in offsets(kernel, (1,) * rank)])
    return padding, after, places, windows, divisors


@kept
def _checked_plan(shape, rank, kernel_size, stride, padding, *more):
    """The plan for an input of this shape.  Raises RuntimeError where no window fits."""
    window_arguments(kernel_size, stride, padding, rank, f"avg_pool{rank}d")
    check_input(shape, rank, f"avg_pool{rank}d")
    found = _plan(shape[len(shape) - rank :], kernel_size, stride, padding, *more)
    check_windows(shape, found[3], rank)
    return found


def _title(rank):
    return f"AvgPool{rank}DBackward0" if rank > 1 else "SqueezeBackward1"


def _spread(g, input_shape, rank, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    sizes = tuple(input_shape[len(input_shape) - rank :])
    return avg_spread(g, sizes, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@op(input=_spread, private=True, node=_title, linear=True)
def avg_windows(
    input,
    rank: int,
    kernel_size: object,
    stride: object,
    padding: object,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: object,
):
    """The mean of every window over the last `rank` dimensions."""
    padding, after, places, _, divisors = _checked_plan(
        input.shape, rank, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )
    source = padded(input, padding, after)
    total = source[places[0]].copy()
    for place in places[1:]:
        np.add(total, source[place], out=total)
    if total.dtype.kind in "iu":
        return (np.sign(total) * np.sign(divisors) * (np.abs(total) // np.abs(divisors))).astype(input.dtype)
    made = (total / divisors).astype(input.dtype, copy=False)
    return with_channels(input, made) if rank == 2 else made


def _gather(g, sizes, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    return avg_windows(g, len(sizes), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@op(input=_gather, private=True, linear=True)
def avg_spread(
    input,
    sizes: tuple,
    kernel_size: object,
    stride: object,
    padding: object,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: object,
):
    """The transpose of `avg_windows`: each mean handed out evenly to its window."""
    rank = len(sizes)
    padding, after, places, _, divisors = _plan(
        sizes, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )
    lead = input.shape[: input.ndim - rank]
    made = np.zeros(lead + tuple(p + n + a for p, n, a in zip(padding, sizes, after)), input.dtype)
    part = (input / divisors).astype(input.dtype, copy=False)
    for place in places:
        made[place] += part
    return made[(..., *(slice(p, p + n) for p, n in zip(padding, sizes)))]


@op(composite=True, method=False)
def avg_pool1d(
    input,
    kernel_size: object,
    stride: object = None,
    padding: object = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
):
    """The mean of every window over the last dimension."""
    return avg_windows(input, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


@op(composite=True, method=False, function=False)
def avg_pool2d(
    input,
    kernel_size: object,
    stride: object = None,
    padding: object = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: object = None,
):
    """The mean of every window over the last two dimensions."""
    return avg_windows(input, 2, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@op(composite=True, method=False, function=False)
def avg_pool3d(
    input,
    kernel_size: object,
    stride: object = None,
    padding: object = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: object = None,
):
    """The mean of every window over the last three dimensions."""
    return avg_windows(input, 3, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def bins(size, count):
    """Where each of `count` nearly equal parts of `size` elements starts and ends."""
    numbers = np.arange(count)
    return numbers * size // max(count, 1), -(-(numbers + 1) * size // max(count, 1))


@kept
def bin_means(size, count):
    """The (count, size) matrix that averages over the parts."""
    start, end = bins(size, count)
    places = np.arange(size)
    inside = (places >= start[:, None]) & (places < end[:, None])
    return inside / np.maximum(end - start, 1)[:, None]


def product_along(values, matrices):
    """`values` times one matrix (new, old) along each of its last dimensions."""
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
    """`product_along` of values that are not all finite: an element counts only where its weight is not 0."""
    for axis, matrix in enumerate(matrices, values.ndim - len(matrices)):
        if matrix is None:
            continue
        last = np.moveaxis(values, axis, -1)
        made = np.zeros((*last.shape[:-1], len(matrix)), values.dtype)
        for place, weights in enumerate(matrix.astype(values.dtype)):
            used = np.flatnonzero(weights)
            made[..., place] = np.add.reduce(last[..., used] * weights[used], axis=-1)
        values = np.moveaxis(made, -1, axis)
    return np.ascontiguousarray(values)


def _adaptive_matrices(sizes, output_size):
    return [None if n == m else bin_means(n, m) for n, m in zip(sizes, output_size)]


def _adaptive_title(output_size):
    if len(output_size) == 1:
        return "SqueezeBackward1"
    return "MeanBackward1" if set(output_size) == {1} else f"AdaptiveAvgPool{len(output_size)}DBackward0"


@op(
    input=lambda g, input_shape, output_size: adaptive_avg_spread(
        g, tuple(input_shape[len(input_shape) - len(output_size) :])
    ),
    private=True,
    node=_adaptive_title,
    linear=True,
)
def adaptive_avg(input, output_size: tuple):
    """The mean of nearly equal parts of the last dimensions, as many as `output_size` says."""
    rank = len(output_size)
    if input.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"adaptive_avg_pool{rank}d(): Expected {rank + 1}D or {rank + 2}D tensor, but got {list(input.shape)}"
        )
    if min(output_size) < 0:
        raise RuntimeError(f"adaptive_avg_pool{rank}d: elements of output_size must be greater than or equal to 0")
    if 0 in input.shape[input.ndim - rank :]:
        raise RuntimeError(
            f"adaptive_avg_pool{rank}d(): Expected input to have non-zero size for non-batch dimensions, but input has "
            f"sizes {list(input.shape)} with dimension {input.shape.index(0, input.ndim - rank)} being empty"
        )
    if input.dtype.kind not in "fc":
        from dyncore import dtypes

        raise NotImplementedError(f"\"adaptive_avg_pool{rank}d\" not implemented for '{dtypes.of(input.dtype).title}'")
    sizes = input.shape[input.ndim - rank :]
    if output_size == (1,) * rank and (input.dtype is F32 or input.dtype is F64):
        total = np.add.reduce(input, axis=tuple(range(input.ndim - rank, input.ndim)), keepdims=True)
        return np.divide(total, math.prod(sizes), total)  # 4 us where a product takes 25 (bench, calls)
    result = product_along(input, _adaptive_matrices(sizes, output_size))
    result = result.copy() if result is input else result
    return with_channels(input, result) if rank == 2 else result


@op(
    input=lambda g, input_shape, sizes: adaptive_avg(g, tuple(input_shape[len(input_shape) - len(sizes) :])),
    private=True,
    linear=True,
)
def adaptive_avg_spread(input, sizes: tuple):
    """The transpose of `adaptive_avg`."""
    if set(input.shape[input.ndim - len(sizes) :]) == {1} and (input.dtype is F32 or input.dtype is F64):
        made = np.empty((*input.shape[: input.ndim - len(sizes)], *sizes), input.dtype)
        return np.divide(input, math.prod(sizes), made)
    matrices = _adaptive_matrices(sizes, input.shape[input.ndim - len(sizes) :])
    return product_along(input, [None if each is None else each.T for each in matrices])


def check_sizes(given, shape, rank, name):
    """Raises RuntimeError unless there is a size for each dimension, ValueError if the input has too few."""
    average = name.startswith("adaptive_avg")
    if rank == 1 and len(given) != 1:
        raise RuntimeError(f"{name}() argument 'output_size' should contain one int (got {len(given)})")
    if rank > 1 and len(shape) < rank + 1:
        raise ValueError(f"Input dimension should be at least {rank + 1}")
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


def _filled(input, output_size, rank):
    """`output_size` as a tuple, None standing for the input's own size."""
    given = tuple(output_size) if isinstance(output_size, (tuple, list)) else (output_size,) * rank
    check_sizes(given, tuple(input.shape), rank, f"adaptive_avg_pool{rank}d")
    shape = tuple(input.shape)
    return tuple(shape[len(shape) - rank + i] if n is None else int(n) for i, n in enumerate(given))


@op(composite=True, method=False)
def adaptive_avg_pool1d(input, output_size: object):
    """The mean of `output_size` nearly equal parts of the last dimension."""
    return adaptive_avg(input, _filled(input, output_size, 1))


@op(composite=True, method=False, function=False)
def adaptive_avg_pool2d(input, output_size: object):
    """The mean of (H, W) nearly equal parts of the last two dimensions."""
    return adaptive_avg(input, _filled(input, output_size, 2))


@op(composite=True, method=False, function=False)
def adaptive_avg_pool3d(input, output_size: object):
    """The mean of (D, H, W) nearly equal parts of the last three dimensions."""
    return adaptive_avg(input, _filled(input, output_size, 3))
