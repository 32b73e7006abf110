"""`conv1d` ... `conv_transpose3d`: convolution with PyTorch's arguments."""

from dyncore.dispatch.registry import op
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


@op(composite=True, method=False)
def conv1d(input, weight, bias=None, stride: object = 1, padding: object = 0, dilation: object = 1, groups: int = 1):
    """Convolution over one dimension: (N, C, L).

    weight: (O, C / groups, K).
    """
    return _convolve(input, weight, bias, stride, padding, dilation, groups, 1)


@op(composite=True, method=False)
def conv2d(input, weight, bias=None, stride: object = 1, padding: object = 0, dilation: object = 1, groups: int = 1):
    """Convolution over two dimensions: (N, C, H, W).

    weight: (O, C / groups, KH, KW).
    """
    return _convolve(input, weight, bias, stride, padding, dilation, groups, 2)


@op(composite=True, method=False)
def conv3d(input, weight, bias=None, stride: object = 1, padding: object = 0, dilation: object = 1, groups: int = 1):
    """Convolution over three dimensions: (N, C, D, H, W).

    weight: (O, C / groups, KD, KH, KW).
    """
    return _convolve(input, weight, bias, stride, padding, dilation, groups, 3)


@op(composite=True, method=False)
def conv_transpose1d(
    input,
    weight,
    bias=None,
    stride: object = 1,
    padding: object = 0,
    output_padding: object = 0,
    groups: int = 1,
    dilation: object = 1,
):
    """Transposed convolution over one dimension: (N, C, L).

    weight: (C, O / groups, K).
    """
    return _transpose(input, weight, bias, stride, padding, output_padding, groups, dilation, 1)


@op(composite=True, method=False)
def conv_transpose2d(
    input,
    weight,
    bias=None,
    stride: object = 1,
    padding: object = 0,
    output_padding: object = 0,
    groups: int = 1,
    dilation: object = 1,
):
    """Transposed convolution over two dimensions: (N, C, H, W).

    weight: (C, O / groups, KH, KW).
    """
    return _transpose(input, weight, bias, stride, padding, output_padding, groups, dilation, 2)


@op(composite=True, method=False)
def conv_transpose3d(
    input,
    weight,
    bias=None,
    stride: object = 1,
    padding: object = 0,
    output_padding: object = 0,
    groups: int = 1,
    dilation: object = 1,
):
    """Transposed convolution over three dimensions: (N, C, D, H, W).

    weight: (C, O / groups, KD, KH, KW).
    """
    return _transpose(input, weight, bias, stride, padding, output_padding, groups, dilation, 3)
