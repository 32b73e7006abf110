"""Private helpers of `torch.nn.functional` that scripts import, most of them with a copy of its attention."""

from __future__ import annotations

from typing import Any

from dyncore.creation.factory import zeros_like
from dyncore.dispatch.registry import TABLE
from dyncore.errors.advice import advise
from dyncore.errors.explain import warn
from dyncore.nn.functional.reductions import reduction_of
from dyncore.tensors.tensor import Tensor


def get_enum(reduction: str) -> int:
    """Return the number of a reduction: 0 for "none", 1 for "mean", 2 for "sum".

    Raises ValueError for another name.
    """
    names = {"none": 0, "mean": 1, "elementwise_mean": 1, "sum": 2}
    if reduction not in names:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if reduction == "elementwise_mean":
        advise("elementwise_mean")
    return names[reduction]


def legacy_get_string(size_average: bool | None, reduce: bool | None, emit_warning: bool = True) -> str:
    """Return the reduction that the old pair of flags means."""
    return reduction_of(True if size_average is None else size_average, reduce, "mean")


def legacy_get_enum(size_average: bool | None, reduce: bool | None, emit_warning: bool = True) -> int:
    """Return the number of the reduction that the old pair of flags means."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    """Return the dimension of a softmax without one, with PyTorch's warning."""
    warn(f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.")
    return 0 if ndim in (0, 1, 3) else 1


def _none_or_dtype(input: Tensor | None) -> Any:
    """Return the dtype of a tensor, None for None."""
    return None if input is None else input.dtype


def _canonical_mask(
    mask: Tensor | None, mask_name: str, other_type: Any, other_name: str, target_type: Any, check_other: bool = True
) -> Any:
    """Return a mask of booleans as one that is added: -inf where it is True."""
    if mask is None or mask._array.dtype != bool:
        return mask
    return zeros_like(mask, dtype=target_type).masked_fill_(mask, float("-inf"))


def _in_projection_packed(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None = None) -> list[Tensor]:
    """Return query, key and value of attention, projected by the thirds of one weight and bias."""
    biases = (None, None, None) if b is None else b.chunk(3)
    return [_linear(x, weight, bias) for x, weight, bias in zip((q, k, v), w.chunk(3), biases, strict=True)]


def _in_projection(
    q: Tensor, k: Tensor, v: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor,
    b_q: Tensor | None = None, b_k: Tensor | None = None, b_v: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Return query, key and value of attention, each projected by a weight and a bias of its own."""
    return _linear(q, w_q, b_q), _linear(k, w_k, b_k), _linear(v, w_v, b_v)


def _linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Any:
    return TABLE["linear"].entry(x, weight, bias)
