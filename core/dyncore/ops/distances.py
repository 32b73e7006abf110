"""Distances of vectors, and covariances of variables."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.errors.advice import advise
from dyncore.graph.names import named as called
from dyncore.tensors.strides import usual

from .matrix import mm
from .matrix_checks import check_batches_dtype
from .norms import linalg_vector_norm, slope
from .pairs import complex
from .reduction import mean, sum
from .shape import reshape, sum_to_size


def _difference(x1, x2):
    return np.expand_dims(x1, -2) - np.expand_dims(x2, -3)


def _safe(result):
    """Return 1 / result, with 0 where that is not finite.

    The distance of a point to itself has no direction.
    """
    zero = result == 0
    return np.where(zero, result * 0, 1 / np.where(zero, result * 0 + 1, result))


def _pull(g, x1, x2, p, result):
    """Return the gradient of the distances for the differences of all pairs."""
    d = _difference(x1, x2)
    g, result = np.expand_dims(g, -1), np.expand_dims(result, -1)
    if p == 0:
        return d * 0
    if p == 1:
        return g * np.sign(d)
    if math.isinf(p):
        return g * np.sign(d) * (np.abs(d) == result)
    if p < 1:
        power = np.where(d == 0, d * 0, np.abs(d) ** (p - 1))
        return g * np.sign(d) * power * np.where(result == 0, result * 0, result ** (1 - p))
    return g * np.sign(d) * (np.abs(d) * _safe(result)) ** (p - 1)


def _cdist_rule(g, x1, x2, p, compute_mode, result, wanted):
    gradients = {}
    if p != 2:
        pull = _pull(g, x1, x2, p, result)
        gradients["x1"] = np.sum(pull, axis=-2) if "x1" in wanted else None
        gradients["x2"] = -np.sum(pull, axis=-3) if "x2" in wanted else None
    else:
        w = g * _safe(result)
        gradients["x1"] = _towards(x1, w, x2) if "x1" in wanted else None
        gradients["x2"] = _towards(x2, np.swapaxes(w, -1, -2), x1) if "x2" in wanted else None
    if isinstance(g, np.ndarray):
        return gradients
    if not _multiplied(x1, x2, p, compute_mode, result):
        for name, x in (("x1", x1), ("x2", x2)):
            if name in wanted:
                # Of no pair PyTorch makes zeros like the input; sums that undo a broadcast come after other gradients.
                gradient = (
                    gradients[name] if math.prod(tuple(g.shape)) else sum_to_size(gradients[name], tuple(x.shape))
                )
                gradients[name] = called(gradient, "CdistBackwardBackward0")
        return gradients
    if math.prod(tuple(result.shape)[:-2]) == 1:
        return gradients
    return {name: each if each is None else reshape(each, tuple(each.shape)) for name, each in gradients.items()}


def _towards(x, w, other):
    """Return the sum of the steps to the rows of `other`, each times its weight."""
    return x * np.sum(w, axis=-1, keepdims=True) - w @ other


_MODES = "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"


def _multiplied(x1, x2, p, compute_mode, result):
    """Return True if PyTorch takes the distances from a product of matrices."""
    if compute_mode == "donot_use_mm_for_euclid_dist" or p != 2 or 0 in (*x1.shape, *x2.shape):
        return False
    return compute_mode != "use_mm_for_euclid_dist_if_necessary" or max(tuple(result.shape)[-2:]) > 25


def _cdist_title(x1, x2, p, compute_mode, result):
    return "ViewBackward0" if _multiplied(x1, x2, p, compute_mode, result) else "CdistBackward0"


@op(joint=_cdist_rule, method=False, node=_cdist_title)
def cdist(x1, x2, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary"):
    """p-norm distances of all pairs of rows: (*, n, d), (*, m, d) -> (*, n, m)."""
    if compute_mode not in _MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    for name, each in (("X1", x1), ("X2", x2)):
        if each.dtype.kind != "f":
            title = dtypes.of(each.dtype).title
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {title}")
        if each.ndim < 2:
            raise RuntimeError("cdist only supports at least 2D tensors, " + f"{name} got: {each.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    check_batches_dtype(x1, x2)
    d = np.abs(_difference(usual(x1), usual(x2)))
    if p == 2:
        return np.sqrt(np.add.reduce(d * d, axis=-1))
    if p == 0:
        return np.add.reduce(d != 0, axis=-1).astype(d.dtype)
    if p == 1:
        return np.add.reduce(d, axis=-1)
    if math.isinf(p):
        return np.max(d, axis=-1, initial=0)
    return np.add.reduce(d**p, axis=-1) ** (1 / p)


@op(
    input=lambda g, input, other, p, result: slope(g, input - other, p, None, False, result),
    other=lambda g, input, other, p, result: _negative(slope(g, input - other, p, None, False, result)),
    promote=("input", "other"),
    batching="distance",
)
def dist(input, other, p: float = 2):
    """The p-norm of the difference of two tensors."""
    return linalg_vector_norm(input - other, p)


def _negative(g):
    return None if g is None else -g


def _check_weights(weights, name, kind, input):
    if weights is None:
        return
    if len(weights.shape) > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with {len(weights.shape)} "
            "dimensions"
        )
    if weights.is_floating_point() != (kind == "floating point"):
        raise RuntimeError(
            f"cov(): expected {name} to have {kind} dtype but got {name} with {weights.dtype.title} dtype"
        )
    observations = input.shape[-1] if len(input.shape) else 1
    if weights.numel() != observations:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got "
            f"{weights.numel()} != {observations}"
        )
    if weights.numel() and bool(np.amin(weights) < 0):
        raise RuntimeError(f"cov(): {name} cannot be negative")


@op(composite=True)
def cov(input, *, correction: int = 1, fweights=None, aweights=None):
    """Covariances of variables, a row each, over observations, a column each.

    fweights, aweights: weights of the observations.
    """
    if len(input.shape) > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {len(input.shape)} dimensions"
        )
    _check_weights(fweights, "fweights", "integral", input)
    _check_weights(aweights, "aweights", "floating point", input)
    x = reshape(input, 1, -1) if len(input.shape) < 2 else input
    if not (x.is_floating_point() or x.is_complex()):
        x = x.to(dtypes.get_default_dtype())
    weights = fweights if aweights is None else aweights if fweights is None else fweights * aweights
    n = x.shape[1]
    if weights is None:
        average = mean(x, 1, keepdim=True) if n else sum(x, 1, keepdim=True) / 0.0
        total = float(n)
        factor = total - correction
    else:
        total = sum(weights)
        if total == 0:
            raise RuntimeError("cov(): weights sum to zero, can't be normalized")
        average = sum(x * weights, 1, keepdim=True) / total
        if correction == 0 or aweights is None:
            factor = total - correction
        else:
            factor = total - correction * sum(weights * aweights) / total
    if factor <= 0:
        advise("cov")
    center = x - average
    right = center if weights is None else center * weights
    if factor <= 0:
        factor = factor * 0.0
    return np.squeeze(mm(center, np.swapaxes(right, 0, 1).conj()) / factor)


@op(composite=True)
def corrcoef(input):
    """Correlations of variables, a row each, over observations, a column each."""
    if len(input.shape) > 2:
        raise RuntimeError(
            "corrcoef(): expected input to have two or fewer dimensions but got an input with "
            f"{len(input.shape)} dimensions"
        )
    covariance = cov(input)
    if not len(covariance.shape):
        return covariance / covariance
    deviation = np.sqrt(covariance.diagonal().real)
    result = covariance / np.expand_dims(deviation, -1) / np.expand_dims(deviation, 0)
    if result.is_complex():
        return complex(np.clip(result.real, -1, 1), np.clip(result.imag, -1, 1))
    return np.clip(result, -1, 1)
