"""A linear layer and cross entropy in one module."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dyncore.nn import functional as F
from dyncore.nn.linear import Linear
from dyncore.nn.loss import WeightedLoss
from dyncore.tensors.tensor import Tensor


@dataclass(slots=True, frozen=True)
class LinearCrossEntropyOptions:
    """Options with which PyTorch saves memory; without effect here."""

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: Any = None


class LinearCrossEntropyLoss(WeightedLoss):
    """`cross_entropy` of a linear layer from (..., in_features) to (num_classes, *out_features) scores."""

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device: Any = None,
        dtype: Any = None,
        reduction: str = "mean",
        weight: Any = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: Any = None,
    ) -> None:
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise RuntimeError(f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}")
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(f"expected label_smoothing to be in range [0, 1], got {label_smoothing}")
        super().__init__(weight=weight, reduction=reduction)
        self.num_classes = num_classes
        self.out_features = out_features
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        self.linear = Linear(in_features, math.prod(out_features, start=num_classes), bias, device, dtype)
        self.options = options

    def forward(self, input: Tensor, target: Tensor) -> Any:
        linear, shape = self.linear, (self.num_classes, *self.out_features)
        return F.linear_cross_entropy(
            input, linear.weight.reshape(*shape, linear.in_features), target,
            linear_bias=None if linear.bias is None else linear.bias.reshape(shape), weight=self.weight,
            reduction=self.reduction, ignore_index=self.ignore_index, label_smoothing=self.label_smoothing,
            options=self.options,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, out_features={self.out_features}, "
            f"bias={self.linear.bias is not None}, reduction={self.reduction}, ignore_index={self.ignore_index}, "
            f"label_smoothing={self.label_smoothing}, options={self.options}"
        )
