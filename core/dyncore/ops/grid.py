"""Images sampled at points of a grid."""

from itertools import product

import numpy as np

from dyncore.creation.ranges import evenly
from dyncore.dispatch.recompute import recomputed
from dyncore.dispatch.registry import op
from dyncore.ops.matrix_checks import check_batches_dtype
from dyncore.ops.pointwise import floor
from dyncore.ops.where import where


def _fused(factor, number, added):
    """Return `factor * number + added`, rounded once as the processor's fused multiply-add rounds it."""
    if factor.dtype != np.float64:
        return (factor.astype(np.float64) * number + added).astype(factor.dtype)
    product = factor * number
    head = factor * 134217729.0  # 2^27 + 1: the upper half of the digits
    head = head - (head - factor)
    lost = head * number - product + (factor - head) * number
    total = product + added
    part = total - product
    return total + ((product - (total - part)) + (added - part) + lost)


def _pixels_rule(g, size, align_corners, fused):
    return g * ((size - 1) / 2 if align_corners else size / 2)


@op(input=_pixels_rule, private=True)
def pixels(input, size: int, align_corners: bool, fused: bool):
    """Positions of elements for coordinates in [-1, 1].

    PyTorch fuses the sum for images and not for volumes; on an identity grid the last digit decides the neighbours.
    """
    if align_corners:
        return (input + 1) * ((size - 1) / 2)
    return _fused(input + 1, size / 2, -0.5) if fused else ((input + 1) * size - 1) / 2


@op(input=lambda g, input, size: g * ((input > 0) & (input < size - 1)), private=True)
def bounded(input, size: int):
    """Positions moved inside; those on an edge or past it have no gradient, as in PyTorch."""
    return np.clip(input, 0.0, size - 1.0)


def _mirrored(position, low, high):
    """Reflect positions at the edges `low` and `high`, which may be half positions."""
    if high == low:
        return position * 0
    span = high - low
    away = np.abs(position - low)
    flips = np.floor(away / span)
    rest = away - flips * span
    return np.where(flips % 2 == 0, rest + low, span - rest + low)


def _kept(position, size, mode, align_corners):
    """Move positions inside by the padding mode."""
    if mode == "reflection":
        edges = (0.0, size - 1.0) if align_corners else (-0.5, size - 0.5)
        position = _mirrored(position, *edges)
    if mode in ("reflection", "border"):
        position = bounded(position, size)
    return position


@op(private=True)
def whole(input):
    """Positions as integers; NaN becomes -100."""
    position = np.where(np.isfinite(input), input, -100)
    return np.minimum(np.maximum(position, -(2.0**31)), 2.0**31).astype(np.int64)


@op(private=True)
def flat_index(places: tuple, sizes: tuple, channels: int):
    """One index into the flattened sizes for each point and channel.

    The second result is True where the point lies inside.
    """
    inside, index = True, 0
    for position, n in zip(places, sizes):
        inside = inside & (position >= 0) & (position < n)
        index = index * n + np.minimum(np.maximum(position, 0), n - 1)
    index = np.broadcast_to(index[:, None], (index.shape[0], channels, *index.shape[1:]))
    return index, inside[:, None]


def _taken(input, positions):
    """Return the elements of (N, C, *sizes) at whole positions, zero outside.

    places: (N, *points) for each dimension.
    """
    sizes = tuple(input.shape)[2:]
    index, inside = flat_index(tuple(positions), sizes, input.shape[1])
    rank = len(sizes)
    result = points_gather(input, index, rank)
    return where(inside, result, result * 0)


@op(input=lambda g, input_shape, index, rank: points_place(g, index, tuple(input_shape[2:]), rank), private=True)
def points_gather(input, index, rank: int):
    """Elements of (N, C, *sizes) at the flat positions (N, C, *points)."""
    n, c = input.shape[:2]
    flat = input.reshape(n, c, -1)
    return np.take_along_axis(flat, index.reshape(n, c, -1), 2).reshape(index.shape)


@op(input=lambda g, index, rank: points_gather(g, index, rank), private=True)
def points_place(input, index, sizes: tuple, rank: int):
    """Zeros (N, C, *sizes) with `input` added at the flat positions."""
    n, c = input.shape[:2]
    area = int(np.prod(sizes))
    result = np.zeros(n * c * area, input.dtype)
    base = (np.arange(n * c) * area)[:, None]
    np.add.at(result, (index.reshape(n * c, -1) + base).reshape(-1), input.reshape(-1))
    return result.reshape(n, c, *sizes)


def _axis_places(grid, sizes, padding_mode, align_corners):
    """Return the positions along each dimension, first dimension first.

    The grid's last axis counts from the last dimension.
    """
    rank = len(sizes)
    return [
        _kept(pixels(grid[..., rank - 1 - axis], n, align_corners, rank == 2), n, padding_mode, align_corners)
        for axis, n in enumerate(sizes)
    ]


def _between(input, positions):
    """Interpolate linearly between the elements around each position."""
    lows = [floor(position) for position in positions]
    parts = [position - low for position, low in zip(positions, lows)]
    total = None
    for corner in product((0, 1), repeat=len(positions)):
        weight = None
        for up, part in zip(corner, parts):
            each = part if up else 1 - part
            weight = each if weight is None else weight * each
        value = _taken(input, [whole(low) + up for low, up in zip(lows, corner)]) * np.expand_dims(weight, 1)
        total = value if total is None else total + value
    return total


def _cubic_weights(t):
    """Return the weights of the four elements around a position with fraction t."""
    a = -0.75

    def near(x):
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x):
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return far(t + 1), near(t), near(1 - t), far(2 - t)


def _bicubic(input, grid, padding_mode, align_corners):
    sizes = tuple(input.shape)[2:]
    rank = len(sizes)
    positions = [pixels(grid[..., rank - 1 - axis], n, align_corners, rank == 2) for axis, n in enumerate(sizes)]
    lows = [floor(position) for position in positions]
    weights = [_cubic_weights(position - low) for position, low in zip(positions, lows)]
    total = None
    for steps in product(range(4), repeat=rank):
        columns = []
        weight = None
        for axis, step in enumerate(steps):
            columns.append(whole(_kept(lows[axis] + (step - 1), sizes[axis], padding_mode, align_corners)))
            weight = weights[axis][step] if weight is None else weight * weights[axis][step]
        value = _taken(input, columns) * np.expand_dims(weight, 1)
        total = value if total is None else total + value
    return total


@op(private=True)
def rounded(input):
    """Positions at the nearest whole one, halves to even."""
    return np.rint(input)


def _sample(input, grid, mode, padding_mode, align_corners):
    if mode == "bicubic":
        return _bicubic(input, grid, padding_mode, align_corners)
    positions = _axis_places(grid, tuple(input.shape)[2:], padding_mode, align_corners)
    if mode == "nearest":
        return _taken(input, [whole(rounded(position)) for position in positions])
    return _between(input, positions)


_MODES = ("bilinear", "nearest", "bicubic")
_PADDINGS = ("zeros", "border", "reflection")


def _sampled_rule(g, input, grid, mode, padding_mode, align_corners, wanted):
    return recomputed(_sample, g, wanted, {"input": input, "grid": grid}, mode, padding_mode, align_corners)


@op(joint=_sampled_rule, private=True, node=lambda input: f"GridSampler{input.ndim - 2}DBackward0")
def sampled(input, grid, mode: str, padding_mode: str, align_corners: bool):
    """Values of (N, C, *sizes) at the points of a grid.

    grid: (N, *points, number of sizes).
    """
    check_batches_dtype(input, grid)
    return _sample(input, grid, mode, padding_mode, align_corners)


@op(composite=True, method=False)
def grid_sampler(input, grid, interpolation_mode: int, padding_mode: int, align_corners: bool):
    """`grid_sample` with numbered modes, for images and volumes."""
    return sampled(input, grid, _MODES[interpolation_mode], _PADDINGS[padding_mode], align_corners)


@op(composite=True, method=False)
def grid_sampler_2d(input, grid, interpolation_mode: int, padding_mode: int, align_corners: bool):
    """`grid_sample` of images with numbered modes."""
    return sampled(input, grid, _MODES[interpolation_mode], _PADDINGS[padding_mode], align_corners)


@op(composite=True, method=False)
def grid_sampler_3d(input, grid, interpolation_mode: int, padding_mode: int, align_corners: bool):
    """`grid_sample` of volumes with numbered modes."""
    return sampled(input, grid, _MODES[interpolation_mode], _PADDINGS[padding_mode], align_corners)


def _base(size, align_corners, dtype):
    """Return the coordinates of `size` elements in [-1, 1], rounded as PyTorch's `linspace`."""
    if size <= 1:
        return np.zeros(size, dtype)
    positions = evenly(-1, 1, size, dtype)
    return positions if align_corners else positions * (size - 1) / size


def _points(size, align_corners, dtype):
    """Return homogeneous coordinates of all elements: (elements, rank + 1)."""
    axes = np.meshgrid(*(_base(n, align_corners, dtype) for n in size), indexing="ij")
    return np.stack([*axes[::-1], np.ones(size, dtype)], -1).reshape(-1, len(size) + 1)


def _theta_rule(g, theta_shape, size, align_corners):
    return affine_back(g, tuple(size), align_corners)


@op(theta=_theta_rule, method=False, node="AffineGridGeneratorBackward0")
def affine_grid_generator(theta, size: tuple, align_corners: bool):
    """Points where affine maps send the elements of images of `size`.

    theta: (N, rank, rank + 1).
    """
    points = _points(tuple(size)[2:], align_corners, theta.dtype)
    columns = theta.swapaxes(1, 2)
    result = points[:, :1] * columns[:, :1]
    for number in range(1, points.shape[1]):  # in order, as PyTorch rounds
        result = result + points[:, number : number + 1] * columns[:, number : number + 1]
    return result.reshape(theta.shape[0], *tuple(size)[2:], theta.shape[1])


@op(input=lambda g, size, align_corners: affine_grid_generator(g, size, align_corners), private=True)
def affine_back(input, size: tuple, align_corners: bool):
    """Transpose of `affine_grid_generator`."""
    points = _points(tuple(size)[2:], align_corners, input.dtype)
    flat = input.reshape(input.shape[0], -1, input.shape[-1])
    return np.matmul(flat.swapaxes(1, 2), points)
