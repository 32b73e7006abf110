"""Dropout as modules: active in training mode only."""

from __future__ import annotations

from typing import Any

from dyncore.nn import functional as F
from dyncore.nn.module import Module
from dyncore.tensors.tensor import Tensor


class _Dropout(Module):
    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    """Each element zero with probability p, the others divided by 1 - p."""

    def forward(self, input: Tensor) -> Any:
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_Dropout):
    """Whole channels of (N, C, L) zero with probability p."""

    def forward(self, input: Tensor) -> Any:
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_Dropout):
    """Whole channels of (N, C, H, W) zero with probability p."""

    def forward(self, input: Tensor) -> Any:
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_Dropout):
    """Whole channels of (N, C, D, H, W) zero with probability p."""

    def forward(self, input: Tensor) -> Any:
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_Dropout):
    """Dropout that keeps the mean and variance of selu's output."""

    def forward(self, input: Tensor) -> Any:
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_Dropout):
    """`AlphaDropout` of whole channels."""

    def forward(self, input: Tensor) -> Any:
        return F.feature_alpha_dropout(input, self.p, self.training)
