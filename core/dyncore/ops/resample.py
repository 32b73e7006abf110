"""Images at another size: one matrix along each dimension, or the nearest element."""

import math

import numpy as np

from dyncore.dispatch.registry import keep, op
from dyncore.dtypes.supported import refusal
from dyncore.ops.indexing import index_place
from dyncore.ops.pool_adaptive import product_along
from dyncore.tensors.strides import with_channels
from dyncore.tensors.subscripts import in_order

_NAMES = {"linear": ("Linear", "Bilinear", "Trilinear"), "bicubic": ("", "Bicubic", ""), "lanczos": ("", "Lanczos", "")}


def _scale(old, new, align_corners, factor):
    """Return the distance in the input between neighbours of the result."""
    if align_corners:
        return (old - 1) / (new - 1) if new > 1 else 0.0
    return 1.0 / factor if factor is not None and factor > 0 else old / new


def _cubic(x, a):
    """Return the weight of an element at distance x in cubic convolution."""
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((x - 5) * x + 8) * x * a - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0.0))


def _matrix(old, new, mode, align_corners, factor, antialias):
    """Return the (new, old) matrix of weights along one dimension."""
    scale = _scale(old, new, align_corners, factor)
    if antialias:
        return _smoothing(old, new, mode, scale)
    position = np.arange(new) * scale if align_corners else (np.arange(new) + 0.5) * scale - 0.5
    result = np.zeros((new, old))
    rows = np.arange(new)
    if mode == "linear":
        position = np.maximum(position, 0.0)
        low = np.minimum(position.astype(np.int64), old - 1)
        part = np.minimum(np.maximum(position - low, 0.0), 1.0)
        np.add.at(result, (rows, low), 1 - part)
        np.add.at(result, (rows, np.minimum(low + 1, old - 1)), part)
        return result
    low = np.floor(position).astype(np.int64)
    for step in (-1, 0, 1, 2):
        weight = _cubic(np.abs(position - (low + step)), -0.75)
        np.add.at(result, (rows, np.minimum(np.maximum(low + step, 0), old - 1)), weight)
    return result


def _smoothing(old, new, mode, scale):
    """Return the weights with `antialias`.

    The kernel is widened by the scale when the result is smaller.
    """
    reach = {"linear": 1.0, "bicubic": 2.0, "lanczos": 3.0}[mode]
    wide = max(scale, 1.0)
    center = scale * (np.arange(new) + 0.5)
    start = np.maximum((center - reach * wide + 0.5).astype(np.int64), 0)
    end = np.minimum((center + reach * wide + 0.5).astype(np.int64), old)
    position = np.arange(old)
    x = np.abs((position - center[:, None] + 0.5) / wide)
    if mode == "linear":
        weight = np.maximum(1 - x, 0.0)
    elif mode == "bicubic":
        weight = _cubic(x, -0.5)
    else:
        weight = np.where(x < 3, np.sinc(x) * np.sinc(x / 3), 0.0)
    weight = np.where((position >= start[:, None]) & (position < end[:, None]), weight, 0.0)
    total = np.add.reduce(weight, axis=1, keepdims=True)
    return weight / np.where(total == 0, 1.0, total)


def _matrices(sizes, output_size, mode, align_corners, factors, antialias):
    return [
        _matrix(old, new, mode, align_corners, factor, antialias)
        for old, new, factor in zip(sizes, output_size, factors)
    ]


def _title(mode, output_size, antialias):
    rank = len(output_size)
    return f"Upsample{_NAMES[mode][rank - 1]}{rank}D{'Aa' if antialias else ''}Backward0"


def _back_title(mode, rank, antialias):
    return f"Upsample{_NAMES[mode][rank - 1]}{rank}D{'Aa' if antialias else ''}BackwardBackward0"


def _check_kernel(input, mode, antialias):
    """Raise NotImplementedError unless the dtype is float, or bytes in images."""
    if input.dtype.kind == "f" or (input.dtype == np.uint8 and input.ndim == 4):
        return
    name = "compute_index_ranges_weights" if antialias else f"compute_indices_weights_{mode.removeprefix('bi')}"
    if input.ndim == 4 and mode == "linear" and not antialias:
        name = "upsample_bilinear2d_channels_last"
    raise refusal(name, input.dtype)


@op(
    input=lambda g, input_shape, mode, align_corners, factors, antialias, output_size: resample_back(
        g, tuple(input_shape[2:]), mode, align_corners, factors, antialias
    ),
    private=True,
    node=_title,
)
def resample(input, output_size: tuple, mode: str, align_corners: bool, factors: tuple, antialias: bool):
    """(N, C, *sizes) at `output_size`, by one matrix for each dimension.

    mode: linear or bicubic interpolation, or Lanczos smoothing.
    """
    _check_kernel(input, mode, antialias)
    matrices = _matrices(input.shape[2:], output_size, mode, align_corners, factors, antialias)
    result = product_along(input, matrices) if input.dtype.kind == "f" else _bytes_along(input, matrices)
    return with_channels(input, result)


def _bytes_along(values, matrices):
    """Compute `product_along` of images of bytes.

    They are bytes again after the rows and after the columns.
    """
    down, across = (None if each is None else _short(each) for each in matrices)
    for each in ([None, across], [down, None]):
        result = np.floor(product_along(values.astype(np.float64), each) + 0.5)
        values = np.minimum(np.maximum(result, 0), 255).astype(np.uint8)
    return values


def _short(weights):
    """Return the weights of PyTorch's kernel of bytes.

    They are whole numbers of 16 bits over a power of two.
    """
    scale = 2.0 ** (math.ceil(math.log2((2**15 - 0.5) / weights.max(initial=1e-2))) - 1)
    return np.trunc(weights * scale + np.copysign(0.5, weights)) / scale


@op(
    input=lambda g, input_shape, mode, align_corners, factors, antialias: resample(
        g, tuple(input_shape[2:]), mode, align_corners, factors, antialias
    ),
    private=True,
    node=lambda input, mode, antialias: _back_title(mode, input.ndim - 2, antialias),
)
def resample_back(input, sizes: tuple, mode: str, align_corners: bool, factors: tuple, antialias: bool):
    """Transpose of `resample`."""
    matrices = _matrices(sizes, input.shape[2:], mode, align_corners, factors, antialias)
    return product_along(input, [each.T for each in matrices])


def _nearest_index(sizes, output_size, factors, exact):
    """Return which input element each element of the result is."""
    result = []
    for old, new, factor in zip(sizes, output_size, factors):
        scale = np.float32(_scale(old, new, False, factor))
        position = np.arange(new, dtype=np.float32)
        position = (position + np.float32(0.5)) * scale if exact else position * scale
        result.append(np.minimum(np.floor(position).astype(np.int64), old - 1))
    return (Ellipsis, *np.ix_(*result))


def _nearest_title(output_size, exact):
    return f"UpsampleNearest{'Exact' if exact else ''}{len(output_size)}DBackward0"


@op(
    input=lambda g, index: g[index],
    private=True,
    node=lambda output_size, exact: _nearest_title(output_size, exact).replace("Backward", "BackwardBackward"),
)
def nearest_place(input, shape: tuple, index: tuple, output_size: tuple, exact: bool):
    """Zeros of `shape` with every element added to the one `nearest` took it from."""
    return index_place(input, shape, index)


def _nearest_rule(g, input_shape, index, output_size, factors, exact):  # `factors` is only shown
    return nearest_place(g, tuple(input_shape), index, output_size, exact)


@op(input=_nearest_rule, private=True, node=_nearest_title)
def nearest(input, output_size: tuple, factors: tuple, exact: bool):
    """(N, C, *sizes) at `output_size`, every element the nearest of the input."""
    if input.dtype.kind in "bci":
        name = "upsample_nearest2d_channels_last" if input.ndim == 4 else "compute_indices_weights_nearest"
        raise refusal(name, input.dtype)
    index = _nearest_index(input.shape[2:], output_size, factors, exact)
    return keep(with_channels(input, in_order(input[index])), index=index)


@op(input=lambda g, upscale_factor: pixel_unshuffle(g, upscale_factor), method=False)
def pixel_shuffle(input, upscale_factor: int):
    """Channels moved into space: (*, C r^2, H, W) -> (*, C, H r, W r)."""
    r = upscale_factor
    if input.ndim < 3:
        raise RuntimeError(
            f"pixel_shuffle expects input to have at least 3 dimensions, but got input with {input.ndim} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    *lead, c, h, w = input.shape
    if c % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={c} is not divisible by {r * r}"
        )
    n = math.prod(lead)
    blocks = input.reshape(n, c // (r * r), r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
    result = with_channels(input, blocks.reshape(*lead, c // (r * r), h * r, w * r))
    return result if r > 1 else result.copy()


@op(input=lambda g, downscale_factor: pixel_shuffle(g, downscale_factor), method=False)
def pixel_unshuffle(input, downscale_factor: int):
    """Space moved into channels: (*, C, H r, W r) -> (*, C r^2, H, W)."""
    r = downscale_factor
    if input.ndim < 3:
        raise RuntimeError(
            f"pixel_unshuffle expects input to have at least 3 dimensions, but got input with {input.ndim} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    *lead, c, h, w = input.shape
    for name, size, index in (("height", h, -2), ("width", w, -1)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({index})={size} "
                f"is not divisible by {r}"
            )
    n = math.prod(lead)
    blocks = input.reshape(n, c, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4)
    result = with_channels(input, blocks.reshape(*lead, c * r * r, h // r, w // r))
    return result if r > 1 else result.copy()


def _ungroup(g, input_shape, groups):
    return channel_shuffle(g, tuple(input_shape)[1] // groups)


@op(input=_ungroup, method=False, aliases=("native_channel_shuffle",))
def channel_shuffle(input, groups: int):
    """Channels of `groups` groups taken in turn: (N, C, *)."""
    if input.ndim < 3:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(input.shape)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    n, c, *rest = input.shape
    if c % groups:
        raise RuntimeError(f"Number of channels must be divisible by groups. Got {c} channels and {groups} groups.")
    return input.reshape(n, groups, c // groups, *rest).swapaxes(1, 2).reshape(input.shape)
