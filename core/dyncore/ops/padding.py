"""Padding: constant, reflected, repeated, or from the other side."""

import numpy as np

from dyncore.dispatch.registry import keep, op
from dyncore.dtypes.limits import fitted
from dyncore.ops.indexing import index_place
from dyncore.ops.sliding import padded
from dyncore.tensors.strides import with_channels
from dyncore.tensors.subscripts import in_order


def _sides(pad):
    """Return (before, after) of each of the last dimensions.

    `pad` counts from the last one.
    """
    pairs = [(int(pad[i]), int(pad[i + 1])) for i in range(0, len(pad), 2)][::-1]
    return tuple(b for b, _ in pairs), tuple(a for _, a in pairs)


@op(
    batching="input rows",
    input=lambda g, pad: constant_pad_nd(g, [-n for n in pad]),
    node="ConstantPadNdBackward0",
    method=False,
)
def constant_pad_nd(input, pad: tuple, value: object = 0):
    """`value` around the last dimensions.

    pad: (left, right, top, bottom, ...), counted from the last dimension; a negative number cuts off.
    """
    pad = list(pad)
    if len(pad) % 2:
        raise RuntimeError("Length of pad must be even but instead it equals " + str(len(pad)))
    if len(pad) > 2 * input.ndim:
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. Pad length is "
            f"{len(pad)} while the input has {input.ndim} dimensions."
        )
    if not pad:
        return input.copy()
    before, after = _sides(pad)
    if value:
        value = fitted(value, input.dtype)
    for n, b, a in zip(input.shape[input.ndim - len(before) :], before, after):
        if n + min(b, 0) + min(a, 0) < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
    result = padded(input, before, after, value)
    return with_channels(input, result.copy() if result is input else result)


def _sources(sizes, before, after, mode):
    """Return for each dimension which input element each element of the result is."""
    result = []
    for n, b, a in zip(sizes, before, after):
        position = np.arange(-b, n + a)
        if mode == "reflect":
            position = np.abs(position)
            position = np.where(position >= n, 2 * (n - 1) - position, position)
        elif mode == "circular":
            inner = n - max(-b, 0) - max(-a, 0)
            position = max(-b, 0) + (position - max(-b, 0)) % max(inner, 1)
        else:
            position = np.minimum(np.maximum(position, 0), n - 1)
        result.append(position)
    return (Ellipsis, *np.ix_(*result))


def _placed(g, input_shape, index):
    return index_place(g, tuple(input_shape), index)


def _source_index(shape, pad, mode):
    rank = len(pad) // 2
    return _sources(shape[len(shape) - rank :], *_sides(pad), mode)


def _reflect_title(pad):
    return f"ReflectionPad{len(pad) // 2}DBackward0"


def _replicate_title(pad):
    return f"ReplicationPad{len(pad) // 2}DBackward0"


@op(input=_placed, node=_reflect_title, private=True)
def reflection_pad(input, pad: tuple):
    """Tensor mirrored at its edges, without repeating the edge."""
    before, after = _sides(pad)
    for number, (n, b, a) in enumerate(zip(input.shape[::-1], reversed(before), reversed(after))):
        if b >= n or a >= n:
            raise RuntimeError(
                f"Argument #{4 + 2 * number}: Padding size should be less than the corresponding input dimension, but "
                f"got: padding ({b}, {a}) at dimension {input.ndim - 1 - number} of input {list(input.shape)}"
            )
    index = _source_index(input.shape, pad, "reflect")
    return keep(with_channels(input, in_order(input[index])), index=index)


@op(input=_placed, node=_replicate_title, private=True)
def replication_pad(input, pad: tuple):
    """Tensor with its edges repeated."""
    index = _source_index(input.shape, pad, "replicate")
    return keep(with_channels(input, in_order(input[index])), index=index)


@op(input=_placed, node="torch::autograd::CopySlices", private=True, back="SliceBackwardBackward0")
def circular_pad(input, pad: tuple):
    """Tensor continued from its other side; a negative number cuts off."""
    rank = len(pad) // 2
    for n, before, after in zip(input.shape[input.ndim - rank :], *_sides(pad)):
        if before > n or after > n:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if n + before + after < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
    index = _source_index(input.shape, pad, "circular")
    return keep(in_order(input[index]), index=index)
