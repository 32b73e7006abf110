"""Causal masks for `scaled_dot_product_attention`, as `torch.nn.attention.bias` makes them."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from dyncore.creation.factory import ones
from dyncore.dtypes.dtypes import bool_
from dyncore.tensors.tensor import Tensor

__all__ = ["CausalBias", "CausalVariant", "causal_lower_right", "causal_upper_left"]


class CausalVariant(IntEnum):
    """The corner from which the diagonal of a mask starts."""

    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias(Tensor):
    """A mask of the places up to a diagonal."""

    __slots__ = ()


def _mask(name: str, size: tuple[int, ...], variant: CausalVariant) -> Any:
    if len(size) != 2:
        raise AssertionError(f"{name} only supports 2D tensors")
    rows, columns = size
    made: Any = ones(rows, columns, dtype=bool_).tril(columns - rows if variant == CausalVariant.LOWER_RIGHT else 0)
    made.__class__ = CausalBias
    return made


def causal_upper_left(*size: int) -> Any:
    """Return the mask (L, S) with which query i attends to the keys up to i."""
    return _mask("causal_upper_left", size, CausalVariant.UPPER_LEFT)


def causal_lower_right(*size: int) -> Any:
    """Return the mask (L, S) with which the last query attends to all keys."""
    return _mask("causal_lower_right", size, CausalVariant.LOWER_RIGHT)
