"""Elements set to zero at random while training."""

import numpy as np

from dyncore.dispatch.registry import keep, op
from dyncore.rng import initial as noise


def _check(p):
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p}")


@op(input=lambda g, mask: g * mask, node="MulBackward0", method=False, inplace=True, itself=True)
def dropout(input, p: float, train: bool):
    """Each element zero with probability p, the others divided by 1 - p.

    Outside training, the input itself.
    """
    _check(p)
    if not train or p == 0 or not input.size:
        return input
    mask = noise.kept_of(input, p)
    return keep(input * mask, mask=mask)


@op(input=lambda g, mask: g * mask, node="MulBackward0", method=False, inplace=True, itself=True)
def feature_dropout(input, p: float, train: bool):
    """Each channel zero with probability p, the others divided by 1 - p.

    Dimensions 0 and 1 count the channels.
    """
    _check(p)
    if input.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    if not train or p == 0 or not input.size:
        return input
    mask = noise.kept(input.shape[:2] + (1,) * (input.ndim - 2), p, input.dtype)
    return keep(input * mask, mask=mask)


_FLOOR = -1.7580993408473766


def _alpha(input, mask, p):
    """Set elements to the negative saturation of selu, and scale and shift all.

    The result has mean 0 and variance 1.
    """
    if p == 1:
        return np.zeros_like(input), mask
    scale = 1 / np.sqrt((_FLOOR * _FLOOR * p + 1) * (1 - p))
    kept = mask * (1 - p)
    shift = (1 - kept) * (_FLOOR * scale) - _FLOOR * scale * p
    mask = (kept * scale).astype(input.dtype)
    return (input * mask + shift).astype(input.dtype), mask


def _alpha_title(p):
    return "MulBackward0" if p == 1 else "AddBackward0"


@op(input=lambda g, mask: g * mask, node=_alpha_title, method=False, inplace=True, itself=True)
def alpha_dropout(input, p: float, train: bool):
    """Dropout for selu: elements take its lowest value, mean and variance stay."""
    _check(p)
    if not train or p == 0 or not input.size:
        return input
    result, mask = _alpha(input, noise.kept_of(input, p), p)
    return keep(result, mask=mask)


@op(input=lambda g, mask: g * mask, node=_alpha_title, method=False, inplace=True, itself=True)
def feature_alpha_dropout(input, p: float, train: bool):
    """`alpha_dropout` of whole channels."""
    if input.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    _check(p)
    if not train or p == 0 or not input.size:
        return input
    result, mask = _alpha(input, noise.kept(input.shape[:2] + (1,) * (input.ndim - 2), p, input.dtype), p)
    return keep(result, mask=mask)
