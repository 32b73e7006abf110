"""Combinations of elements of vectors."""

import itertools

import numpy as np

from dyncore.dispatch.registry import UNDERIVED, op
from dyncore.dtypes import dtypes

from .filling import zeros_like
from .shape import reshape
from .where import masked_select


@op(composite=True, method=False)
def cartesian_prod(*tensors: object):
    """All combinations of one element of each vector, a row each."""
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    for each in tensors:
        if len(each.shape) != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(each.shape)}")
    if len({each.dtype for each in tensors}) > 1:
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if len(tensors) == 1:
        return tensors[0]
    shape = [each.shape[0] for each in tensors]
    lines = [each.reshape([-1 if a == n else 1 for a in range(len(shape))]) for n, each in enumerate(tensors)]
    return np.stack([each.expand(shape).reshape((-1,)) for each in lines], 1)


@op(composite=True, method=False)
def combinations(input, r: int = 2, with_replacement: bool = False):
    """All combinations of `r` elements of a vector, a row each, in order."""
    if len(input.shape) != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if not r:
        return input[:0]
    if r == 1:
        return np.stack([masked_select(reshape(input, (-1,)), input.new_ones(input.shape, dtype=dtypes.bool_))], 1)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = list(choose(range(input.shape[0]), r))
    return np.stack([input[[row[k] for row in rows]] for k in range(r)], 1)


def _unmoved(g, title):
    """Return zeros.

    Raises RuntimeError if `title` is an op without a derivative.
    """
    if title[:6] == "aten::":
        raise RuntimeError(f"derivative for {title} is not implemented")
    return zeros_like(g)


def _drawn_title(title):
    return UNDERIVED if title[:6] == "aten::" else title


@op(first=_unmoved, second=_unmoved, private=True, node=_drawn_title)
def drawn(values, first, second, title: str):
    """Random `values`, drawn with the parameters `first` and `second`.

    Derivatives by the parameters are 0.
    title: the name of the node, or of the op that PyTorch has no derivative for.
    """
    return values
