"""Lengths and distances of vectors: normalize, cosine similarity, pairwise distances, renorm."""

import numpy as np

from dyncore import dtypes
from dyncore.ops.limits import clamp_min
from dyncore.recompute import recomputed
from dyncore.registry import keep, op


def length(input, p, dim, keepdim):
    """The p-norm along `dim`; its derivative at 0 is 0."""
    if p == 2:
        return root(np.sum(input * input.conj(), axis=dim, keepdims=keepdim))
    if p == 1:
        return np.sum(np.abs(input), axis=dim, keepdims=keepdim)
    if p == np.inf:
        return np.amax(np.abs(input), axis=dim, keepdims=keepdim)
    if p == -np.inf:
        return np.amin(np.abs(input), axis=dim, keepdims=keepdim)
    if p == 0:
        return np.sum(lifted(np.abs(input), 0.0), axis=dim, keepdims=keepdim)
    return lifted(np.sum(lifted(np.abs(input), p), axis=dim, keepdims=keepdim), 1.0 / p)


def _root_slope(g, result):
    return np.where(result == 0, result * 0, g / (2 * result))


@op(input=_root_slope, private=True, node="SqrtBackward0")
def root(input):
    """Square root whose derivative at 0 is 0."""
    return np.sqrt(input.real)


def _lifted_slope(g, input, exponent):
    return np.where(input == 0, input * 0, g * exponent * lifted(input, exponent - 1))


@op(input=_lifted_slope, private=True, node="PowBackward0")
def lifted(input, exponent: float):
    """A power of non-negative numbers whose derivative at 0 is 0."""
    return np.where(input == 0, 0.0, np.power(np.where(input == 0, 1, input), exponent)).astype(input.dtype)


@op(input=lambda g: g, private=True, node="NormBackward1")
def at_least(input, low: float):
    """The larger of each element and `low`; the gradient passes either way, as PyTorch's does here."""
    return np.maximum(input, input.dtype.type(low))


def _cosine(x1, x2, shape, dim, eps):
    if x1.shape != shape:
        x1 = np.broadcast_to(x1, shape)
    if x2.shape != shape:
        x2 = np.broadcast_to(x2, shape)
    first = at_least(length(x1, 2, dim, True), eps)
    second = at_least(length(x2, 2, dim, True), eps)
    return np.sum((x1 / first) * (x2 / second), axis=dim)


def _cosine_rule(g, x1, x2, shape, dim, eps, wanted):
    return recomputed(_cosine, g, wanted, {"x1": x1, "x2": x2}, shape, dim, eps)


@op(joint=_cosine_rule, promote=("x1", "x2"), method=False, node="SumBackward1")
def cosine_similarity(x1, x2, dim: int = 1, eps: float = 1e-8):
    """x1 . x2 / (max(|x1|, eps) max(|x2|, eps)) along `dim`; shapes broadcast."""
    if x1.dtype.kind not in "fc":
        raise RuntimeError(
            f"expected common dtype to be floating point, yet common dtype is {dtypes.of(x1.dtype).title}"
        )
    try:
        shape = x1.shape if x1.shape == x2.shape else np.broadcast_shapes(x1.shape, x2.shape)
    except ValueError:
        from dyncore.explain import broadcast_sentence

        raise RuntimeError(broadcast_sentence(x1.shape, x2.shape)) from None
    return keep(_cosine(x1, x2, shape, dim, eps), shape=shape)


@op(composite=True, method=False, node="NormBackward1")
def pairwise_distance(x1, x2, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False):
    """The p-norm of x1 - x2 + eps along the last dimension."""
    return length(x1 - x2 + eps, p, -1, keepdim)


def _pdist_formula(input, rows, columns, p):
    return length(input[rows] - input[columns], p, -1, False)


def _pdist_rule(g, input, rows, columns, p, wanted):
    return recomputed(_pdist_formula, g, wanted, {"input": input}, rows, columns, p)


@op(joint=_pdist_rule, method=False, node="PdistBackward0")
def pdist(input, p: float = 2.0):
    """The p-norm distances between every pair of rows, as a vector."""
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    rows, columns = np.triu_indices(input.shape[0], 1)
    return keep(_pdist_formula(input, rows, columns, p).astype(input.dtype), rows=rows, columns=columns)


def _bounded(input, p, dim, maxnorm):
    axes = tuple(axis for axis in range(len(input.shape)) if axis != dim % len(input.shape))
    size = length(input, p, axes, True)
    factor = np.where(size > maxnorm, maxnorm / (size + 1e-7), 1 + 0 * size)
    return input * factor


def _renorm_rule(g, input, p, dim, maxnorm, wanted):
    return recomputed(_bounded, g, wanted, {"input": input}, p, dim, maxnorm)


@op(joint=_renorm_rule, inplace=True)
def renorm(input, p: float, dim: int, maxnorm: float):
    """Each slice along `dim` shortened to the p-norm `maxnorm` where it is longer."""
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if input.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {input.ndim} dimensions")
    from dyncore.ops.reduction import axis_of

    return _bounded(input, p, axis_of(dim, input.ndim), maxnorm).astype(input.dtype, order="C")


@op(composite=True, method=False, function=False)
def normalize(input, p: float = 2.0, dim: object = 1, eps: float = 1e-12):
    """`input` divided by its p-norm along `dim`, or by eps where that is larger."""
    return input / np.broadcast_to(clamp_min(length(input, p, dim, True), eps), tuple(input.shape))
