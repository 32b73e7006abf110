"""Normalization over a batch or over channels, with running statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.errors.explain import warn
from dyncore.graph.modes import current
from dyncore.mutation.inplace import apply_into
from dyncore.nn import functional as F, init
from dyncore.nn.module import Module
from dyncore.nn.tuples import blank
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor, wrap


class _Norm(Module):
    """Statistics and scale of each channel.

    weight, bias, running_mean, running_var: (num_features,).
    """

    _version = 2
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        shape = (num_features,)
        self.register_parameter("weight", Parameter(blank(shape, device, dtype)) if affine else None)
        self.register_parameter("bias", Parameter(blank(shape, device, dtype)) if affine and bias else None)
        tracked = track_running_stats
        self.register_buffer("running_mean", blank(shape, device, dtype) if tracked else None)
        self.register_buffer("running_var", blank(shape, device, dtype) if tracked else None)
        self.register_buffer("num_batches_tracked", wrap(np.asarray(np.int64(0)), None) if tracked else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Set the running mean to 0, the running variance to 1 and the count to 0."""
        if self.track_running_stats:
            init.zeros_(self.running_mean)
            init.ones_(self.running_var)
            init.zeros_(self.num_batches_tracked)

    def reset_parameters(self) -> None:
        """Set weight to 1 and bias to 0, and reset the running statistics."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: Any, *rest: Any) -> None:
        version = local_metadata.get("version", None)
        key = prefix + "num_batches_tracked"
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            state_dict[key] = wrap(np.asarray(np.int64(0)), None)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


def _counted(count: Any) -> None:
    count += 1


class _BatchNorm(_Norm):
    dims: tuple[int, ...] = ()  # any number of them

    def _check(self, input: Tensor) -> None:
        """Raise ValueError for an input with a wrong number of dimensions."""
        if self.dims and input._array.ndim not in self.dims:
            expected = " or ".join(f"{count}D" for count in self.dims)
            raise ValueError(f"expected {expected} input (got {input._array.ndim}D input)")

    def forward(self, input: Tensor) -> Any:
        self._check(input)
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            apply_into(_counted, (self.num_batches_tracked,))
            if self.momentum is None:
                tape = current().tape
                if tape is not None:
                    tape.refuse("averages over all batches so far (momentum=None)")
                momentum = 1.0 / float(self.num_batches_tracked._array)
        use_batch = self.training or (self.running_mean is None and self.running_var is None)
        follow = not self.training or self.track_running_stats
        return F.batch_norm(
            input, self.running_mean if follow else None, self.running_var if follow else None, self.weight, self.bias,
            use_batch, momentum, self.eps,
        )  # fmt: skip


class BatchNorm1d(_BatchNorm):
    """Each channel of (N, C) or (N, C, L) normalised over the batch."""

    dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Each channel of (N, C, H, W) normalised over the batch."""

    dims = (4,)


class BatchNorm3d(_BatchNorm):
    """Each channel of (N, C, D, H, W) normalised over the batch."""

    dims = (5,)


class SyncBatchNorm(_BatchNorm):
    """`BatchNorm` of any number of dimensions: there is one process."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: Any = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device=device, dtype=dtype)

    def _check(self, input: Tensor) -> None:
        if input._array.ndim < 2:
            raise ValueError(f"expected at least 2D input (got {input._array.ndim}D input)")

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Module:
        """Return `module` itself: one process has nothing to synchronize."""
        return module


class _InstanceNorm(_Norm):
    rank = 1

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Any) -> Any:
        ndim = input._array.ndim
        if ndim not in (self.rank + 1, self.rank + 2):
            raise ValueError(f"expected {self.rank + 1}D or {self.rank + 2}D input (got {ndim}D input)")
        channels = input._array.shape[ndim - self.rank - 1]
        if channels != self.num_features and self.affine:
            raise ValueError(
                f"expected input's size at dim={ndim - self.rank - 1} to match num_features ({self.num_features}), but "
                f"got: {channels}."
            )
        if channels != self.num_features:
            warn(
                f"input's size at dim={ndim - self.rank - 1} does not match num_features. You can silence this warning "
                "by not passing in num_features, which is not used because affine=False"
            )
        if ndim == self.rank + 1:
            return self._normalised(input.unsqueeze(0)).squeeze(0)
        return self._normalised(input)

    def _normalised(self, input: Tensor) -> Any:
        momentum = 0.0 if self.momentum is None else self.momentum
        own = self.training or not self.track_running_stats
        return F.instance_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, own, momentum, self.eps
        )


class InstanceNorm1d(_InstanceNorm):
    """Each channel of each example of (N, C, L) normalised by itself."""

    rank = 1


class InstanceNorm2d(_InstanceNorm):
    """Each channel of each example of (N, C, H, W) normalised by itself."""

    rank = 2


class InstanceNorm3d(_InstanceNorm):
    """Each channel of each example of (N, C, D, H, W) normalised by itself."""

    rank = 3
