"""Layers that learn how many inputs they have from the first one they see."""

from __future__ import annotations

from typing import Any

from dyncore.nn.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from dyncore.nn.conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from dyncore.nn.linear import Linear
from dyncore.nn.module import Module


class _Lazy(Module):
    """Stands for a `kind` until its first call, then becomes one."""

    kind: Any = None
    first: str
    axis = 1

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self._options = (args, kwargs)

    def extra_repr(self) -> str:
        args, kwargs = self._options
        return ", ".join([f"{self.first}=0", *map(repr, args), *(f"{key}={value!r}" for key, value in kwargs.items())])

    def forward(self, input: Any) -> Any:
        args, kwargs = self._options
        made = self.kind(input._array.shape[self._channel_axis(input)], *args, **kwargs)
        made.train(self.training)
        hooks = {name: value for name, value in self.__dict__.items() if name.endswith("_hooks") or name == "_hooked"}
        self.__class__ = self.kind
        self.__dict__.clear()
        self.__setstate__({**made.__dict__, **hooks})
        return self.forward(input)

    def _channel_axis(self, input: Any) -> int:
        return self.axis


class LazyLinear(_Lazy):
    """Linear whose in_features come from its first input."""

    kind, first, axis = Linear, "in_features", -1


class _LazyConv(_Lazy):
    first = "in_channels"

    def _channel_axis(self, input: Any) -> int:
        return int(input._array.ndim - self.kind.rank - 1)


class LazyConv1d(_LazyConv):
    """Conv1d whose in_channels come from its first input."""

    kind = Conv1d


class LazyConv2d(_LazyConv):
    """Conv2d whose in_channels come from its first input."""

    kind = Conv2d


class LazyConv3d(_LazyConv):
    """Conv3d whose in_channels come from its first input."""

    kind = Conv3d


class LazyConvTranspose1d(_LazyConv):
    """ConvTranspose1d whose in_channels come from its first input."""

    kind = ConvTranspose1d


class LazyConvTranspose2d(_LazyConv):
    """ConvTranspose2d whose in_channels come from its first input."""

    kind = ConvTranspose2d


class LazyConvTranspose3d(_LazyConv):
    """ConvTranspose3d whose in_channels come from its first input."""

    kind = ConvTranspose3d


class LazyBatchNorm1d(_Lazy):
    """BatchNorm1d whose num_features come from its first input."""

    kind, first = BatchNorm1d, "num_features"


class LazyBatchNorm2d(_Lazy):
    """BatchNorm2d whose num_features come from its first input."""

    kind, first = BatchNorm2d, "num_features"


class LazyBatchNorm3d(_Lazy):
    """BatchNorm3d whose num_features come from its first input."""

    kind, first = BatchNorm3d, "num_features"


class _LazyInstanceNorm(_LazyConv):
    first = "num_features"


class LazyInstanceNorm1d(_LazyInstanceNorm):
    """InstanceNorm1d whose num_features come from its first input."""

    kind = InstanceNorm1d


class LazyInstanceNorm2d(_LazyInstanceNorm):
    """InstanceNorm2d whose num_features come from its first input."""

    kind = InstanceNorm2d


class LazyInstanceNorm3d(_LazyInstanceNorm):
    """InstanceNorm3d whose num_features come from its first input."""

    kind = InstanceNorm3d
