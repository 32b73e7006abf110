"""Functions of layers: embedding, dropout, normalization, attention."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.errors import advice
from dyncore.errors.advice import advise
from dyncore.mutation.inplace import apply_into, inplace_entry
from dyncore.tensors.tensor import Tensor, steady

linear = TABLE["linear"].entry


def _dropped(name: str, input: Tensor, p: float, training: bool, inplace: bool) -> Any:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0 or not input._array.size:
        return input
    run = inplace_entry(TABLE[name]) if inplace else TABLE[name].entry
    return run(input, p, training)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set elements to zero with probability p, and divide the others by 1 - p.

    Outside training, return the input itself.
    """
    return _dropped("dropout", input, p, training, inplace)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Apply dropout that keeps the mean and variance of selu's output."""
    return _dropped("alpha_dropout", input, p, training, inplace)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Apply `alpha_dropout` to whole channels."""
    return _dropped("feature_alpha_dropout", input, p, training, inplace)


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    """Return the rows of `weight` at the positions `input`.

    padding_idx: a row whose gradient stays zero.  max_norm: rows longer than this are shortened in place first.
    """
    rows = weight._array.shape[0] if weight._array.ndim else 0
    if padding_idx is None:
        padding_idx = -1
    else:
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx %= rows
    if max_norm is not None:
        from dyncore.nn.functional.renorm import shorten_rows

        shorten_rows(weight, input, max_norm, norm_type)
    by_rows = sparse and weight.is_leaf  # other tensors get the whole array
    return TABLE["embedding"].entry(weight, input, padding_idx, scale_grad_by_freq, by_rows)


def _sizes(name: str, normalized_shape: Any) -> tuple[int, ...]:
    if isinstance(normalized_shape, int):
        raise TypeError(f"{name}(): argument 'normalized_shape' (position 2) must be tuple of ints, not int")
    return tuple(normalized_shape)


def layer_norm(input: Tensor, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Normalize over the last dimensions, then multiply by weight and add bias."""
    return TABLE["layer_norm"].entry(input, _sizes("layer_norm", normalized_shape), weight, bias, eps)


def _channels(input: Tensor, p: float, training: bool, inplace: bool) -> Any:
    return _dropped("feature_dropout", input, p, training, inplace)


def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set whole channels of (N, C, L) or (C, L) to zero with probability p.

    The others are divided by 1 - p.
    """
    ndim = input._array.ndim
    if ndim not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {ndim}D input. Note that dropout1d exists to provide "
            "channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch "
            "dimension (i.e. 2D or 3D inputs)."
        )
    if ndim == 3:
        return _channels(input, p, training, inplace)
    if inplace:
        return _channels(input.unsqueeze_(0), p, training, True).squeeze_(0)
    return _channels(input.unsqueeze(0), p, training, False).squeeze(0)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set whole channels of (N, C, H, W) to zero with probability p.

    The others are divided by 1 - p.
    """
    if (ndim := input._array.ndim) not in (3, 4):
        advice.channels("dropout2d", ndim, 2)
    if ndim == 3:
        advice.rows("dropout2d")
    return _channels(input, p, training, inplace)


def dropout3d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set whole channels of (N, C, D, H, W) to zero with probability p.

    (C, D, H, W) works too.  The others are divided by 1 - p.
    """
    if (ndim := input._array.ndim) not in (4, 5):
        advice.channels("dropout3d", ndim, 3)
    if ndim == 5:
        return _channels(input, p, training, inplace)
    if inplace:
        return _channels(input.unsqueeze_(0), p, training, True).squeeze_(0)
    return _channels(input.unsqueeze(0), p, training, False).squeeze(0)


def rms_norm(input: Tensor, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Any:
    """Divide by the root mean square over the last dimensions, and scale by weight."""
    return TABLE["rms_norm"].entry(input, _sizes("rms_norm", normalized_shape), weight, eps)


def group_norm(input: Tensor, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Normalize each of `num_groups` groups of channels.

    Then multiply by weight and add bias of each channel.
    """
    shape = input.shape
    if len(shape) < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {len(shape)}")
    if num_groups > 0 and shape[1] % num_groups == 0:
        _verify_batch_size([shape[0] * shape[1] // num_groups, num_groups, *shape[2:]])
    return TABLE["group_norm"].entry(input, num_groups, weight, bias, eps)


def _verify_batch_size(size: Any) -> None:
    """Raise ValueError for a channel with one value, which has no variance."""
    from math import prod

    if size[0] * prod(size[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


def batch_norm(
    input: Tensor,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float | None = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Normalize (N, C, ...) by channel.

    In training by the statistics of the batch, else by the running ones.
    In training the running mean and variance move towards the batch's by `momentum`, in place.
    """
    if training:
        _verify_batch_size(input.shape)
        if (running_mean is None) != (running_var is None):
            raise ValueError("running_mean and running_var must either both be None or neither be None")
    elif running_mean is None or running_var is None:
        name = "running_mean" if running_mean is None else "running_var"
        raise RuntimeError(f"{name} must be defined in evaluation mode")
    channels = input._array.shape[1] if input._array.ndim > 1 else input._array.size
    for name, each in (
        ("running_mean", running_mean),
        ("running_var", running_var),
        ("weight", weight),
        ("bias", bias),
    ):
        if each is not None and each._array.size != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {each._array.size}")
    if training and running_mean is not None and input._array.size:
        _follow(input, running_mean, running_var, momentum or 0.0)
    if not input._array.size:
        return _of_nothing(input, weight, bias)
    return TABLE["batch_norm_with"].entry(
        input, weight, bias, None if training else running_mean, None if training else running_var, training, eps
    )


def _of_nothing(input: Tensor, weight: Any, bias: Any) -> Any:
    """Return the batch norm of an empty input.

    It takes PyTorch's steps: parameters get gradients of zeros, through their first element.
    """
    result = input.clone()
    if weight is not None:
        result = result * weight[0]
    return result if bias is None else result + bias[0]


def _follow(input: Tensor, running_mean: Tensor, running_var: Tensor, momentum: float) -> None:
    apply_into(_moved, (running_mean, running_var), input, momentum)


def _moved(mean: Any, var: Any, input: Any, momentum: float) -> None:
    """Move the running mean and variance towards those of `input`, in place."""
    for target, value in zip((mean, var), TABLE["channel_statistics"].forward(input, True)):
        target *= 1 - momentum
        target += (momentum * value).astype(target.dtype)


def instance_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Normalize (N, C, ...) by example and channel."""
    shape = input._array.shape
    n, c = shape[0], shape[1]
    if use_input_stats:
        from math import prod

        from dyncore.tensors.size import Size

        if prod(shape[2:]) == 1:
            raise ValueError(f"Expected more than 1 spatial element when training, got input size {Size(shape)}")
    flat = input.reshape(1, n * c, *shape[2:])
    repeated = [None if each is None else each.repeat(n) for each in (weight, bias, running_mean, running_var)]
    if use_input_stats and running_mean is not None:
        _follow_mean(flat, running_mean, running_var, momentum, n)
    mean, var = (None, None) if use_input_stats else repeated[2:]
    result = batch_norm(flat, mean, var, repeated[0], repeated[1], use_input_stats, eps=eps)
    return result.view(*shape)


def _follow_mean(flat: Tensor, running_mean: Tensor, running_var: Tensor, momentum: float, count: int) -> None:
    """Move running statistics towards the mean of those of the examples."""
    from dyncore.graph import versions
    from dyncore.tensors.tensor import storage

    statistics = TABLE["channel_statistics"].forward(flat._array)
    for running, value in zip((running_mean, running_var), statistics):
        target = storage(running)
        target *= 1 - momentum
        target += (momentum * value.reshape(count, -1).mean(0)).astype(target.dtype)
        versions.bump(target)


def local_response_norm(input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    """Divide by (k + alpha * mean square over `size` channels) to the power beta."""
    shape = input._array.shape
    if len(shape) < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {len(shape)} dimensions)")
    if not input._array.size:
        return input
    square = input.mul(input).reshape(shape[0], 1, shape[1], -1)
    square = TABLE["constant_pad_nd"].entry(square, [0, 0, size // 2, (size - 1) // 2])
    mean = TABLE["avg_pool2d"].entry(square, (size, 1), 1).view(*shape)
    return input / (mean * alpha + k).pow(beta)


def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None) -> Any:
    """Divide `input` by its p-norm along `dim`, or by eps if that is larger."""
    return TABLE["normalize"].entry(input, p, dim, eps, **({} if out is None else {"out": out}))


def embedding_bag(
    input: Any,
    weight: Tensor,
    offsets: Any = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    """Return the sum, mean or maximum of rows of `weight`, one for each bag.

    input: (B, N), a bag in each row, or all bags after one another, starting at `offsets`.
    """
    if weight._array.dtype.kind in "iu" and input._array.dtype.kind == "f":
        advise("embedding_bag")
        input, weight = weight, input
    if per_sample_weights is not None and input._array.shape != per_sample_weights._array.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the "
            f"same shape as the input ({input.shape})"
        )
    _check_bags(input, offsets)
    if input._array.ndim == 2:
        rows, width = input._array.shape
        offsets = steady(np.arange(rows + include_last_offset) * width)
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got "
            f"mode='{mode}'). Please open a feature request on GitHub."
        )
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if max_norm is not None:
        from dyncore.nn.functional.renorm import shorten_rows

        shorten_rows(weight, input, max_norm, norm_type)
    rows = weight._array.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, but got {padding_idx}"
        )
    padding = -1 if padding_idx is None else padding_idx % rows
    by_rows = sparse and weight.is_leaf
    return TABLE["embedding_bag"].entry(
        weight, input, offsets, scale_grad_by_freq, mode, by_rows, per_sample_weights, include_last_offset, padding
    )


def _check_bags(input: Any, offsets: Any) -> None:
    """Raise ValueError unless the input is 2-D, or 1-D with 1-D offsets."""
    if input._array.ndim == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                f"sequences. However, found offsets of type {type(offsets)}"
            )
    elif input._array.ndim == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets._array.ndim != 1:
            raise ValueError("offsets has to be a 1D Tensor")
    else:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input._array.ndim}")


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """Compute softmax(query key^T scale + mask) value.

    query: (..., L, E), key: (..., S, E), value: (..., S, V).
    A boolean mask is True where a query may look.  enable_gqa: each head of key and value serves several of query.
    """
    if enable_gqa:
        heads = query._array.shape[-3]
        key, value = (each.repeat_interleave(heads // each._array.shape[-3], -3) for each in (key, value))
    run = TABLE["scaled_dot_product_attention"].entry
    return run(query, key, value, attn_mask, dropout_p, is_causal, scale=scale)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Any:
    """Return vectors of zeros with a 1 at each number: (*) -> (*, num_classes)."""
    return TABLE["one_hot"].entry(tensor, num_classes)
