"""Lengths and distances of vectors: normalize, cosine similarity, pairwise distances, renorm."""

import numpy as np

from dyncore.creation.query import result_type
from dyncore.dispatch.recompute import recomputed
from dyncore.dispatch.registry import keep, op

from .arithmetic import reciprocal, times
from .axes import axis_of
from .joining import joint_shape
from .limits import clamp_min
from .norms import linalg_vector_norm, slope


@op(batching="each", input=lambda g: g, private=True, node="CloneBackward0")
def at_least(input, low: float):
    """Larger of each element and `low`.

    The gradient passes either way, as in PyTorch.
    """
    return np.maximum(input, input.dtype.type(low))


@op(composite=True, method=False)
def cosine_similarity(x1, x2, dim: int = 1, eps: float = 1e-8):
    """x1 . x2 / (max(|x1|, eps) max(|x2|, eps)) along `dim`; shapes broadcast."""
    kind = result_type(x1, x2)
    if not kind.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {kind.title}")
    if x1.shape != x2.shape:
        shape = joint_shape([x1.shape, x2.shape])
        x1, x2 = np.broadcast_to(x1, shape), np.broadcast_to(x2, shape)
    x1, x2 = x1.to(kind), x2.to(kind)
    first = at_least(linalg_vector_norm(x1, 2, dim, True), eps)
    second = at_least(linalg_vector_norm(x2, 2, dim, True), eps)
    return np.sum(x1 / first * (x2 / second), dim)


@op(
    batching="rows",
    input=lambda g, input, p, keepdim, result: slope(g, input, p, -1, keepdim, result),
    private=True,
    node="NormBackward1",
)
def length(input, p: float, keepdim: bool):
    """The p-norm along the last dimension."""
    return linalg_vector_norm(input, p, -1, keepdim)


@op(composite=True, method=False)
def pairwise_distance(x1, x2, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False):
    """The p-norm of x1 - x2 + eps along the last dimension."""
    return length(x1 - x2 + eps, p, keepdim)


def _pdist_formula(input, rows, columns, p):
    return length(input[rows] - input[columns], p, False)


def _pdist_rule(g, input, rows, columns, p, wanted):
    return recomputed(_pdist_formula, g, wanted, {"input": input}, rows, columns, p)


@op(joint=_pdist_rule, method=False, node="PdistBackward0", back="PdistBackwardBackward0")
def pdist(input, p: float = 2.0):
    """The p-norm distances between every pair of rows, as a vector."""
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    rows, columns = np.triu_indices(input.shape[0], 1)
    return keep(_pdist_formula(input, rows, columns, p).astype(input.dtype), rows=rows, columns=columns)


def _others(dim, ndim):
    return tuple(axis for axis in range(ndim) if axis != dim % ndim)


def _renorm_rule(g, input, p, dim, maxnorm):
    axes = _others(dim, len(input.shape))
    size = linalg_vector_norm(input, p, axes, True)
    along = slope(np.sum(input.conj() * g, axis=axes, keepdims=True).real, input, p, axes, True, size)
    shorter = reciprocal(size + 1e-7)
    return np.where(size > maxnorm, times(shorter, maxnorm) * (g - shorter * along), g)


@op(input=_renorm_rule, inplace=True)
def renorm(input, p: float, dim: int, maxnorm: float):
    """Each slice along `dim` shortened to the p-norm `maxnorm` where it is longer."""
    if not p > 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if input.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {input.ndim} dimensions")
    size = linalg_vector_norm(input, p, _others(axis_of(dim, input.ndim), input.ndim), True)
    factor = np.where(size > maxnorm, maxnorm / (size + 1e-7), 1)
    return (input * factor).astype(input.dtype, order="C")


@op(composite=True, method=False, function=False)
def normalize(input, p: float = 2.0, dim: object = 1, eps: float = 1e-12):
    """`input` divided by its p-norm along `dim`, or by eps where that is larger."""
    return input / np.broadcast_to(clamp_min(linalg_vector_norm(input, p, dim, True), eps), tuple(input.shape))
