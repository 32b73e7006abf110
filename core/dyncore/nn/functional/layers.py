"""Functions behind layers: linear, embedding, dropout, normalisation."""

from __future__ import annotations

from typing import Any

from dyncore.inplace import inplace_entry
from dyncore.registry import TABLE
from dyncore.tensor import Tensor

linear = TABLE["linear"].entry


def _dropped(name: str, input: Tensor, p: float, training: bool, inplace: bool) -> Any:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0 or not input._array.size:
        return input
    run = inplace_entry(TABLE[name]) if inplace else TABLE[name].entry
    return run(input, p, training)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Each element zero with probability p, the others divided by 1 - p; the input itself outside training."""
    return _dropped("dropout", input, p, training, inplace)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Dropout that keeps the mean and variance of selu's output."""
    return _dropped("alpha_dropout", input, p, training, inplace)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """`alpha_dropout` of whole channels."""
    return _dropped("feature_alpha_dropout", input, p, training, inplace)


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    """Rows of `weight` at the positions `input`.

    padding_idx: a row whose gradient stays zero.  max_norm: rows longer than this are shortened in place first.
    """
    rows = weight._array.shape[0]
    if padding_idx is None:
        padding_idx = -1
    else:
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx %= rows
    if max_norm is not None:
        from dyncore.nn.functional.renorm import shorten_rows

        shorten_rows(weight, input, max_norm, norm_type)
    return TABLE["embedding"].entry(weight, input, padding_idx, scale_grad_by_freq, sparse)


def layer_norm(
    input: Tensor, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """Mean 0 and variance 1 over the last dimensions, then times weight plus bias."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    return TABLE["layer_norm"].entry(input, shape, weight, bias, eps)
