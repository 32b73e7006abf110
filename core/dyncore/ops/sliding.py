"""Windows sliding over the last dimensions, for convolution, pooling and unfold."""

import math
from functools import lru_cache
from itertools import product

import numpy as np

from dyncore.dispatch.registry import op

_PLAIN = frozenset((int, bool, str, type(None)))


def kept(function):
    """Cache `function` of plain numbers and tuples of ints.

    Offsets of windows take longer than a small pooling itself (tests/bench, calls: max_pool2d).
    """
    result = lru_cache(512, typed=True)(function)

    def entry(*args):
        for each in args:
            if each.__class__ not in _PLAIN:
                if each.__class__ is not tuple:
                    return function(*args)
                for n in each:
                    if n.__class__ is not int:
                        return function(*args)
        return result(*args)

    return entry


def several(value, count, name="argument"):
    """Return `value` as a tuple of `count` numbers; one number stands for all.

    Raises RuntimeError for another number of them.
    """
    if value.__class__ is tuple and len(value) == count:
        for n in value:
            if n.__class__ is not int:
                break
        else:
            return value
    if isinstance(value, (tuple, list)):
        if len(value) == 1:
            return (int(value[0]),) * count
        if len(value) != count:
            raise RuntimeError(
                f"expected {name} to be a single integer value or a list of {count} values, but got {list(value)}"
            )
        return tuple(int(n) for n in value)
    return (value.__index__(),) * count


def counts(sizes, kernel, stride, padding, dilation):
    """Return how many windows fit along each dimension."""
    return tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in zip(sizes, kernel, stride, padding, dilation)
    )


def padded(input, before, after, value=0):
    """Pad the last dimensions of `input` with `value`.

    A negative number cuts off instead.
    """
    rank = len(before)
    if not any(before) and not any(after):
        return input
    lead, sizes = input.shape[:-rank], input.shape[-rank:]
    shape = tuple(b + n + a for b, n, a in zip(before, sizes, after))
    result = np.full(lead + shape, value, input.dtype) if value else np.zeros(lead + shape, input.dtype)
    inner = tuple(slice(max(b, 0), m - max(a, 0)) for b, a, m in zip(before, after, shape))
    taken = tuple(slice(max(-b, 0), n - max(-a, 0)) for b, a, n in zip(before, after, sizes))
    result[(..., *inner)] = input[(..., *taken)]
    return result


def offsets(kernel, dilation):
    """Return the offsets of the elements of a window, from its first."""
    return product(*(range(0, k * d, d) for k, d in zip(kernel, dilation)))


def at(offset, windows, stride):
    """Return the index of the element at `offset` of every window."""
    return (..., *(slice(o, o + s * (n - 1) + 1, s) for o, n, s in zip(offset, windows, stride)))


def window_view(input, kernel, windows, stride, dilation):
    """Return a view (*lead, *kernel, *windows) of `input`, already padded."""
    rank = len(kernel)
    last = input.strides[input.ndim - rank :]
    shape = input.shape[: input.ndim - rank] + tuple(kernel) + tuple(windows)
    strides = input.strides[: input.ndim - rank]
    strides += tuple(n * d for n, d in zip(last, dilation)) + tuple(n * s for n, s in zip(last, stride))
    return np.lib.stride_tricks.as_strided(input, shape, strides, writeable=False)


def columns(input, kernel, windows, stride, padding, dilation):
    """Return the windows of (N, C, *sizes) side by side.

    (N, C, elements of a window, number of windows).
    """
    count = math.prod(windows)
    if math.prod(kernel) == 1 and all(s == 1 for s in stride) and not any(padding):
        return input.reshape(*input.shape[:2], 1, count)
    result = window_view(padded(input, padding, padding), kernel, windows, stride, dilation)
    return result.reshape(*input.shape[:2], math.prod(kernel), count)


def added(values, sizes, kernel, windows, stride, padding, dilation):
    """Add columns up where their windows lie: (N, C, *sizes).

    values: (N, C, elements of a window, number of windows).
    """
    lead = values.shape[:2]
    if math.prod(kernel) == 1 and all(s == 1 for s in stride) and not any(padding):
        return values.reshape(*lead, *sizes)
    result = np.zeros(lead + tuple(n + 2 * p for n, p in zip(sizes, padding)), values.dtype)
    blocks = values.reshape(*lead, math.prod(kernel), *windows)
    for number, offset in enumerate(offsets(kernel, dilation)):
        result[at(offset, windows, stride)] += blocks[:, :, number]
    if any(padding):
        result = result[(..., *(slice(p, p + n) for p, n in zip(padding, sizes)))]
    return result


def _check_im2col(kernel_size, dilation, padding, stride):
    for name, values in (("kernel size", kernel_size), ("dilation", dilation), ("stride", stride)):
        if min(values) < 1:
            word = name.partition(" ")[0]
            raise RuntimeError(
                f"{name} should be greater than zero, but got {word}_height: {values[0]} {word}_width: {values[1]}"
            )
    if min(padding) < 0:
        raise RuntimeError(f"padding should be non-negative, but got pad_height: {padding[0]} pad_width: {padding[1]}")


@op(
    input=lambda g, input_shape, kernel_size, dilation, padding, stride: col2im(
        g, input_shape[-2:], kernel_size, dilation, padding, stride
    ),
    node="Im2ColBackward0",
    method=False,
    function=False,
)
def im2col(input, kernel_size: object, dilation: object = 1, padding: object = 0, stride: object = 1):
    """Sliding blocks of images as columns.

    (N, C, H, W) -> (N, C * elements of a block, number of blocks).
    """
    kernel, dilation, padding, stride = (several(each, 2) for each in (kernel_size, dilation, padding, stride))
    _check_im2col(kernel, dilation, padding, stride)
    if input.ndim not in (3, 4) or 0 in input.shape[-3:]:
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {list(input.shape)}"
        )
    batch = input if input.ndim == 4 else input[None]
    windows = counts(batch.shape[2:], kernel, stride, padding, dilation)
    if min(windows) < 1:
        h, w = batch.shape[2:]
        raise RuntimeError(
            f"Given input with spatial size ({h}, {w}), kernel_size=({kernel[0]}, {kernel[1]}), "
            f"dilation=({dilation[0]}, {dilation[1]}), padding=({padding[0]}, {padding[1]}), calculated shape of the "
            f"array of sliding blocks as ({windows[0]}, {windows[1]}), but its components must be at least one."
        )
    blocks = columns(batch, kernel, windows, stride, padding, dilation)
    result = (
        blocks.reshape(blocks.shape[0], -1, blocks.shape[3])
        if blocks.size
        else np.zeros((blocks.shape[0], blocks.shape[1] * blocks.shape[2], blocks.shape[3]), input.dtype)
    )
    return result if input.ndim == 4 else result[0]


@op(
    input=lambda g, kernel_size, dilation, padding, stride: im2col(g, kernel_size, dilation, padding, stride),
    node="Col2ImBackward0",
    method=False,
    function=False,
)
def col2im(
    input, output_size: object, kernel_size: object, dilation: object = 1, padding: object = 0, stride: object = 1
):
    """Columns of sliding blocks added up to images: the transpose of `im2col`."""
    sizes = several(output_size, 2)
    kernel, dilation, padding, stride = (several(each, 2) for each in (kernel_size, dilation, padding, stride))
    _check_im2col(kernel, dilation, padding, stride)
    if input.ndim not in (2, 3):
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
            f"input, but got: {list(input.shape)}"
        )
    batch = input if input.ndim == 3 else input[None]
    area = math.prod(kernel)
    windows = counts(sizes, kernel, stride, padding, dilation)
    if batch.shape[1] % area:
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={batch.shape[1]} and kernel_size=({kernel[0]}, {kernel[1]})."
        )
    if batch.shape[2] != math.prod(windows) or min(windows) < 1:
        texts = [f"({a}, {b})" for a, b in (sizes, kernel, dilation, padding, stride)]
        raise RuntimeError(
            f"Given output_size={texts[0]}, kernel_size={texts[1]}, dilation={texts[2]}, padding={texts[3]}, "
            f"stride={texts[4]}, expected size of input's dimension 2 to match the calculated number of sliding blocks "
            f"{windows[0]} * {windows[1]} = {math.prod(windows)}, but got input.size(2)={batch.shape[2]}."
        )
    shaped = batch.reshape(batch.shape[0], batch.shape[1] // area, area, batch.shape[2])
    result = added(shaped, sizes, kernel, windows, stride, padding, dilation)
    return np.ascontiguousarray(result if input.ndim == 3 else result[0])
