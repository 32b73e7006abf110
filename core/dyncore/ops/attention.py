"""Attention, and bilinear forms."""

import math

import numpy as np

from dyncore.dispatch.formulas.matrices import raw
from dyncore.dispatch.recompute import recomputed
from dyncore.dispatch.registry import UNDERIVED, keep, op
from dyncore.dtypes.dtypes import in_c
from dyncore.errors.explain import broadcast_sentence
from dyncore.graph.names import named as called
from dyncore.ops.arithmetic import times
from dyncore.ops.matrix_checks import check_inner
from dyncore.ops.rows import sums
from dyncore.ops.softmax import softmax
from dyncore.rng import initial as noise
from dyncore.tensors.strides import laid_like


def _weights(query, key, mask, allowed, scale):
    """Return the softmax of the scores; zeros for a query that may look nowhere."""
    scores = (query @ np.swapaxes(key, -1, -2)) * scale
    if mask is not None:
        scores = scores + mask
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    return _softmax_of_some(scores)


def _softmax_of_some(scores):
    """Return the softmax; zeros for a row that is -inf throughout."""
    blocked = np.amax(scores, axis=-1, keepdims=True) == -np.inf
    return np.where(blocked, 0.0, softmax(np.where(blocked, 0.0, scores), -1))


def _plain_weights(query, key, mask, allowed, scale):
    """Compute `_weights` on arrays, in place (tests/bench, attention)."""
    if allowed is not None:
        return _weights(query, key, mask, allowed, scale).astype(query.dtype, copy=False)
    scores = np.matmul(query * scale, key.swapaxes(-1, -2))
    if mask is not None:
        scores = scores + mask
    top = np.maximum.reduce(scores, axis=-1, keepdims=True)
    if mask is not None and (top == -np.inf).any():
        return _weights(query, key, mask, allowed, scale).astype(query.dtype, copy=False)
    scores -= top
    np.exp(scores, out=scores)
    scores /= sums(scores, -1)
    return scores


def _t(x):
    return np.swapaxes(x, -1, -2)


def _attended(query, key, value, attn_mask, allowed, dropped, factor):
    """Compute attention in PyTorch's steps.

    Query and key are each scaled by the root of the factor.
    """
    root = math.sqrt(abs(factor))
    scores = times(query, math.copysign(root, factor)) @ times(_t(key), root)
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = _softmax_of_some(scores if allowed is None else np.where(allowed, scores, -np.inf))
    return (weights if dropped is None else weights * dropped) @ value


def _attention_rule(g, query, key, value, attn_mask, allowed, dropped, factor, weights, wanted):
    mask = None if allowed is not None else attn_mask
    if not isinstance(g, np.ndarray):
        if not tuple(query.shape)[:-2] == tuple(key.shape)[:-2] == tuple(value.shape)[:-2]:  # sums, then factors
            inputs = {"query": query, "key": key, "value": value, "attn_mask": mask}
            return recomputed(_attended, g, wanted, inputs, allowed, dropped, factor)
        # The kept weights are constants here; what is differentiated again must come from the inputs.
        weights = _weights(query, key, mask, allowed, factor)
    shown = weights if dropped is None else weights * dropped
    result = {"value": _t(shown) @ g}
    if wanted - {"value"}:
        slope = g @ _t(value)
        slope = weights * (slope if dropped is None else slope * dropped)
        slope = slope - weights * np.sum(slope, axis=-1, keepdims=True)
        result["attn_mask"] = slope
        slope = slope * factor
        result["query"] = slope @ key
        result["key"] = _t(slope) @ query
    if isinstance(g, np.ndarray):
        return result
    fused = (
        dropped is None and "attn_mask" not in wanted and _fits_one_kernel(*map(raw, (query, key, value, attn_mask)))
    )
    for name, title in _BACK.items():
        if name in result:
            called(result[name], UNDERIVED if fused else title)
    return result


# What PyTorch's own product of matrices leaves; its one kernel has no second derivative.
_BACK = {"query": "MulBackward1", "key": "TransposeBackward0", "value": "ViewBackward0"}


def _attention_title(query, key, value, attn_mask, dropout_p, wanted):
    if not (query.size and key.size and value.size):
        return "AddBackward0"
    fused = not dropout_p and "attn_mask" not in wanted and _fits_one_kernel(query, key, value, attn_mask)
    if fused:
        return "ScaledDotProductFlashAttentionForCpuBackward0"
    return "MmBackward0" if query.ndim == key.ndim == value.ndim == 2 else "UnsafeViewBackward0"


def _fits_one_kernel(query, key, value, mask):
    """Return True if PyTorch computes it by one kernel.

    That takes the same batches, heads and features, in order along the last dimension.
    """
    if not query.ndim == key.ndim == value.ndim == 4 or query.shape[-1] != value.shape[-1]:
        return False
    if not query.shape[:2] == key.shape[:2] == value.shape[:2]:
        return False
    if any(x.strides[-1] != x.itemsize for x in (query, key, value)):
        return False
    wide = (*query.shape[:-1], key.shape[-2])
    return mask is None or (mask.ndim in (2, 4) and all(n in (1, m) for n, m in zip(mask.shape[::-1], wide[::-1])))


def _check_mask(mask, query, key):
    """Raise RuntimeError for a mask of another dtype or shape than the scores."""
    if mask.dtype.kind != "b" and mask.dtype != np.float32 and mask.dtype != query.dtype:
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{in_c(mask.dtype)} and  query.dtype: {in_c(query.dtype)} instead."
        )
    scores = (*np.broadcast_shapes(query.shape[:-2], key.shape[:-2]), query.shape[-2], key.shape[-2])
    sentence = broadcast_sentence(scores, mask.shape)
    if sentence is not None:
        raise RuntimeError(sentence)
    wide = np.broadcast_shapes(scores, mask.shape)
    if wide != scores:
        raise RuntimeError(f"output with shape {list(scores)} doesn't match the broadcast shape {list(wide)}")


def _check_sizes(query, key, value):
    """Raise RuntimeError, as the product would, unless sizes fit."""
    turned = key.swapaxes(-1, -2)
    for first, wide, second in ((query, query.shape[-1], turned), (query, key.shape[-2], value)):
        if wide != second.shape[-2]:
            check_inner(np.empty((*first.shape[:-1], wide)), second)


@op(batching="attention", joint=_attention_rule, node=_attention_title, method=False, function=False)
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p: float = 0.0, is_causal: bool = False, *, scale: float = None
):
    """softmax(query key^T scale + mask) value, over the last two dimensions.

    query: (..., L, E), key: (..., S, E), value: (..., S, V); gives (..., L, V).  A boolean mask is True where a query
    may look; `is_causal` lets query i look at keys 0..i.  scale: 1 / sqrt(E) when left out.
    """
    if is_causal and attn_mask is not None:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got "
            f"query.dim: {query.ndim} key.dim: {key.ndim} and value.dim: {value.ndim} instead."
        )
    if not query.dtype == key.dtype == value.dtype:
        names = [in_c(each.dtype) for each in (query, key, value)]
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {names[0]} key.dtype: "
            f"{names[1]} and value.dtype: {names[2]} instead."
        )
    length, keys = query.shape[-2], key.shape[-2]
    _check_sizes(query, key, value)
    if attn_mask is not None:
        _check_mask(attn_mask, query, key)
    allowed = np.tril(np.ones((length, keys), bool)) if is_causal else None
    mask = attn_mask
    if mask is not None and mask.dtype.kind == "b":
        allowed, mask = mask, None
    factor = (
        1.0 / math.sqrt(query.shape[-1]) if scale is None and query.shape[-1] else (1.0 if scale is None else scale)
    )
    dropped = None
    if dropout_p > 0:
        lead = np.broadcast_shapes(query.shape[:-2], key.shape[:-2])
        dropped = noise.kept((*lead, length, keys), dropout_p, query.dtype)
    weights = None
    if not keys:
        shape = np.broadcast_shapes(query.shape[:-2], value.shape[:-2])
        result = np.zeros((*shape, length, value.shape[-1]), query.dtype)
    else:
        weights = _plain_weights(query, key, mask, allowed, query.dtype.type(factor))
        result = np.matmul(weights if dropped is None else weights * dropped, value)
    if not dropout_p and _fits_one_kernel(query, key, value, attn_mask):
        result = laid_like(query, result)
    kept = {"allowed": allowed, "dropped": dropped, "factor": factor, "weights": weights}
    return keep(result.astype(query.dtype, copy=False), **kept)


def _bilinear(input1, input2, weight, bias):
    out, first, second = weight.shape
    rows = np.reshape(input1, (-1, first)) @ np.reshape(np.swapaxes(weight, 0, 1), (first, out * second))
    other = np.expand_dims(np.reshape(input2, (-1, second)), 1)
    result = np.sum(np.reshape(rows, (-1, out, second)) * other, axis=-1)
    result = np.reshape(result, (*tuple(input1.shape)[:-1], out))
    return result if bias is None else result + bias


def _bilinear_rule(g, input1, input2, weight, bias, wanted):
    inputs = {"input1": input1, "input2": input2, "weight": weight, "bias": bias}
    return recomputed(_bilinear, g, wanted, inputs)


def _bilinear_title(bias):
    return "ViewBackward0" if bias is None else "AddBackward0"


@op(
    batching="input rows",
    joint=_bilinear_rule,
    node=_bilinear_title,
    method=False,
    back={"weight": "TrilinearBackward0"},
)
def bilinear(input1, input2, weight, bias=None):
    """y_k = x1 A_k x2 + b_k.

    input1: (*, I), input2: (*, J), weight: (O, I, J); gives (*, O).
    """
    given = {"input1": input1, "input2": input2, "weight": weight, "bias": bias}
    kinds = {name: each.dtype for name, each in given.items() if each is not None}
    if len(set(kinds.values())) > 1:
        words = ", ".join(f"{name}: {in_c(getattr(kind, 'numpy', kind))}" for name, kind in kinds.items())
        raise RuntimeError(f"All tensors must have the same dtype, got {words}")
    if input1.shape[:-1] != input2.shape[:-1]:
        if input1.ndim != input2.ndim:
            raise RuntimeError(f"bilinear(): input dimensions do not match: got {input1.ndim} and {input2.ndim}")
        axis = next(i for i, (n, m) in enumerate(zip(input1.shape, input2.shape)) if n != m)
        raise RuntimeError(
            f"bilinear(): input batch dimensions do not match at dim {axis}: got {input1.shape[axis]} and "
            f"{input2.shape[axis]}"
        )
    for number, each in enumerate((input1, input2), 1):
        if each.shape[-1] != weight.shape[number]:
            raise RuntimeError(
                f"bilinear(): input{number} size does not match weight size: got {each.shape[-1]} but expected "
                f"{weight.shape[number]}"
            )
    if bias is not None and bias.shape != (weight.shape[0],):
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias.shape[0]} but expected {weight.shape[0]}"
        )
    return _bilinear(input1, input2, weight, bias).astype(input1.dtype, copy=False)
