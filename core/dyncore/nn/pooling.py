"""Pooling layers."""

from __future__ import annotations

from typing import Any

from dyncore.nn import functional as F
from dyncore.nn.module import Module
from dyncore.nn.tuples import as_tuple
from dyncore.tensors.tensor import Tensor


class _MaxPool(Module):
    run: str

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self.run)(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPool):
    """Maximum of every window of (N, C, L)."""

    run = "max_pool1d"


class MaxPool2d(_MaxPool):
    """Maximum of every window of (N, C, H, W)."""

    run = "max_pool2d"


class MaxPool3d(_MaxPool):
    """Maximum of every window of (N, C, D, H, W)."""

    run = "max_pool3d"


class AvgPool1d(Module):
    """Mean of every window of (N, C, L)."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = as_tuple(kernel_size, 1)
        self.stride = as_tuple(kernel_size if stride is None else stride, 1)
        self.padding = as_tuple(padding, 1)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Any:
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AvgPool(Module):
    run: str

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self.run)(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2d(_AvgPool):
    """Mean of every window of (N, C, H, W)."""

    run = "avg_pool2d"


class AvgPool3d(_AvgPool):
    """Mean of every window of (N, C, D, H, W)."""

    run = "avg_pool3d"


class _Adaptive(Module):
    run: str

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self.run)(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_Adaptive):
    """Mean of `output_size` nearly equal parts of (N, C, L)."""

    run = "adaptive_avg_pool1d"


class AdaptiveAvgPool2d(_Adaptive):
    """Mean of nearly equal parts of (N, C, H, W)."""

    run = "adaptive_avg_pool2d"


class AdaptiveAvgPool3d(_Adaptive):
    """Mean of nearly equal parts of (N, C, D, H, W)."""

    run = "adaptive_avg_pool3d"


class _AdaptiveMax(_Adaptive):
    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self.run)(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMax):
    """Maximum of `output_size` nearly equal parts of (N, C, L)."""

    run = "adaptive_max_pool1d"


class AdaptiveMaxPool2d(_AdaptiveMax):
    """Maximum of nearly equal parts of (N, C, H, W)."""

    run = "adaptive_max_pool2d"


class AdaptiveMaxPool3d(_AdaptiveMax):
    """Maximum of nearly equal parts of (N, C, D, H, W)."""

    run = "adaptive_max_pool3d"


class _MaxUnpool(Module):
    run: str
    rank = 1

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = as_tuple(kernel_size, self.rank)
        self.stride = as_tuple(kernel_size if stride is None else stride, self.rank)
        self.padding = as_tuple(padding, self.rank)

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Any:
        return getattr(F, self.run)(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpool):
    """Values of `MaxPool1d` at the positions they came from, zeros elsewhere."""

    run = "max_unpool1d"
    rank = 1


class MaxUnpool2d(_MaxUnpool):
    """Values of `MaxPool2d` at the positions they came from, zeros elsewhere."""

    run = "max_unpool2d"
    rank = 2


class MaxUnpool3d(_MaxUnpool):
    """Values of `MaxPool3d` at the positions they came from, zeros elsewhere."""

    run = "max_unpool3d"
    rank = 3


class _LPPool(Module):
    run: str

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self.run)(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        text = f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}"
        return text + f", ceil_mode={self.ceil_mode}"


class LPPool1d(_LPPool):
    """p-norm of every window of (N, C, L)."""

    run = "lp_pool1d"


class LPPool2d(_LPPool):
    """p-norm of every window of (N, C, H, W)."""

    run = "lp_pool2d"


class LPPool3d(_LPPool):
    """p-norm of every window of (N, C, D, H, W)."""

    run = "lp_pool3d"


class _Fractional(Module):
    run: str
    rank = 2

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        if output_size is None and output_ratio is None:
            raise ValueError(f"{name} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        self.kernel_size = as_tuple(kernel_size, self.rank)
        self.output_size = None if output_size is None else as_tuple(output_size, self.rank)
        self.output_ratio = None if output_ratio is None else as_tuple(output_ratio, self.rank)
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self.run)(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


class FractionalMaxPool2d(_Fractional):
    """Maximum of windows at random positions of (N, C, H, W)."""

    run = "fractional_max_pool2d"
    rank = 2


class FractionalMaxPool3d(_Fractional):
    """Maximum of windows at random positions of (N, C, D, H, W)."""

    run = "fractional_max_pool3d"
    rank = 3
