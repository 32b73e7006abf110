"""Rows of a table by number."""

import numpy as np

from dyncore.ops.indexing import index_place
from dyncore.registry import op


def _embedding_rule(g, input, weight_shape, padding_idx, scale_grad_by_freq):
    if padding_idx is not None and padding_idx >= 0:
        g = g * np.expand_dims(input != padding_idx, -1)
    if scale_grad_by_freq:
        g = g / np.expand_dims(frequency(input, weight_shape[0]), -1)
    return index_place(g, tuple(weight_shape), input)


@op(private=True)
def frequency(input, rows: int):
    """How often each number occurs among all."""
    counts = np.bincount(input.reshape(-1), minlength=rows)
    return counts[input]


@op(weight=_embedding_rule, method=False, function=False)
def embedding(
    weight, input, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
):
    """Rows of `weight` at the positions `input`: (rows, width) and (*) give (*, width).

    The gradient of row `padding_idx` stays zero.   Raises IndexError for a number outside the table.
    """
    if input.dtype.kind not in "iu":
        from dyncore import dtypes

        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"torch.{dtypes.of(input.dtype).title}Tensor instead (while checking arguments for embedding)"
        )
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if input.size and (np.min(input) < 0 or np.max(input) >= weight.shape[0]):
        raise IndexError("index out of range in self")
    return weight[input]
