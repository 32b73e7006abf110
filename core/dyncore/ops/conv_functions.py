"""`conv1d` ... `conv_transpose3d`: convolution with PyTorch's arguments."""

from dyncore.dispatch.registry import op, titled
from dyncore.ops.conv import convolution
from dyncore.ops.padding import constant_pad_nd
from dyncore.ops.shape import squeeze, unsqueeze
from dyncore.ops.sliding import several


def _batched(input, rank, name):
    """Return `input` with a batch dimension, and whether it had one."""
    ndim = len(input.shape)
    if ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {name}, but got input of size: "
            f"{list(input.shape)}"
        )
    return (input, True) if ndim == rank + 2 else (unsqueeze(input, 0), False)


def _each(value, weight, rank, name):
    """Return `value` for each dimension of the weight; one number stands for `rank`."""
    count, given = len(weight.shape) - 2, value if isinstance(value, (tuple, list)) else (value,) * rank
    if count > 0 and len(given) not in (1, count):
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {count} values to match the convolution "
            f"dimensions, but got {name}={list(given)}"
        )
    return several(given, len(given) if count <= 0 else count, name)


def _convolve(input, weight, bias, stride, padding, dilation, groups, rank):
    name = f"conv{rank}d"
    input, whole = _batched(input, rank, name)
    shape, ndim = list(weight.shape), len(input.shape)
    if isinstance(padding, str) and len(shape) != ndim:
        raise RuntimeError(
            f"Expected {len(shape)}-dimensional input for {len(shape)}-dimensional weight{shape}, but got "
            f"{ndim}-dimensional input of size {list(input.shape)} instead"
        )
    stride, dilation = _each(stride, weight, rank, "stride"), _each(dilation, weight, rank, "dilation")
    if isinstance(padding, str):
        input, padding = _named_padding(input, weight, padding, stride, dilation, rank)
    padding = _each(padding, weight, rank, "padding")
    result = convolution(input, weight, bias, stride, padding, dilation, False, (0,) * rank, groups)
    return result if whole else squeeze(result, 0)


def _named_padding(input, weight, padding, stride, dilation, rank):
    """Return the padding of "same" or "valid", and the input.

    An odd padding is applied to the right side of the input first.
    """
    if padding == "valid":
        return input, (0,) * rank
    if padding != "same":
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    totals = [d * (k - 1) for d, k in zip(dilation, tuple(weight.shape)[2:])]
    if any(total % 2 for total in totals):
        extra = [n for total in reversed(totals) for n in (0, total % 2)]
        input = constant_pad_nd(input, extra)
    return input, tuple(total // 2 for total in totals)


def _transpose(input, weight, bias, stride, padding, output_padding, groups, dilation, rank):
    input, whole = _batched(input, rank, f"conv_transpose{rank}d")
    if isinstance(padding, str):
        raise TypeError(f"conv_transpose{rank}d(): argument 'padding' must be tuple of ints, not str")
    stride, padding, output_padding, dilation = (
        _each(each, weight, rank, name)
        for each, name in (
            (stride, "stride"), (padding, "padding"), (output_padding, "output_padding"), (dilation, "dilation"),
        )
    )  # fmt: skip
    result = convolution(input, weight, bias, stride, padding, dilation, True, output_padding, groups)
    return result if whole else squeeze(result, 0)


_OVER = {  # the dimensions, those of the input and those of the weight
    1: ("one dimension", "L", "K"), 2: ("two dimensions", "H, W", "KH, KW"),
    3: ("three dimensions", "D, H, W", "KD, KH, KW"),
}  # fmt: skip


def _convolution(rank):
    def conv(input, weight, bias=None, stride: object = 1, padding: object = 0, dilation: object = 1, groups: int = 1):
        return _convolve(input, weight, bias, stride, padding, dilation, groups, rank)

    over, sizes, kernel = _OVER[rank]
    doc = f"Convolution over {over}: (N, C, {sizes}).\n\nweight: (O, C / groups, {kernel})."
    return op(composite=True, method=False)(titled(f"conv{rank}d", doc, conv))


def _transposed(rank):
    def conv(
        input, weight, bias=None, stride: object = 1, padding: object = 0, output_padding: object = 0, groups: int = 1,
        dilation: object = 1,
    ):  # fmt: skip
        return _transpose(input, weight, bias, stride, padding, output_padding, groups, dilation, rank)

    over, sizes, kernel = _OVER[rank]
    doc = f"Transposed convolution over {over}: (N, C, {sizes}).\n\nweight: (C, O / groups, {kernel})."
    return op(composite=True, method=False)(titled(f"conv_transpose{rank}d", doc, conv))


conv1d, conv2d, conv3d = map(_convolution, (1, 2, 3))
conv_transpose1d, conv_transpose2d, conv_transpose3d = map(_transposed, (1, 2, 3))
