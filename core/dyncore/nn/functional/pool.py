"""Pooling."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.rng import initial as noise
from dyncore.tensors.tensor import Tensor, wrap


def _max(rank: int) -> tuple[Any, Any]:
    name = f"max_pool{rank}d"

    def pool(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        return TABLE[name].entry(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)

    def with_indices(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        return TABLE[name].entry(input, kernel_size, stride, padding, dilation, ceil_mode, True)

    pool.__name__ = pool.__qualname__ = f"max_pool{rank}d"
    with_indices.__name__ = with_indices.__qualname__ = f"max_pool{rank}d_with_indices"
    pool.__doc__ = (
        f"Return the maximum of every window over the last {rank} dimensions.\n\n"
        "return_indices: return the positions of the maxima too."
    )
    with_indices.__doc__ = f"Return `max_pool{rank}d` and the positions of the maxima."
    return pool, with_indices


max_pool1d, max_pool1d_with_indices = _max(1)
max_pool2d, max_pool2d_with_indices = _max(2)
max_pool3d, max_pool3d_with_indices = _max(3)


def _adaptive(input: Tensor, output_size: Any, rank: int, return_indices: bool) -> Any:
    from dyncore.ops.pool_adaptive import checked_sizes

    given = checked_sizes(output_size, input._array.shape, rank, f"adaptive_max_pool{rank}d")
    sizes = input._array.shape[input._array.ndim - rank :]
    values, indices = TABLE["adaptive_max"].entry(input, tuple(n if m is None else m for n, m in zip(sizes, given)))
    return (values, indices) if return_indices else values


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Return the maximum of `output_size` nearly equal parts of (*, L)."""
    return _adaptive(input, output_size, 1, return_indices)


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Return the maximum of `output_size` nearly equal parts of (*, H, W)."""
    return _adaptive(input, output_size, 2, return_indices)


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Return the maximum of `output_size` nearly equal parts of (*, D, H, W)."""
    return _adaptive(input, output_size, 3, return_indices)


def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Return `adaptive_max_pool1d` and the positions of the maxima."""
    return _adaptive(input, output_size, 1, True)


def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Return `adaptive_max_pool2d` and the positions of the maxima."""
    return _adaptive(input, output_size, 2, True)


def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Return `adaptive_max_pool3d` and the positions of the maxima."""
    return _adaptive(input, output_size, 3, True)


def _unpool(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any, rank: int
) -> Any:
    from dyncore.ops.sliding import several

    kernel = several(kernel_size, rank)
    stride = kernel if stride is None else several(stride, rank)
    padding = several(padding, rank)
    shape = input._array.shape
    if len(shape) not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Input to max_unpooling{rank}d should be a {rank + 1}d or {rank + 2}d Tensor, but got a tensor with dim "
            f"{len(shape)}"
        )
    sizes = shape[len(shape) - rank :]
    usual = [(n - 1) * s + k - 2 * p for n, s, k, p in zip(sizes, stride, kernel, padding)]
    if output_size is not None:
        if len(output_size) == rank + 2:
            output_size = output_size[2:]
        if len(output_size) != rank:
            raise ValueError(
                "output_size should be a sequence containing "
                f"{rank} or {rank + 2} elements, but it has a length of '{len(output_size)}'"
            )
        for axis, (size, each, s) in enumerate(zip(output_size, usual, stride)):
            if not each - s < size < each + s:
                raise ValueError(
                    f'invalid output_size "{output_size}" (dim {axis} must be between {each - s} and {each + s})'
                )
        usual = output_size
    return TABLE["max_unpool"].entry(input, indices, tuple(int(n) for n in usual))


def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """Put values of `max_pool1d` back to their positions, zeros elsewhere."""
    return _unpool(input, indices, kernel_size, stride, padding, output_size, 1)


def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """Put values of `max_pool2d` back to their positions, zeros elsewhere."""
    return _unpool(input, indices, kernel_size, stride, padding, output_size, 2)


def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """Put values of `max_pool3d` back to their positions, zeros elsewhere."""
    return _unpool(input, indices, kernel_size, stride, padding, output_size, 3)


def _power_mean(input: Any, norm_type: float, kernel_size: Any, stride: Any, ceil_mode: bool, rank: int) -> Any:
    from math import prod

    from dyncore.ops.sliding import several

    average = TABLE[f"avg_pool{rank}d"].entry(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    area = prod(several(kernel_size, rank))
    return (average.sign() * average.abs().relu()).mul(area).pow(1.0 / norm_type)


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """Return the p-norm of every window over the last dimension."""
    return _power_mean(input, norm_type, kernel_size, stride, ceil_mode, 1)


def lp_pool2d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """Return the p-norm of every window over the last two dimensions."""
    return _power_mean(input, norm_type, kernel_size, stride, ceil_mode, 2)


def lp_pool3d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """Return the p-norm of every window over the last three dimensions."""
    return _power_mean(input, norm_type, kernel_size, stride, ceil_mode, 3)


def _fractional(
    input: Any, kernel_size: Any, output_size: Any, output_ratio: Any, return_indices: bool, samples: Any, rank: int
) -> Any:
    from dyncore.ops.sliding import several

    if output_size is None and output_ratio is None:
        raise ValueError(f"fractional_max_pool{rank}d requires specifying either an output_size or an output_ratio")
    shape = input._array.shape
    if len(shape) not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"fractional_max_pool{rank}d(): Expected {rank + 1}D or {rank + 2}D tensor, but got: {list(shape)}"
        )
    sizes = shape[len(shape) - rank :]
    if output_size is None:
        ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * rank
        output_size = [int(n * ratio) for n, ratio in zip(sizes, ratios)]
    if samples is None:
        lead = (1, shape[0]) if len(shape) == rank + 1 else shape[:2]
        samples = wrap(noise.uniform((*lead, rank), 0.0, 1.0, dtype=input._array.dtype), None)
    values, indices = TABLE["fractional_max"].entry(
        input, several(kernel_size, rank), several(output_size, rank), samples
    )
    return (values, indices) if return_indices else values


def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:
    """Return the maximum of windows at random positions in two dimensions."""
    return _fractional(input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 2)


def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:
    """Return the maximum of windows at random positions in three dimensions."""
    return _fractional(input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 3)


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:
    """Return `fractional_max_pool2d` and the positions of the maxima."""
    return _fractional(input, kernel_size, output_size, output_ratio, True, _random_samples, 2)


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:
    """Return `fractional_max_pool3d` and the positions of the maxima."""
    return _fractional(input, kernel_size, output_size, output_ratio, True, _random_samples, 3)
