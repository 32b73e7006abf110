"""Normalisation: layers, batches, groups, and what keeps sizes in bounds."""

import math

import numpy as np

from dyncore.registry import op


def _standard(input, axes, eps):
    """`input` with mean 0 and variance 1 over `axes`, and the factor that made it so."""
    centered = input - np.mean(input, axis=axes, keepdims=True)
    factor = 1.0 / np.sqrt(np.mean(centered * centered, axis=axes, keepdims=True) + eps)
    return centered * factor, factor


def _through(g, normal, factor, axes):
    """The gradient through `_standard`."""
    along = np.mean(g * normal, axis=axes, keepdims=True)
    return factor * (g - np.mean(g, axis=axes, keepdims=True) - normal * along)


def _leading(x, keep):
    return tuple(range(len(x.shape) - keep))


def _layer_norm_rule(g, input, normalized_shape, weight, eps, wanted):
    inner = len(normalized_shape)
    axes = tuple(range(len(input.shape) - inner, len(input.shape)))
    found = {"bias": g}
    if wanted & {"input", "weight"}:
        normal, factor = _standard(input, axes, eps)
        found["weight"] = g * normal
        if "input" in wanted:
            found["input"] = _through(g if weight is None else g * weight, normal, factor, axes)
    return found


@op(joint=_layer_norm_rule, node="NativeLayerNormBackward0", method=False)
def layer_norm(input, normalized_shape: tuple, weight=None, bias=None, eps: float = 1e-5):
    """Mean 0 and variance 1 over the last dimensions, then times weight plus bias.

    y = (x - mean) / sqrt(var + eps) w + b.
    """
    shape = tuple(normalized_shape)
    if not shape or input.shape[len(input.shape) - len(shape) :] != shape:
        from dyncore.size import Size

        if not shape:
            raise RuntimeError(
                "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
                "normalized_shape = []"
            )
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*, {', '.join(map(str, shape))}], but got "
            f"input of size{list(Size(input.shape))}"
        )
    if not input.size:
        return input.copy()
    rows = input.reshape(-1, math.prod(shape))
    count = rows.dtype.type(rows.shape[1])
    centered = rows - np.add.reduce(rows, axis=1, keepdims=True) / count
    variance = np.add.reduce(centered * centered, axis=1, keepdims=True) / count
    result = (centered / np.sqrt(variance + rows.dtype.type(eps))).reshape(input.shape)
    if weight is not None:
        result = result * weight
    return result if bias is None else result + bias
