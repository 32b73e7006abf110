"""Convolution layers."""

from __future__ import annotations

import math
from typing import Any

from dyncore.nn import functional as F, init
from dyncore.nn.module import Module
from dyncore.nn.tuples import as_tuple, blank, reversed_twice, unusual
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor


class _Convolution(Module):
    """Base of all convolutions.

    weight: (out, in / groups, *kernel), transposed (in, out / groups, *kernel).
    """

    rank = 0  # of a class of the user's: as many dimensions as its kernel has
    transposed = False
    weight: Any
    bias: Any

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        transposed: bool,
        output_padding: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if not self.rank:
            self.rank, self.transposed = len(kernel_size), transposed
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = as_tuple(kernel_size, self.rank)
        self.stride = as_tuple(stride, self.rank)
        self.padding = padding if isinstance(padding, str) else as_tuple(padding, self.rank)
        self.dilation = as_tuple(dilation, self.rank)
        self.output_padding = as_tuple(output_padding, self.rank)
        self.groups = groups
        self._check_padding(padding_mode)
        self.padding_mode = padding_mode
        channels = (in_channels, out_channels // groups) if self.transposed else (out_channels, in_channels // groups)
        self.weight = Parameter(blank((*channels, *self.kernel_size), device, dtype))
        self.register_parameter("bias", Parameter(blank((out_channels,), device, dtype)) if bias else None)
        self.reset_parameters()

    def _check_padding(self, padding_mode: str) -> None:
        if isinstance(self.padding, str):
            if self.padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {self.padding!r}, should be one of {{'same', 'valid'}}")
            if self.padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(
                "padding_mode must be one of {'circular', 'reflect', 'replicate', 'zeros'}, but got "
                f"padding_mode='{padding_mode}'"
            )
        if isinstance(self.padding, str):
            self._reversed_padding_repeated_twice = [0, 0] * self.rank
            if self.padding == "same":
                for number, (d, k) in enumerate(zip(self.dilation, self.kernel_size)):
                    total = d * (k - 1)
                    self._reversed_padding_repeated_twice[2 * (self.rank - 1 - number)] = total // 2
                    self._reversed_padding_repeated_twice[2 * (self.rank - 1 - number) + 1] = total - total // 2
        else:
            self._reversed_padding_repeated_twice = reversed_twice(self.padding)

    def reset_parameters(self) -> None:
        """Draw new values, uniform within +- 1 / sqrt(fan_in)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._fans(self.weight)
            if fan_in:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        none = (0,) * self.rank
        text += unusual(self, padding=none, dilation=(1,) * self.rank, output_padding=none, groups=1)
        return text + (", bias=False" if self.bias is None else "") + unusual(self, padding_mode="zeros")


class _Forward(_Convolution):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, False, 0, groups, bias, padding_mode,
            device, dtype,
        )  # fmt: skip

    def forward(self, input: Tensor) -> Any:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Any, bias: Any) -> Any:
        run = getattr(F, f"conv{self.rank}d")
        if self.padding_mode == "zeros":
            return run(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        padded = F.pad(input, self._reversed_padding_repeated_twice, self.padding_mode)
        return run(padded, weight, bias, self.stride, 0, self.dilation, self.groups)


class Conv1d(_Forward):
    """Convolution over one dimension: (N, C, L)."""

    rank = 1


class Conv2d(_Forward):
    """Convolution over two dimensions: (N, C, H, W)."""

    rank = 2


class Conv3d(_Forward):
    """Convolution over three dimensions: (N, C, D, H, W)."""

    rank = 3


class _Transposed(_Convolution):
    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, True, output_padding, groups, bias,
            padding_mode, device, dtype,
        )  # fmt: skip

    def forward(self, input: Tensor, output_size: Any = None) -> Any:
        extra = self.output_padding if output_size is None else self._output_padding(input, output_size)
        run = getattr(F, f"conv_transpose{self.rank}d")
        return run(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)

    def _output_padding(self, input: Tensor, output_size: Any) -> tuple[int, ...]:
        """Return the output padding that makes the result `output_size`.

        Raises ValueError if none does.
        """
        rank, shape = self.rank, input._array.shape
        if len(output_size) == len(shape):
            output_size = output_size[len(shape) - rank :]
        if len(output_size) != rank:
            raise ValueError(
                f"ConvTranspose{rank}D: for {len(shape)}D input, output_size must have {rank} or {len(shape)} elements "
                f"(got {len(output_size)})"
            )
        smallest = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(shape[-rank:], self.stride, self.padding, self.dilation, self.kernel_size)
        ]
        largest = [low + s - 1 for low, s in zip(smallest, self.stride)]
        for size, low, high in zip(output_size, smallest, largest):
            if not low <= size <= high:
                raise ValueError(
                    f"requested an output size of {output_size}, but valid sizes range from {smallest} to {largest} "
                    f"(for an input of {Size(shape[2:])})"
                )
        return tuple(size - low for size, low in zip(output_size, smallest))


class ConvTranspose1d(_Transposed):
    """Transposed convolution over one dimension: (N, C, L)."""

    rank = 1


class ConvTranspose2d(_Transposed):
    """Transposed convolution over two dimensions: (N, C, H, W)."""

    rank = 2


class ConvTranspose3d(_Transposed):
    """Transposed convolution over three dimensions: (N, C, D, H, W)."""

    rank = 3
