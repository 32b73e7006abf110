"""Normalization of layers, batches, groups and channels."""

import functools
import math

import numpy as np

from dyncore.dispatch.recompute import recomputed
from dyncore.dispatch.registry import keep, op
from dyncore.dtypes import dtypes
from dyncore.dtypes.dtypes import F32, F64
from dyncore.dtypes.supported import refusal
from dyncore.ops.matrix_checks import check_batches_dtype
from dyncore.tensors.strides import usual, with_channels


def _average(x, axes):
    """Return the mean over `axes`, which stay; faster than np.mean on small arrays."""
    count = math.prod(tuple(x.shape)[axis] for axis in axes)
    return np.sum(x, axis=axes, keepdims=True) / max(count, 1)


def _standard(input, axes, eps):
    """Return `input` with mean 0 and variance 1 over `axes`, and the factor."""
    centered = input - _average(input, axes)
    factor = 1.0 / np.sqrt(_average(centered * centered, axes) + eps)
    return centered * factor, factor


def _through(g, normal, factor, axes):
    """Return the gradient through `_standard`."""
    return factor * (g - _average(g, axes) - normal * _average(g * normal, axes))


@functools.lru_cache(maxsize=64)
def _evenly(count, dtype):
    """Return the vector whose product with a row is its mean."""
    return np.full(count, 1 / count, dtype)


def _layer_norm_rule(g, input, normalized_shape, weight, eps, mean, factor, wanted):
    if mean is not None and isinstance(g, np.ndarray):
        return _layer_norm_arrays(g, input, weight, mean, factor, wanted)
    inner = len(normalized_shape)
    if not isinstance(g, np.ndarray):
        g = g.view_as(g)  # a node of its own, also where the gradient of the bias is all of it
    axes = tuple(range(len(input.shape) - inner, len(input.shape)))
    result = {"bias": g}
    if wanted & {"input", "weight"}:
        normal, factor = _standard(input, axes, eps)
        result["weight"] = g * normal
        if "input" in wanted:
            result["input"] = _through(g if weight is None else g * weight, normal, factor, axes)
    return result


def _layer_norm_arrays(g, input, weight, mean, factor, wanted):
    """Return the gradients from the mean and the factor of each row.

    The forward computed them.
    """
    gradients = {"bias": g}
    if not wanted & {"input", "weight"}:
        return gradients
    count = input.size // len(mean)
    normal = input.reshape(-1, count) - mean
    normal *= factor
    if "weight" in wanted:
        gradients["weight"] = g * normal.reshape(input.shape)
    if "input" in wanted:
        rows = (g if weight is None else g * weight).reshape(-1, count)
        evenly = _evenly(count, input.dtype)
        result = rows - rows.dot(evenly)[:, None]
        normal *= (rows * normal).dot(evenly)[:, None]
        result -= normal
        result *= factor
        gradients["input"] = result.reshape(input.shape)
    return gradients


def _check_mixed(input, *parameters):
    """Raise RuntimeError for parameters of another dtype than the input, or mixed."""
    first = None
    for each in parameters:
        if each is None or each.dtype is (input if first is None else first).dtype:
            first = each if first is None else first
        elif first is None and each.dtype == input.dtype:
            first = each
        elif first is None and each.dtype != F32:
            title = dtypes.of(F32).title
            raise RuntimeError(f"mixed dtype (CPU): expect parameter to have scalar type of {title}")
        elif first is None and input.dtype != np.float16:
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
        elif first is None:
            first = each
        elif each.dtype != first.dtype:
            check_batches_dtype(first, each)


def check_trailing(input, shape, weight=None, bias=None, comma=", "):
    """Raise RuntimeError unless `shape` is that of the last dimensions.

    Of `input`, and of weight and bias.
    """
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and each.shape != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape {list(each.shape)} "
                f"and normalized_shape = {list(shape)}"
            )
    if input.ndim < len(shape) or input.shape[input.ndim - len(shape) :] != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*{comma}{', '.join(map(str, shape))}], "
            f"but got input of size{list(input.shape)}"
        )


@op(
    batching="input rows",
    joint=_layer_norm_rule,
    node="NativeLayerNormBackward0",
    method=False,
    back="NativeLayerNormBackwardBackward0",
)
def layer_norm(input, normalized_shape: tuple, weight=None, bias=None, eps: float = 1e-5, cudnn_enable: bool = True):
    """Mean 0 and variance 1 over the last dimensions, then times weight plus bias.

    y = (x - mean) / sqrt(var + eps) w + b.
    """
    shape = tuple(normalized_shape)
    check_trailing(input, shape, weight, bias)
    _check_mixed(input, weight, bias)
    if not input.size:
        return input.copy()  # nothing kept: the derivative computes it
    if input.dtype == np.float16:  # whose squares end at 65504
        wide = [each if each is None else each.astype(F32) for each in (input, weight, bias)]
        return layer_norm(wide[0], shape, *wide[1:], eps)[0].astype(input.dtype)
    rows = usual(input.reshape(-1, math.prod(shape)))
    evenly = _evenly(rows.shape[1], input.dtype)
    mean = rows.dot(evenly)[:, None]
    result = rows - mean
    factor = (result * result).dot(evenly)[:, None]
    factor += input.dtype.type(eps)
    np.divide(1, np.sqrt(factor, factor), factor)
    result *= factor
    result = result.reshape(input.shape)
    if weight is not None and weight.dtype is input.dtype:
        result *= weight
    elif weight is not None:
        result = result * weight
    if bias is not None and bias.dtype is result.dtype:
        result += bias
    elif bias is not None:
        result = result + bias
    return keep(result, mean=mean, factor=factor)


def _per_channel(value, ndim):
    """Reshape a vector over the channels to broadcast over (N, C, ...)."""
    return value if ndim == 2 else np.reshape(value, (-1,) + (1,) * (ndim - 2))


def _channel_sums(x):
    """Return the sum of each channel of (N, C, ...), by products with ones."""
    kind = x.dtype
    if kind is not F32 and kind is not F64:
        return np.add.reduce(x, axis=(0, *range(2, x.ndim)))
    if x.ndim > 2:
        x = x.reshape(*x.shape[:2], -1)
        x = x.dot(_ones(x.shape[2], kind is F32))
    return _ones(len(x), kind is F32).dot(x)


@functools.lru_cache(maxsize=64)
def _ones(count, single):
    return np.ones(count, F32 if single else F64)


_ahead = None


def of_channels(input, ahead=False):
    """Return (mean, centered input, sum of its squares) of each channel.

    The first and the last are vectors.
    ahead: store them for `batch_norm_with`, which is called next: the running statistics need them too.
    """
    global _ahead
    result, _ahead = _ahead, None
    if result is not None and result[0] is input:
        return result[1:]
    mean = _channel_sums(input) / input.dtype.type(input.size // max(input.shape[1], 1))
    centered = input - (mean if input.ndim == 2 else _per_channel(mean, input.ndim))
    squares = _channel_sums(centered * centered)
    if ahead:
        _ahead = input, mean, centered, squares
    return mean, centered, squares


def _batch_norm_arrays(g, input, weight, center, factor, wanted):
    """Return the gradients in training from the mean and the factor of each channel.

    The forward computed them.
    """
    ndim = input.ndim
    normal = input - _per_channel(center, ndim)
    normal *= _per_channel(factor, ndim)
    gradients = {"bias": _channel_sums(g), "weight": _channel_sums(g * normal)}
    if "input" in wanted:
        count = input.dtype.type(input.size // max(input.shape[1], 1))
        normal *= _per_channel(gradients["weight"] / count, ndim)
        result = g - _per_channel(gradients["bias"] / count, ndim)
        result -= normal
        result *= _per_channel(factor if weight is None else factor * weight, ndim)
        gradients["input"] = result
    return gradients


def _batch_norm_rule(g, input, weight, mean, variance, training, eps, center, factor, wanted):
    if center is not None and isinstance(g, np.ndarray):
        return _batch_norm_arrays(g, input, weight, center, factor, wanted)
    ndim = len(input.shape)
    axes = (0, *range(2, ndim))
    scaled = g if weight is None else g * _per_channel(weight, ndim)
    if training:
        normal, factor = _standard(input, axes, eps)
    else:
        factor = 1.0 / np.sqrt(_per_channel(variance, ndim) + eps)
        normal = (input - _per_channel(mean, ndim)) * factor
    result = {"bias": np.sum(g, axis=axes), "weight": np.sum(g * normal, axis=axes)}
    if "input" in wanted:
        result["input"] = _through(scaled, normal, factor, axes) if training else scaled * factor
    return result


def _batch_norm_title(input):
    return "NativeBatchNormBackward0" if input.size else "CloneBackward0"


@op(joint=_batch_norm_rule, node=_batch_norm_title, private=True, back="NativeBatchNormBackwardBackward0")
def batch_norm_with(input, weight, bias, mean, variance, training: bool, eps: float):
    """(N, C, ...) normalized over all but the channels.

    With given statistics, or in training with its own.
    """
    ndim = input.ndim
    if not input.size:
        return input.copy()
    if input.dtype.kind in "biu":
        raise refusal("batch_norm", input.dtype)
    _check_mixed(input, weight, bias, mean, variance)
    input = usual(input)
    if training:
        kind = input.dtype.type
        mean, result, spread = of_channels(input)
        spread = spread / kind(input.size // max(input.shape[1], 1))
    else:
        kind = None
        result = input - _per_channel(mean, ndim)
        spread = variance
    factor = 1 / np.sqrt(spread + input.dtype.type(eps))
    scale = factor if weight is None else factor * weight
    if kind is None or scale.dtype is not input.dtype or (bias is not None and bias.dtype is not input.dtype):
        result = result * _per_channel(scale, ndim)
        normalized = (result if bias is None else result + _per_channel(bias, ndim)).astype(input.dtype, copy=False)
        return normalized if kind is None else keep(normalized, center=mean, factor=factor)
    result *= _per_channel(scale, ndim)
    if bias is not None:
        result += _per_channel(bias, ndim)
    return keep(result, center=mean, factor=factor)


@op(private=True)
def channel_statistics(input, ahead: bool = False):
    """Mean and unbiased variance of each channel of (N, C, ...)."""
    mean, _, squares = of_channels(input, ahead)
    return mean, squares / input.dtype.type(max(input.size // max(input.shape[1], 1) - 1, 1))


def _groups(input, num_groups):
    """Return (N, C, ...) as (N, groups, the rest)."""
    return np.reshape(input, (input.shape[0], num_groups, math.prod(tuple(input.shape)[1:]) // num_groups))


def _group_norm_rule(g, input, num_groups, weight, eps, wanted):
    ndim = len(input.shape)
    shape = tuple(input.shape)
    normal, factor = _standard(_groups(input, num_groups), (2,), eps)
    axes = (0, *range(2, ndim))
    result = {"bias": np.sum(g, axis=axes), "weight": np.sum(g * np.reshape(normal, shape), axis=axes)}
    if "input" in wanted:
        scaled = g if weight is None else g * _per_channel(weight, ndim)
        result["input"] = np.reshape(_through(_groups(scaled, num_groups), normal, factor, (2,)), shape)
    return result


@op(
    batching="samples",
    joint=_group_norm_rule,
    node="NativeGroupNormBackward0",
    method=False,
    back={"weight": "ViewBackward0", "bias": "ViewBackward0"},
)
def group_norm(input, num_groups: int, weight=None, bias=None, eps: float = 1e-5, cudnn_enabled: bool = True):
    """Mean 0 and variance 1 over each group of channels, then times weight plus bias.

    num_groups: the number of groups.  weight, bias: (C,).
    """
    if input.ndim < 2:
        raise RuntimeError("Expected at least 2 dimensions for input tensor but received " + str(input.ndim))
    channels = input.shape[1]
    if num_groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if channels % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and each.shape != (channels,):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of "
                f"shape {list(each.shape)} and input of shape {list(input.shape)}"
            )
    _check_mixed(input, weight, bias)
    if not input.size:
        return input.copy()
    result = _standard(_groups(input, num_groups), (2,), input.dtype.type(eps))[0].reshape(input.shape)
    if weight is not None:
        result = result * _per_channel(weight, input.ndim)
    return with_channels(input, result if bias is None else result + _per_channel(bias, input.ndim))


def _rms(input, weight, inner, eps):
    axes = tuple(range(len(input.shape) - inner, len(input.shape)))
    result = input * (1.0 / np.sqrt(_average(input * input, axes) + eps))
    return result if weight is None else result * weight


def _rms_rule(g, input, normalized_shape, weight, eps, eps_used, wanted):
    if isinstance(g, np.ndarray) and g.dtype == np.float16:
        wide = [each if each is None else each.astype(F32) for each in (g, input, weight)]
        result = _rms_rule(wide[0], wide[1], normalized_shape, wide[2], eps, eps_used, wanted)
        return {name: each.astype(np.float16) for name, each in result.items()}
    return recomputed(_rms, g, wanted, {"input": input, "weight": weight}, len(normalized_shape), eps_used)


@op(batching="input rows", joint=_rms_rule, method=False, node="MulBackward0")
def rms_norm(input, normalized_shape: tuple, weight=None, eps: float = None):
    """Divided by the root mean square over the last dimensions, then times weight."""
    shape = tuple(normalized_shape)
    check_trailing(input, shape, weight, comma="")
    used = float(np.finfo(input.dtype).eps) if eps is None else eps
    wide = input.astype(F32) if input.dtype == np.float16 else input  # squares of float16 end at 65504
    return keep(usual(_rms(wide, weight, len(shape), used).astype(input.dtype)), eps_used=used)
