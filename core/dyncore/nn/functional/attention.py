"""Multi-head attention."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.errors.advice import mismatched
from dyncore.graph.modes import current
from dyncore.nn.functional.layers import dropout, linear, scaled_dot_product_attention
from dyncore.tensors.tensor import Tensor, steady, wrap

_INF = float("-inf")


def additive(mask: Any, like: Tensor, name: str) -> Any:
    """Return a mask to add to scores: -inf where a boolean one is True."""
    if mask is None:
        return None
    kind = mask._array.dtype.kind
    if kind not in "bf":
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if kind == "f":
        return mask
    additive_mask = wrap(_barred(mask._array, like._array.dtype), None)
    tape = current().tape
    if tape is not None:
        tape.computed(additive_mask, _barred, mask, like._array.dtype)
    return additive_mask


def _barred(mask: Any, dtype: Any) -> Any:
    return np.where(mask, _INF, 0.0).astype(dtype)


def _projected(query: Any, key: Any, value: Any, joint: Any, weights: Any, bias: Any) -> tuple[Any, ...]:
    """Multiply query, key and value by weights of their own, or else by their thirds of the joint one.

    One product if they are the same tensor.
    """
    if weights is None:
        if key._array.shape != value._array.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        if key is value and query is key:
            size = query._array.shape[-1]
            product = linear(query, joint, bias)
            return product[..., :size], product[..., size : 2 * size], product[..., 2 * size :]
        weights = joint.chunk(3)
    biases = (None, None, None) if bias is None else bias.chunk(3)
    return tuple(linear(*each) for each in zip((query, key, value), weights, biases))


def _check(query: Any, key: Any, value: Any, embed_dim: int, num_heads: int) -> bool:
    """Return True if the input is batched.

    Raises AssertionError for shapes that do not fit.
    """
    ndim = query._array.ndim
    if ndim not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {ndim}-D query tensor")
    if key._array.ndim != ndim or value._array.ndim != ndim:
        raise AssertionError(
            f"For {'batched' if ndim == 3 else 'unbatched'} ({ndim}-D) `query`, expected `key` and `value` to be "
            f"{ndim}-D but found {key._array.ndim}-D and {value._array.ndim}-D tensors respectively"
        )
    size = query._array.shape[-1]
    if size != embed_dim:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim}, but got {size}")
    if size % num_heads:
        raise AssertionError(f"embed_dim {size} not divisible by num_heads {num_heads}")
    return bool(ndim == 3)


def _check_masks(query: Any, key: Any, padding: Any, mask: Any, num_heads: int, causal: bool) -> None:
    """Raise AssertionError for a wrong number of dimensions, RuntimeError for a causal mask that is missing."""
    ndim = query._array.ndim
    which = f"For {'batched' if ndim == 3 else 'unbatched'} ({ndim}-D) `query`, expected"
    if padding is not None and padding._array.ndim != ndim - 1:
        raise AssertionError(
            f"{which} `key_padding_mask` to be `None` or {ndim - 1}-D but found {padding._array.ndim}-D tensor instead"
        )
    if mask is None:
        if causal:
            raise RuntimeError(
                "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                "`generate_square_subsequent_mask` to create this mask."
            )
        return
    if mask._array.ndim not in (2, 3):
        raise AssertionError(
            f"{which} `attn_mask` to be `None`, 2-D or 3-D but found {mask._array.ndim}-D tensor instead"
        )
    shape = (num_heads, query._array.shape[0], key._array.shape[0])
    if ndim == 2 and mask._array.ndim == 3 and mask._array.shape != shape:
        raise AssertionError(f"Expected `attn_mask` shape to be {shape} but got {mask.shape}")


def _padding(padding: Any, mask: Any, query: Any, key: Any) -> Any:
    """Return the padding mask to add to scores.  Raises AssertionError for one that is not (N, S)."""
    if padding is not None and mask is not None:
        mismatched("key_padding_mask", padding.dtype, "attn_mask", mask.dtype)
    for number, size in enumerate(() if padding is None else (query._array.shape[1], key._array.shape[0])):
        if padding._array.shape[number] != size:
            raise AssertionError(
                f"Expected key_padded_mask.shape[{number}] to be {size}, but got {padding._array.shape[number]}"
            )
    return additive(padding, query, "key_padding_mask")


def multi_head_attention_forward(
    query: Any,
    key: Any,
    value: Any,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: bool = True,
    key_padding_mask: Any = None,
    need_weights: bool = True,
    attn_mask: Any = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Any, Any]:
    """Compute attention of `num_heads` heads: (result, weights or None).

    query: (L, N, E) or (L, E), key and value: (S, N, E).  Masks are True (or -inf) where attention is not allowed.
    """
    batched = _check(query, key, value, embed_dim_to_check, num_heads)
    _check_masks(query, key, key_padding_mask, attn_mask, num_heads, is_causal)
    if not batched:
        query, key, value, key_padding_mask = _with_batch(query, key, value, key_padding_mask)
    length, count, size = query._array.shape
    key_padding_mask = _padding(key_padding_mask, attn_mask, query, key)
    causal = is_causal and key_padding_mask is None and not need_weights
    mask = None if causal else _shaped_mask(additive(attn_mask, query, "attn_mask"), count, num_heads, length, key)
    weights = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else None
    q, k, v = _projected(query, key, value, in_proj_weight, weights, in_proj_bias)
    q = q.reshape(length, count * num_heads, size // num_heads).transpose(0, 1)
    k, v, extra = _keys(k, v, bias_k, bias_v, static_k, static_v, add_zero_attn, count, num_heads)
    mask = _joined_mask(mask, key_padding_mask, extra, count, num_heads, k._array.shape[1])
    rate = dropout_p if training else 0.0
    if need_weights:
        mixed, shown = _weighed(q, k, v, mask, rate)
        mixed = mixed.transpose(0, 1).reshape(length * count, size)
        shown = shown.view(count, num_heads, length, k._array.shape[1])
        shown = shown.mean(1) if average_attn_weights else shown
    else:
        shape = (count, num_heads, -1, size // num_heads)
        mixed, shown = _fused(q, k, v, mask, rate, causal, shape).reshape(length * count, size), None
    result = linear(mixed, out_proj_weight, out_proj_bias).view(length, count, size)
    if not batched:
        return result.squeeze(1), None if shown is None else shown.squeeze(0)
    return result, shown


def _with_batch(query: Any, key: Any, value: Any, padding: Any) -> tuple[Any, Any, Any, Any]:
    """Add a batch of one; tensors that are the same stay the same."""
    same_key, same_value = key is query, value is key
    query = query.unsqueeze(1)
    key = query if same_key else key.unsqueeze(1)
    value = key if same_value else value.unsqueeze(1)
    return query, key, value, None if padding is None else padding.unsqueeze(0)


def _fused(q: Any, k: Any, v: Any, mask: Any, rate: float, causal: bool, shape: tuple[int, ...]) -> Any:
    """Return attention without its weights as (L, N, heads, E / heads); shape: (N, heads, -1, E / heads)."""
    if mask is not None and mask._array.ndim == 3:
        one = mask._array.shape[0] == 1
        mask = mask.unsqueeze(0) if one else mask.view(*shape[:2], -1, k._array.shape[1])
    mixed = scaled_dot_product_attention(q.reshape(*shape), k.reshape(*shape), v.reshape(*shape), mask, rate, causal)
    return mixed.permute(2, 0, 1, 3)


def _shaped_mask(mask: Any, count: int, heads: int, length: int, key: Any) -> Any:
    """Return `mask` as (1 or N * heads, L, S)."""
    if mask is None:
        return None
    shape, keys = mask._array.shape, key._array.shape[0]
    if len(shape) == 2:
        if shape != (length, keys):
            raise RuntimeError(f"The shape of the 2D attn_mask is {mask.shape}, but should be {(length, keys)}.")
        return mask.unsqueeze(0)
    if len(shape) != 3:
        raise RuntimeError(f"attn_mask's dimension {len(shape)} is not supported")
    if shape != (count * heads, length, keys):
        raise RuntimeError(
            f"The shape of the 3D attn_mask is {mask.shape}, but should be {(count * heads, length, keys)}."
        )
    return mask


def _keys(
    k: Any, v: Any, bias_k: Any, bias_v: Any, static_k: Any, static_v: Any, zero: bool, count: int, heads: int
) -> tuple[Any, Any, int]:
    """Return keys and values by head, and the number of added keys.

    Shape (N * heads, S, head size), with the learned and the zero key added.
    """
    cat = TABLE["cat"].entry
    extra = 0
    if bias_k is not None and bias_v is not None:
        k, v = cat([k, bias_k.repeat(1, count, 1)]), cat([v, bias_v.repeat(1, count, 1)])
        extra += 1
    by_head = []
    for each, static in ((k, static_k), (v, static_v)):
        shape = each._array.shape
        split = each.reshape(shape[0], count * heads, shape[2] // heads).transpose(0, 1)
        by_head.append(split if static is None else static)
    for name, static in (("static_k", static_k), ("static_v", static_v)):
        for axis, size in ((0, count * heads), (2, k._array.shape[2] // heads)):
            if static is not None and static._array.shape[axis] != size:
                got = static._array.shape[axis]
                raise AssertionError(f"expecting {name}.size({axis}) of {size}, but got {got}")
    if zero:
        extra += 1
        for number, each in enumerate(by_head):
            n, _, size = each._array.shape
            by_head[number] = cat([each, steady(np.zeros((n, 1, size), each._array.dtype))], 1)
    return by_head[0], by_head[1], extra


def _joined_mask(mask: Any, padding: Any, extra: int, count: int, heads: int, keys: int) -> Any:
    """Return both masks as one to add to the scores; added keys are open."""
    if extra:
        pad = TABLE["constant_pad_nd"].entry
        mask = None if mask is None else pad(mask, [0, extra])
        padding = None if padding is None else pad(padding, [0, extra])
    if padding is None:
        return mask
    padding = padding.view(count, 1, 1, keys).expand(-1, heads, -1, -1).reshape(count * heads, 1, keys)
    return padding if mask is None else mask + padding


def _weighed(q: Any, k: Any, v: Any, mask: Any, rate: float) -> tuple[Any, Any]:
    """Return the values weighted by attention, and the weights."""
    scaled = q * math.sqrt(1.0 / float(q._array.shape[-1]))
    if mask is None:
        scores = scaled.bmm(k.transpose(-2, -1))
    else:
        scores = TABLE["baddbmm"].entry(mask, scaled, k.transpose(-2, -1))
    weights = TABLE["softmax"].entry(scores, -1)
    if rate > 0.0:
        weights = dropout(weights, rate)
    return weights.bmm(v), weights
