"""Maximum pooling, its indices, and its inverse."""

import numpy as np

from dyncore.dispatch.registry import keep, op, titled
from dyncore.dtypes import dtypes
from dyncore.ops.pool import check_input, check_windows, pooled_sizes, window_arguments
from dyncore.ops.pool_adaptive import bins
from dyncore.ops.sliding import at, kept, offsets, padded, several
from dyncore.tensors.strides import with_channels


def _lowest(dtype):
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


@kept
def _plan(shape, rank, kernel_size, stride, padding, dilation, ceil_mode):
    """Return padding, the missing end, offsets, and whether windows are apart.

    The offsets are those of the elements of a window.
    """
    kernel, stride, padding = window_arguments(kernel_size, stride, padding, rank, f"max_pool{rank}d", dilation)
    dilation = several(dilation, rank, "dilation")
    if min(dilation) <= 0:
        raise RuntimeError(
            f"dilation should be greater than zero, but got dilationH: {dilation[0]} dilationW: {dilation[-1]}"
            if rank > 1
            else f"max_pool1d() dilation must be greater than zero, but got {dilation[0]}"
        )
    check_input(shape, rank, f"max_pool{rank}d")
    sizes = shape[len(shape) - rank :]
    windows = pooled_sizes(sizes, kernel, stride, padding, dilation, ceil_mode)
    if rank == 1 and windows[0] < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {windows[0]}")
    check_windows(shape, windows, rank)
    after = tuple(
        max((m - 1) * s + d * (k - 1) + 1 - n - p, 0)
        for m, s, d, k, n, p in zip(windows, stride, dilation, kernel, sizes, padding)
    )
    positions = tuple([at(offset, windows, stride) for offset in offsets(kernel, dilation)])
    apart = not ceil_mode and not any(padding) and set(dilation) == {1} and all(map(int.__ge__, stride, kernel))
    return padding, after, positions, apart


def _maximum(input, rank, kernel_size, stride, padding, dilation, ceil_mode):
    padding, after, positions, _ = _plan(input.shape, rank, kernel_size, stride, padding, dilation, ceil_mode)
    source = padded(input, padding, after, _lowest(input.dtype))
    best = source[positions[0]].copy()
    for position in positions[1:]:
        np.maximum(best, source[position], out=best)
    return best


@op(private=True)
def max_places(
    input, rank: int, kernel_size: object, stride: object, padding: object, dilation: object, ceil_mode: bool
):
    """Position of the maximum of every window, the first of equal ones.

    It is an index into the flattened last dimensions.
    """
    padding, after, indices, _ = _plan(input.shape, rank, kernel_size, stride, padding, dilation, ceil_mode)
    sizes = input.shape[input.ndim - rank :]
    source = padded(input, padding, after, _lowest(input.dtype))
    numbers = padded(np.arange(int(np.prod(sizes))).reshape(sizes) + 1, padding, after) - 1
    best = position = None
    for index in indices:
        part, number = source[index], numbers[index]
        if best is None:
            best, position = part.copy(), np.broadcast_to(number, part.shape).copy()
            continue
        better = (part > best) | ((part != part) & (best == best)) | ((position < 0) & (number >= 0))
        np.copyto(best, part, where=better)
        np.copyto(position, np.broadcast_to(number, part.shape), where=better)
    return position


@op(input=lambda g, indices, rank: flat_gather(g, indices, rank), private=True)
def flat_place(input, indices, sizes: tuple, rank: int):
    """Zeros of `sizes` with `input` added at `indices`.

    They are indices into the flattened last dimensions.
    """
    lead = input.shape[: input.ndim - rank]
    count, area = int(np.prod(lead)), int(np.prod(sizes))
    result = np.zeros(count * area, input.dtype)
    positions = indices.reshape(count, indices.size // max(count, 1)) + (np.arange(count) * area)[:, None]
    np.add.at(result, positions.reshape(-1), input.reshape(-1))
    return result.reshape(*lead, *sizes)


@op(
    input=lambda g, input_shape, indices, rank: flat_place(
        g, indices, tuple(input_shape[len(input_shape) - rank :]), rank
    ),
    private=True,
)
def flat_gather(input, indices, rank: int):
    """Elements of `input` at `indices` into its flattened last dimensions."""
    lead = input.shape[: input.ndim - rank]
    count = int(np.prod(lead))
    flat = input.reshape(count, input.size // max(count, 1))
    positions = indices.reshape(count, indices.size // max(count, 1))
    return flat[np.arange(count)[:, None], positions].reshape(indices.shape)


def _title(rank):
    return f"MaxPool{rank}DWithIndicesBackward0" if rank > 1 else "SqueezeBackward1"


def _apart(g, input, result, positions):
    """Return the gradient if windows do not overlap and nothing is NaN.

    It goes to the first element that reaches the maximum (tests/bench, LeNet).
    """
    gradient = np.zeros(input.shape, input.dtype)
    given = None
    for index in positions:
        reached = input[index] == result
        if given is None:
            given = reached
        else:
            reached = np.greater(reached, given)
            given = np.logical_or(given, reached, out=given)
        np.multiply(g, reached, out=gradient[index])
    return gradient


def _max_rule(g, input, top, rank, kernel_size, stride, padding, dilation, ceil_mode):
    if isinstance(g, np.ndarray):
        _, _, indices, apart = _plan(input.shape, rank, kernel_size, stride, padding, dilation, ceil_mode)
        if apart:
            total = np.add.reduce(top, axis=None)
            if total == total:
                return _apart(g, input, top, indices)
    positions = max_places(input, rank, kernel_size, stride, padding, dilation, ceil_mode)
    return flat_place(g, positions, tuple(input.shape[len(input.shape) - rank :]), rank)


@op(input=_max_rule, private=True, node=_title)
def max_windows(
    input, rank: int, kernel_size: object, stride: object, padding: object, dilation: object, ceil_mode: bool
):
    """Maximum of every window over the last `rank` dimensions."""
    result = with_channels(input, _maximum(input, rank, kernel_size, stride, padding, dilation, ceil_mode))
    return keep(result, top=result.copy())  # a copy: `relu_` after a pool writes to its result


@op(
    input=lambda g0, result1, input_shape, rank: flat_place(
        g0, result1, tuple(input_shape[len(input_shape) - rank :]), rank
    ),
    private=True,
    node=_title,
)
def max_windows_with_indices(
    input, rank: int, kernel_size: object, stride: object, padding: object, dilation: object, ceil_mode: bool
):
    """Maximum of every window, and its position."""
    positions = max_places(input, rank, kernel_size, stride, padding, dilation, ceil_mode)
    return with_channels(input, flat_gather(input, positions, rank)), with_channels(input, positions)


def _pool(input, rank, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    if return_indices:
        return max_windows_with_indices(input, rank, kernel_size, stride, padding, dilation, ceil_mode)
    return max_windows(input, rank, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool(rank):
    def pool(
        input, kernel_size: object, stride: object = None, padding: object = 0, dilation: object = 1,
        ceil_mode: bool = False, return_indices: bool = False,
    ):  # fmt: skip
        return _pool(input, rank, kernel_size, stride, padding, dilation, ceil_mode, return_indices)

    doc = f"Maximum of every {rank}-dimensional window."
    return op(composite=True, method=False)(titled(f"max_pool{rank}d", doc, pool))


max_pool1d, max_pool2d, max_pool3d = map(_max_pool, (1, 2, 3))


def _adaptive_title(output_size):
    return f"AdaptiveMaxPool{len(output_size)}DBackward0" if len(output_size) > 1 else "SqueezeBackward1"


@op(
    input=lambda g0, result1, input_shape, output_size: flat_place(
        g0, result1, tuple(input_shape[len(input_shape) - len(output_size) :]), len(output_size)
    ),
    private=True,
    node=_adaptive_title,
)
def adaptive_max(input, output_size: tuple):
    """Maximum of nearly equal parts of the last dimensions, and its position."""
    rank = len(output_size)
    if input.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"adaptive_max_pool{rank}d(): Expected {rank + 1}D or {rank + 2}D tensor, but got: {list(input.shape)}"
        )
    sizes = input.shape[input.ndim - rank :]
    if 0 in sizes:
        raise RuntimeError(
            f"adaptive_max_pool{rank}d(): Expected input to have non-zero size for non-batch dimensions, but input has "
            f"sizes {list(input.shape)} with dimension {input.shape.index(0, input.ndim - rank)} being empty"
        )
    lead = input.shape[: input.ndim - rank]
    values, positions = np.zeros(lead + output_size, input.dtype), np.zeros(lead + output_size, np.int64)
    numbers = np.arange(int(np.prod(sizes))).reshape(sizes)
    parts = [list(zip(*(each.tolist() for each in bins(n, m)))) for n, m in zip(sizes, output_size)]
    for number in np.ndindex(*output_size):
        window = tuple(slice(*parts[axis][i]) for axis, i in enumerate(number))
        flat = input[(..., *window)].reshape(*lead, -1)
        choice = np.argmax(flat, axis=-1)
        values[(..., *number)] = np.take_along_axis(flat, choice[..., None], -1)[..., 0]
        positions[(..., *number)] = numbers[window].reshape(-1)[choice]
    return with_channels(input, values), with_channels(input, positions)


def _unpooled(g, indices, output_size):
    return flat_gather(g, indices, len(output_size))


def _unpooled_recorded(g, indices, output_size):
    if len(output_size) > 1:
        return flat_gather(g, indices, len(output_size))
    return np.squeeze(flat_gather(np.expand_dims(g, -2), np.expand_dims(indices, -2), 2), -2)  # images of height 1


_unpooled.recorded = _unpooled_recorded


@op(
    input=_unpooled,
    private=True,
    node=lambda output_size: f"MaxUnpool{len(output_size)}DBackward0" if len(output_size) > 1 else "SqueezeBackward1",
)
def max_unpool(input, indices, output_size: tuple):
    """Zeros of `output_size` with `input` at the positions of `max_pool`."""
    rank = len(output_size)
    if indices.dtype != np.int64:
        got = f" but got: {dtypes.of(indices.dtype).title}" if rank < 3 else ""
        raise RuntimeError(f"elements in indices should be type int64{got}")
    if input.shape != indices.shape:
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({list(input.shape)}) but got indices "
            f"tensor with shape: {list(indices.shape)}"
        )
    lead = input.shape[: input.ndim - rank]
    count, area = int(np.prod(lead)), int(np.prod(output_size))
    wrong = indices[(indices < 0) | (indices >= area)]
    if wrong.size:
        sizes = "x".join(map(str, output_size if rank > 1 else (*output_size, 1)))
        raise RuntimeError(f"Found an invalid max index: {wrong.flat[0]} (output volumes are of size {sizes})")
    result = np.zeros((count, area), input.dtype)
    np.put_along_axis(result, indices.reshape(count, -1), input.reshape(count, -1), 1)
    return with_channels(input, result.reshape(*lead, *output_size))


def _starts(size, count, reach, sample):
    """Return the starts of the windows.

    Evenly spread with a random shift, the last one at the end.
    """
    if count == 1:
        return np.array([size - reach])
    step = type(sample)((size - reach) / (count - 1))
    result = ((np.arange(count).astype(type(sample)) + sample) * step).astype(np.int64) - int(sample * step)
    result[-1] = size - reach
    return result


@op(
    input=lambda g0, result1, input_shape, kernel_size: flat_place(
        g0, result1, tuple(input_shape[len(input_shape) - len(kernel_size) :]), len(kernel_size)
    ),
    private=True,
    node=lambda kernel_size: f"FractionalMaxPool{len(kernel_size)}DBackward0",
)
def fractional_max(input, kernel_size: tuple, output_size: tuple, samples):
    """Maximum of windows at positions that random samples shift, and its position.

    samples: (N, C, rank) in [0, 1).
    PyTorch takes the samples of a volume as depth, height, width, those of an image as width, height.
    """
    rank = len(kernel_size)
    batch = input if input.ndim == rank + 2 else input[None]
    sizes = batch.shape[2:]
    for word, n, k, m in zip(("time", "height", "width")[-rank:], sizes, kernel_size, output_size):
        if m + k - 1 > n - (rank == 3):
            name = f"fractional_max_pool{rank}d{'_out' if rank == 3 else ''}()"
            raise RuntimeError(f"{name}: pool {word} {k} too large relative to input {word} {n}")
    values = np.zeros((*batch.shape[:2], *output_size), input.dtype)
    positions = np.zeros(values.shape, np.int64)
    numbers = np.arange(int(np.prod(sizes))).reshape(sizes)
    for n, c in np.ndindex(*batch.shape[:2]):
        starts = [
            _starts(size, count, reach, samples[n, c, axis if rank == 3 else 1 - axis])
            for axis, (size, count, reach) in enumerate(zip(sizes, output_size, kernel_size))
        ]
        for number in np.ndindex(*output_size):
            corner = [int(starts[axis][i]) for axis, i in enumerate(number)]
            window = tuple(slice(start, start + k) for start, k in zip(corner, kernel_size))
            flat = batch[(n, c, *window)].reshape(-1)
            choice = int(np.argmax(flat))
            values[(n, c, *number)] = flat[choice]
            positions[(n, c, *number)] = numbers[window].reshape(-1)[choice]
    return (values, positions) if input.ndim == rank + 2 else (values[0], positions[0])
