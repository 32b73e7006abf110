"""Pooling."""

from __future__ import annotations

from math import prod
from typing import Any

from dyncore.dispatch.registry import TABLE, titled
from dyncore.rng import initial as noise
from dyncore.tensors.tensor import Tensor, wrap


def _max(rank: int) -> tuple[Any, Any]:
    name = f"max_pool{rank}d"

    def pool(
        input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        ceil_mode: bool = False, return_indices: bool = False,
    ) -> Any:  # fmt: skip
        return TABLE[name].entry(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)

    def with_indices(
        input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        ceil_mode: bool = False, return_indices: bool = False,
    ) -> Any:  # fmt: skip
        return TABLE[name].entry(input, kernel_size, stride, padding, dilation, ceil_mode, True)

    doc = f"Return the maximum of every {rank}-dimensional window.\n\n{_ASKED}"
    return titled(name, doc, pool), titled(f"{name}_with_indices", _BOTH.format(name), with_indices)


_ASKED = "return_indices: return the positions of the maxima too."
_BOTH = "Return `{}` and the positions of the maxima."
max_pool1d, max_pool1d_with_indices = _max(1)
max_pool2d, max_pool2d_with_indices = _max(2)
max_pool3d, max_pool3d_with_indices = _max(3)


def _adaptive(rank: int) -> tuple[Any, Any]:
    name = f"adaptive_max_pool{rank}d"

    def pool(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        from dyncore.ops.pool_adaptive import checked_sizes

        given = checked_sizes(output_size, input._array.shape, rank, name)
        sizes = input._array.shape[input._array.ndim - rank :]
        values, indices = TABLE["adaptive_max"].entry(input, tuple(n if m is None else m for n, m in zip(sizes, given)))
        return (values, indices) if return_indices else values

    def with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        return pool(input, output_size, True)

    doc = f"Return the maximum of nearly equal {rank}-dimensional parts.\n\n{_ASKED}"
    return titled(name, doc, pool), titled(f"{name}_with_indices", _BOTH.format(name), with_indices)


adaptive_max_pool1d, adaptive_max_pool1d_with_indices = _adaptive(1)
adaptive_max_pool2d, adaptive_max_pool2d_with_indices = _adaptive(2)
adaptive_max_pool3d, adaptive_max_pool3d_with_indices = _adaptive(3)


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
            f"Input to max_unpooling{rank}d should be a {rank + 1}d or {rank + 2}d Tensor, but got a tensor with "
            f"{len(shape)} dimensions."
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


def _max_unpool(rank: int) -> Any:
    def unpool(
        input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
    ) -> Any:
        return _unpool(input, indices, kernel_size, stride, padding, output_size, rank)

    doc = f"Put values of `max_pool{rank}d` back to their positions, zeros elsewhere."
    return titled(f"max_unpool{rank}d", doc, unpool)


max_unpool1d, max_unpool2d, max_unpool3d = map(_max_unpool, (1, 2, 3))


def _power_mean(rank: int) -> Any:
    def pool(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
        from dyncore.ops.sliding import several

        average = TABLE[f"avg_pool{rank}d"].entry(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
        area = prod(several(kernel_size, rank))
        return (average.sign() * average.abs().relu()).mul(area).pow(1.0 / norm_type)

    return titled(f"lp_pool{rank}d", f"Return the p-norm of every {rank}-dimensional window.", pool)


lp_pool1d, lp_pool2d, lp_pool3d = map(_power_mean, (1, 2, 3))


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
        output_size = [int(sizes[number] * output_ratio[number]) for number in range(rank)]
    if samples is None:
        lead = (1, shape[0]) if len(shape) == rank + 1 else shape[:2]
        samples = wrap(noise.uniform((*lead, rank), 0.0, 1.0, dtype=input._array.dtype), None)
    values, indices = TABLE["fractional_max"].entry(
        input, several(kernel_size, rank), several(output_size, rank), samples
    )
    return (values, indices) if return_indices else values


def _fractional_max(rank: int) -> tuple[Any, Any]:
    name = f"fractional_max_pool{rank}d"

    def pool(
        input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
        return_indices: bool = False, _random_samples: Any = None,
    ) -> Any:  # fmt: skip
        return _fractional(input, kernel_size, output_size, output_ratio, return_indices, _random_samples, rank)

    def with_indices(
        input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
        return_indices: bool = False, _random_samples: Any = None,
    ) -> Any:  # fmt: skip
        return _fractional(input, kernel_size, output_size, output_ratio, True, _random_samples, rank)

    doc = f"Return the maximum of {rank}-dimensional windows at random positions."
    return titled(name, doc, pool), titled(f"{name}_with_indices", _BOTH.format(name), with_indices)


fractional_max_pool2d, fractional_max_pool2d_with_indices = _fractional_max(2)
fractional_max_pool3d, fractional_max_pool3d_with_indices = _fractional_max(3)
