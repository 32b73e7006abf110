"""Average pooling over sliding windows."""

import numpy as np

from dyncore.dispatch.registry import op, titled
from dyncore.ops.axes import axis_of
from dyncore.ops.sliding import at, kept, offsets, padded, several
from dyncore.tensors.strides import with_channels


def pooled_sizes(sizes, kernel, stride, padding, dilation, ceil_mode):
    """Return the number of windows along each dimension.

    ceil_mode: count those that reach over the end, too.
    """
    result = []
    for n, k, s, p, d in zip(sizes, kernel, stride, padding, dilation):
        room = n + 2 * p - d * (k - 1) - 1
        count = -(-room // s) + 1 if ceil_mode else room // s + 1
        if ceil_mode and (count - 1) * s >= n + p:
            count -= 1
        result.append(count)
    return tuple(result)


def window_arguments(kernel_size, stride, padding, rank, name, dilation=1):
    """Return kernel, stride and padding as tuples; the default stride is the kernel."""
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
    """Raise RuntimeError unless the input has `rank` dimensions beyond channels.

    With or without a batch.
    """
    if len(shape) not in (rank + 1, rank + 2) or 0 in shape[1 if len(shape) == rank + 2 else 0 :]:
        average, many = name.startswith("avg"), len(shape) not in (rank + 1, rank + 2)
        if rank == 1 and average and many:
            check_line(shape, name)
        if rank == 2 and average and len(shape) < 3:
            axis_of(-3, len(shape))
        if rank == 3 and (average or many) or rank == 2 and not average and many:
            raise RuntimeError(f"non-empty {rank + 1}D or {rank + 2}D (batch mode) tensor expected for input")
        if rank == 3 and len(shape) in (4, 5):
            raise RuntimeError(
                "max_pool3d_with_indices_out_cpu_template(): Expected input's non-batch dimensions to have positive "
                f"length, but input has a shape of {list(shape)} and non-batch dimension "
                f"{shape[1 if len(shape) == 5 else 0]} has length zero!"
            )
        raise RuntimeError(
            f"{'max_pool1d: ' if name == 'max_pool1d' else ''}Expected {rank + 1}D or {rank + 2}D (batch mode) tensor "
            f"with optional 0 dim batch size for input, but got:{list(shape)}"
        )


def check_line(shape, name):
    """Raise RuntimeError unless the input of a 1-d pooling has 2 or 3 dimensions."""
    if len(shape) not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {len(shape)}-dimensional tensor for argument #1 'self' (while "
            f"checking arguments for {name})"
        )


def check_windows(shape, windows, rank):
    """Raise RuntimeError if no window fits."""
    if windows and min(windows) < 1:
        lead = shape[len(shape) - rank - 1 : len(shape) - rank] + (1,) * (rank == 1)
        one = "x".join(map(str, lead + shape[len(shape) - rank :]))
        two = "x".join(map(str, lead + windows))
        raise RuntimeError(f"Given input size: ({one}). Calculated output size: ({two}). Output size is too small")


def _divisors(sizes, windows, kernel, stride, padding, count_include_pad, override):
    """Return the number that each window is divided by, or an array over windows."""
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
    """Return padding, the missing end, offsets, number of windows, and divisors.

    The offsets are those of the elements of a window.
    """
    rank = len(sizes)
    kernel, stride, padding = window_arguments(kernel_size, stride, padding, rank, f"avg_pool{rank}d")
    windows = pooled_sizes(sizes, kernel, stride, padding, (1,) * rank, ceil_mode)
    after = tuple(max((m - 1) * s + k - n - p, 0) for m, s, k, n, p in zip(windows, stride, kernel, sizes, padding))
    divisors = _divisors(sizes, windows, kernel, stride, padding, count_include_pad, divisor_override)
    positions = tuple([at(offset, windows, stride) for offset in offsets(kernel, (1,) * rank)])
    return padding, after, positions, windows, divisors


@kept
def _checked_plan(shape, rank, kernel_size, stride, padding, *more):
    """Return the plan for an input of this shape.

    Raises RuntimeError if no window fits.
    """
    window_arguments(kernel_size, stride, padding, rank, f"avg_pool{rank}d")
    check_input(shape, rank, f"avg_pool{rank}d")
    result = _plan(shape[len(shape) - rank :], kernel_size, stride, padding, *more)
    if rank == 3 and min(result[3]) < 1:
        sizes, kernel = shape[-3:], several(kernel_size, 3)
        raise RuntimeError(
            f"input image (T: {sizes[0]} H: {sizes[1]} W: {sizes[2]}) smaller than kernel size (kT: {kernel[0]} "
            f"kH: {kernel[1]} kW: {kernel[2]})"
        )
    check_windows(shape, result[3], rank)
    return result


def _title(rank):
    return f"AvgPool{rank}DBackward0" if rank > 1 else "SqueezeBackward1"


def _spread(g, input_shape, rank, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    sizes = tuple(input_shape[len(input_shape) - rank :])
    return avg_spread(g, sizes, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@op(input=_spread, private=True, node=_title)
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
    """Mean of every window over the last `rank` dimensions."""
    padding, after, positions, _, divisors = _checked_plan(
        input.shape, rank, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )
    source = padded(input, padding, after)
    total = source[positions[0]].copy()
    for position in positions[1:]:
        np.add(total, source[position], out=total)
    if total.dtype.kind in "iu":
        return (np.sign(total) * np.sign(divisors) * (np.abs(total) // np.abs(divisors))).astype(input.dtype)
    result = (total / divisors).astype(input.dtype, copy=False)
    return with_channels(input, result) if rank == 2 else result


def _gather(g, sizes, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    return avg_windows(g, len(sizes), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@op(input=_gather, private=True)
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
    """Transpose of `avg_windows`: each mean spread evenly over its window."""
    rank = len(sizes)
    padding, after, positions, _, divisors = _plan(
        sizes, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )
    lead = input.shape[: input.ndim - rank]
    result = np.zeros(lead + tuple(p + n + a for p, n, a in zip(padding, sizes, after)), input.dtype)
    part = (input / divisors).astype(input.dtype, copy=False)
    for position in positions:
        result[position] += part
    return result[(..., *(slice(p, p + n) for p, n in zip(padding, sizes)))]


@op(composite=True, method=False)
def avg_pool1d(
    input,
    kernel_size: object,
    stride: object = None,
    padding: object = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
):
    """Mean of every window over the last dimension."""
    return avg_windows(input, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


def _avg_pool(rank):
    def pool(
        input, kernel_size: object, stride: object = None, padding: object = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: object = None,
    ):  # fmt: skip
        return avg_windows(input, rank, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    doc = f"Mean of every {rank}-dimensional window."
    return op(composite=True, method=False, function=False)(titled(f"avg_pool{rank}d", doc, pool))


avg_pool2d, avg_pool3d = map(_avg_pool, (2, 3))
