"""Layers that take their number of inputs from the first input."""

from __future__ import annotations

from typing import Any

from dyncore.creation.random import fork_rng
from dyncore.nn.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from dyncore.nn.conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from dyncore.nn.linear import Linear
from dyncore.nn.module import Module
from dyncore.tensors.parameter import UninitializedBuffer, UninitializedParameter

__capture__ = "engine"


class _Lazy(Module):
    """Layer of class `kind` with the size of its first input.

    Its parameters have no shape before that.
    """

    kind: Any = None
    first: str
    axis = 1

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        import inspect

        Module.__init__(self)
        groups = inspect.signature(self.kind).bind(1, *args, **kwargs).arguments.get("groups", 1)
        with fork_rng():
            like = self.kind(groups, *args, **kwargs)
        self.__setstate__(dict(like.__dict__))
        self._options = (args, kwargs)
        setattr(self, self.first, 0)
        for name, parameter in like._parameters.items():
            if parameter is not None:
                self._parameters[name] = UninitializedParameter(dtype=parameter.dtype)
        for name, buffer in like._buffers.items():
            if buffer is not None and buffer.dim():
                self._buffers[name] = UninitializedBuffer(dtype=buffer.dtype)

    @property
    def cls_to_become(self) -> Any:
        """Class of the layer once it is initialized."""
        return self.kind

    def has_uninitialized_params(self) -> bool:
        """Return True until the first input."""
        tensors = [*self._parameters.values(), *self._buffers.values()]
        return any(isinstance(each, (UninitializedParameter, UninitializedBuffer)) for each in tensors)

    def reset_parameters(self) -> None:
        """Draw the parameters again, if they have a shape."""
        if not self.has_uninitialized_params() and self.__dict__[self.first]:
            self.kind.reset_parameters(self)

    def initialize_parameters(self, input: Any, *args: Any, **kwargs: Any) -> None:
        """Set the shapes and initial values of the parameters for the size of `input`."""
        size = input._array.shape[self._channel_axis(input)]
        given, options = self._options
        module = self.kind(size, *given, **options)
        setattr(self, self.first, size)
        for table, values in ((self._parameters, module._parameters), (self._buffers, module._buffers)):
            for name, value in values.items():
                held = table[name]
                if isinstance(held, (UninitializedParameter, UninitializedBuffer)):
                    held.materialize(value._array.shape)
                    held._array[...] = value._array

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        input = inputs[0] if inputs else kwargs["input"]
        if self.has_uninitialized_params():
            self.initialize_parameters(input)
        setattr(self, self.first, getattr(self, self.first) or input._array.shape[self._channel_axis(input)])
        del self._options
        self.__class__ = self.kind
        return self.forward(*inputs, **kwargs)

    def _channel_axis(self, input: Any) -> int:
        return self.axis

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        for name, held in [*self._parameters.items(), *self._buffers.items()]:
            given = state_dict.get(prefix + name)
            if isinstance(held, (UninitializedParameter, UninitializedBuffer)) and given is not None:
                held.materialize(given.shape)
        super()._load_from_state_dict(state_dict, prefix, *rest)


class LazyLinear(_Lazy, Linear):
    """Linear whose in_features come from its first input."""

    kind, first, axis = Linear, "in_features", -1


class _LazyConv(_Lazy):
    first = "in_channels"

    def _channel_axis(self, input: Any) -> int:
        return int(input._array.ndim - self.kind.rank - 1)


class LazyConv1d(_LazyConv, Conv1d):
    """Conv1d whose in_channels come from its first input."""

    kind = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """Conv2d whose in_channels come from its first input."""

    kind = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """Conv3d whose in_channels come from its first input."""

    kind = Conv3d


class LazyConvTranspose1d(_LazyConv, ConvTranspose1d):
    """ConvTranspose1d whose in_channels come from its first input."""

    kind = ConvTranspose1d


class LazyConvTranspose2d(_LazyConv, ConvTranspose2d):
    """ConvTranspose2d whose in_channels come from its first input."""

    kind = ConvTranspose2d


class LazyConvTranspose3d(_LazyConv, ConvTranspose3d):
    """ConvTranspose3d whose in_channels come from its first input."""

    kind = ConvTranspose3d


class LazyBatchNorm1d(_Lazy, BatchNorm1d):
    """BatchNorm1d whose num_features come from its first input."""

    kind, first = BatchNorm1d, "num_features"


class LazyBatchNorm2d(_Lazy, BatchNorm2d):
    """BatchNorm2d whose num_features come from its first input."""

    kind, first = BatchNorm2d, "num_features"


class LazyBatchNorm3d(_Lazy, BatchNorm3d):
    """BatchNorm3d whose num_features come from its first input."""

    kind, first = BatchNorm3d, "num_features"


class _LazyInstanceNorm(_LazyConv):
    first = "num_features"

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(eps, momentum, affine, track_running_stats, device, dtype, bias=bias)


class LazyInstanceNorm1d(_LazyInstanceNorm, InstanceNorm1d):
    """InstanceNorm1d whose num_features come from its first input."""

    kind = InstanceNorm1d


class LazyInstanceNorm2d(_LazyInstanceNorm, InstanceNorm2d):
    """InstanceNorm2d whose num_features come from its first input."""

    kind = InstanceNorm2d


class LazyInstanceNorm3d(_LazyInstanceNorm, InstanceNorm3d):
    """InstanceNorm3d whose num_features come from its first input."""

    kind = InstanceNorm3d
