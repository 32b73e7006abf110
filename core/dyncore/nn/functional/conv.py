"""Convolution, unfolding and padding."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.tensors.tensor import Tensor


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Return sliding blocks of images as columns.

    (N, C, H, W) -> (N, C * elements of a block, number of blocks).
    """
    return TABLE["im2col"].entry(input, kernel_size, dilation, padding, stride)


def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Any:
    """Sum columns of sliding blocks to images: the transpose of `unfold`."""
    return TABLE["col2im"].entry(input, output_size, kernel_size, dilation, padding, stride)


_PADS = {"reflect": "reflection_pad", "replicate": "replication_pad", "circular": "circular_pad"}


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Any:
    """Pad the last dimensions by (left, right, top, bottom, ...), last one first.

    mode: constant (`value`), reflect, replicate, circular.
    """
    pad = [int(n) for n in pad]
    ndim = input.dim()
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * ndim:
        raise RuntimeError(
            f"Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {ndim}"
        )
    if value is not None and not hasattr(value, "__float__"):
        raise TypeError(f"pad(): argument 'value' (position 4) must be float, not {type(value).__name__}")
    if mode == "constant":
        return TABLE["constant_pad_nd"].entry(input, pad, 0 if value is None else float(value))
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if mode not in _PADS:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if ndim not in (len(pad) // 2 + 1, len(pad) // 2 + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {ndim}D input tensor.\nSupported combinations for "
            "non-constant padding:\n  - 2D or 3D input: padding size = 2 (pads last dimension)\n  - 3D or 4D input: "
            "padding size = 4 (pads last 2 dimensions)\n  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    return TABLE[_PADS[mode]].entry(input, pad)


def conv_tbc(input: Any, weight: Any, bias: Any, pad: int = 0) -> Any:
    """Convolve over time: (time, batch, in) with weight (width, in, out)."""
    result = TABLE["conv1d"].entry(input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, 1, pad)
    return result.permute(2, 0, 1)
