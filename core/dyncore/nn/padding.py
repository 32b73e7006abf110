"""Padding layers."""

from __future__ import annotations

from typing import Any

from dyncore.nn import functional as F
from dyncore.nn.module import Module
from dyncore.nn.tuples import as_tuple
from dyncore.tensors.tensor import Tensor


class _Pad(Module):
    rank = 1
    mode = "constant"

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = as_tuple(padding, 2 * self.rank)

    def forward(self, input: Tensor) -> Any:
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPad(_Pad):
    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Any:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPad):
    """One value round the last dimension."""

    rank = 1


class ConstantPad2d(_ConstantPad):
    """One value round the last two dimensions."""

    rank = 2


class ConstantPad3d(_ConstantPad):
    """One value round the last three dimensions."""

    rank = 3


class _ZeroPad(_ConstantPad):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad1d(_ZeroPad):
    """Zeros round the last dimension."""

    rank = 1


class ZeroPad2d(_ZeroPad):
    """Zeros round the last two dimensions."""

    rank = 2


class ZeroPad3d(_ZeroPad):
    """Zeros round the last three dimensions."""

    rank = 3


class ReflectionPad1d(_Pad):
    """The last dimension mirrored at its ends."""

    rank, mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """The last two dimensions mirrored at their ends."""

    rank, mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """The last three dimensions mirrored at their ends."""

    rank, mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """The ends of the last dimension repeated."""

    rank, mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """The ends of the last two dimensions repeated."""

    rank, mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """The ends of the last three dimensions repeated."""

    rank, mode = 3, "replicate"


class CircularPad1d(_Pad):
    """The last dimension continued from its other end."""

    rank, mode = 1, "circular"


class CircularPad2d(_Pad):
    """The last two dimensions continued from their other ends."""

    rank, mode = 2, "circular"


class CircularPad3d(_Pad):
    """The last three dimensions continued from their other ends."""

    rank, mode = 3, "circular"
