"""Convolution and its transpose, over one to three dimensions; three products that are each other's derivatives."""

import math
from operator import mul

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.dtypes.dtypes import F32, F64
from dyncore.ops.sliding import added, columns, counts, kept, padded
from dyncore.tensors.strides import restrided, with_channels

SMALL = 1 << 14


def _batch_last(x):
    """Return (N, C, *sizes) as (1, C, *sizes, N).

    Copies and sums then run over the rows of one pixel's batch, not over rows of pixels (tests/bench, LeNet).
    """
    return np.ascontiguousarray(x.transpose(*range(1, x.ndim), 0))[None]


def _batch_first(x):
    return np.ascontiguousarray(x.transpose(x.ndim - 1, *range(x.ndim - 1)))


def _grouped_columns(input, kernel, windows, stride, padding, dilation, groups):
    """Return the columns of `input` by group.

    (groups, channels of a group * elements of a window, number of windows * N).
    """
    n, channels = input.shape[:2]
    result = columns(_batch_last(input), (*kernel, 1), (*windows, n), (*stride, 1), (*padding, 0), (*dilation, 1))
    return result.reshape(groups, channels // groups * math.prod(kernel), math.prod(windows) * n)


def _product(factors, unfolded, blocks):
    """Return factors @ found, by blocks of columns.

    Blocks are faster for many more columns than rows.
    """
    groups, rows, width = *factors.shape[:2], unfolded.shape[-1]
    blocks = max(blocks, 1)
    result = np.empty((groups, rows, width), unfolded.dtype)
    into = result.reshape(groups, rows, blocks, width // blocks).transpose(0, 2, 1, 3)
    np.matmul(factors[:, None], _in_blocks(unfolded, blocks), out=into)
    return result


def _in_blocks(found, blocks):
    return found.reshape(*found.shape[:2], blocks, found.shape[-1] // blocks).transpose(0, 2, 1, 3)


def _forward(input, weight, windows, stride, padding, dilation, groups, bias=None):
    out, per_group, *kernel = weight.shape
    if input.shape[0] == groups == 1 and input.size < SMALL and input.dtype in (F32, F64) and 0 not in windows:
        return _forward_one(input, weight, windows, stride, padding, dilation, bias)
    found = _grouped_columns(input, kernel, windows, stride, padding, dilation, groups)
    factors = weight.reshape(groups, out // groups, per_group * math.prod(kernel))
    result = _product(factors, found, windows[0])
    if bias is not None:
        result += bias.reshape(groups, out // groups, 1)
    return _batch_first(result.reshape(out, *windows, input.shape[0]))


def _forward_one(input, weight, windows, stride, padding, dilation, bias):
    """Convolve one small picture by fewer NumPy calls (tests/bench, calls: conv2d)."""
    out, _, *kernel = weight.shape
    if any(padding):
        input = padded(input, padding, padding)
    last = input.strides[2:]
    shape = (*input.shape[1:2], *kernel, *windows)
    strides = input.strides[1:2] + tuple(map(mul, last, dilation)) + tuple(map(mul, last, stride))
    count = math.prod(windows)
    result = weight.reshape(out, -1).dot(restrided(input, shape, strides).reshape(-1, count))
    if bias is not None:
        result += bias.reshape(out, 1)
    return result.reshape(1, out, *windows)


def _backward(grad, weight, sizes, stride, padding, dilation, groups):
    out, per_group, *kernel = weight.shape
    n, windows = grad.shape[0], grad.shape[2:]
    factors = weight.reshape(groups, out // groups, per_group * math.prod(kernel))
    rows = _batch_last(grad).reshape(groups, out // groups, math.prod(windows) * n)
    result = _product(factors.swapaxes(1, 2), rows, windows[0])
    result = result.reshape(1, groups * per_group, math.prod(kernel), math.prod(windows) * n)
    extended = (*kernel, 1), (*windows, n), (*stride, 1), (*padding, 0), (*dilation, 1)
    return _batch_first(added(result, (*sizes, n), *extended)[0])


@op(
    input=lambda g, input_shape, weight, stride, padding, dilation, groups: conv_input(
        g, weight.conj(), tuple(input_shape[2:]), stride, padding, dilation, groups
    ),
    weight=lambda g, input, weight_shape, stride, padding, dilation, groups: conv_weight(
        g, input.conj(), tuple(weight_shape[2:]), stride, padding, dilation, groups
    ),
    private=True,
    node="ConvolutionBackwardBackward0",
)
def conv_output(input, weight, windows: tuple, stride: tuple, padding: tuple, dilation: tuple, groups: int):
    """Convolution of (N, C, *sizes) with (O, C / groups, *kernel): (N, O, *windows)."""
    return _forward(input, weight, windows, stride, padding, dilation, groups)


@op(
    input=lambda g, input_shape, weight, stride, padding, dilation, groups: conv_output(
        g, weight.conj(), tuple(input_shape[2:]), stride, padding, dilation, groups
    ),
    weight=lambda g, input, weight_shape, stride, padding, dilation, groups: conv_weight(
        input.conj(), g, tuple(weight_shape[2:]), stride, padding, dilation, groups
    ),
    private=True,
    node="ConvolutionBackwardBackward0",
)
def conv_input(input, weight, sizes: tuple, stride: tuple, padding: tuple, dilation: tuple, groups: int):
    """Transpose in the input: (N, O, *windows) back to (N, C, *sizes)."""
    return _backward(input, weight, sizes, stride, padding, dilation, groups)


@op(
    grad=lambda g, grad_shape, input, stride, padding, dilation, groups: conv_output(
        input.conj(), g, tuple(grad_shape[2:]), stride, padding, dilation, groups
    ),
    input=lambda g, grad, input_shape, stride, padding, dilation, groups: conv_input(
        grad.conj(), g, tuple(input_shape[2:]), stride, padding, dilation, groups
    ),
    private=True,
    node="ConvolutionBackwardBackward0",
)
def conv_weight(grad, input, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple, groups: int):
    """Transpose in the weight: (O, C / groups, *kernel).

    input: (N, O, *windows), other: (N, C, *sizes).
    """
    n, out = grad.shape[:2]
    windows = grad.shape[2:]
    result = _grouped_columns(input, kernel, windows, stride, padding, dilation, groups)
    rows = _batch_last(grad).reshape(groups, out // groups, math.prod(windows) * n)
    blocks = max(windows[0], 1)
    product = np.matmul(_in_blocks(rows, blocks), _in_blocks(result, blocks).swapaxes(2, 3))
    return np.add.reduce(product, axis=1).reshape(out, input.shape[1] // groups, *kernel)


def _input_rule(g, input_shape, weight, stride, padding, dilation, transposed, groups):
    if transposed:
        return conv_output(g, weight.conj(), tuple(input_shape[2:]), stride, padding, dilation, groups)
    return conv_input(g, weight.conj(), tuple(input_shape[2:]), stride, padding, dilation, groups)


def _weight_rule(g, input, weight_shape, stride, padding, dilation, transposed, groups):
    if transposed:
        return conv_weight(input.conj(), g, tuple(weight_shape[2:]), stride, padding, dilation, groups)
    return conv_weight(g, input.conj(), tuple(weight_shape[2:]), stride, padding, dilation, groups)


def _result_shape(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    layout = None if bias is None else bias.shape
    numbers = stride, padding, dilation, transposed, output_padding, groups
    channels = weight.shape[1] * groups if transposed else weight.shape[0]
    return (input.shape[0], channels, *_plan(input.shape, weight.shape, layout, *numbers)[-1])


@op(
    batching="samples",
    input=_input_rule,
    weight=_weight_rule,
    bias=lambda g: np.sum(g, axis=(0, *range(2, len(g.shape)))),
    method=False,
    shape=_result_shape,
    # Of complex numbers PyTorch adds up real convolutions.
    node=lambda input_dtype: "AddBackward0" if input_dtype.kind == "c" else "ConvolutionBackward0",
)
def convolution(
    input,
    weight,
    bias,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    transposed: bool,
    output_padding: tuple,
    groups: int,
):
    """Convolution, or its transpose, over the dimensions after the first two.

    input: (N, C, *sizes).  weight: (O, C / groups, *kernel), transposed (C, O / groups, *kernel).
    bias: one number for each output channel, or None.
    """
    if input.dtype is not weight.dtype or (bias is not None and bias.dtype is not input.dtype):
        _check_numbers(input.shape, weight.shape, stride, padding, dilation, transposed, groups)
        _check_dtypes(input, weight, bias, transposed)
    layout = None if bias is None else bias.shape
    stride, padding, dilation, output_padding, sizes = _plan(
        input.shape, weight.shape, layout, stride, padding, dilation, transposed, output_padding, groups
    )
    if transposed:
        result = _backward(input, weight, sizes, stride, padding, dilation, groups)
        result = result if bias is None else result + bias.reshape(-1, *(1,) * (input.ndim - 2))
    else:
        result = _forward(input, weight, sizes, stride, padding, dilation, groups, bias)
    if input.ndim != 4:
        return result
    laid = with_channels(input, result)
    return laid if laid is not result else with_channels(weight, result)


@kept
def _plan(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """Return the arguments of each dimension, and the sizes of the result.

    The arguments are stride, padding, dilation and output padding.
    """
    rank = len(input) - 2
    stride, padding, dilation, output_padding = (
        tuple(each) * (rank if len(each) == 1 else 1) for each in (stride, padding, dilation, output_padding)
    )
    _check_numbers(input, weight, stride, padding, dilation, transposed, groups)
    _check_channels(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    if transposed:
        sizes = tuple(
            (n - 1) * s - 2 * p + d * (k - 1) + o + 1
            for n, s, p, d, k, o in zip(input[2:], stride, padding, dilation, weight[2:], output_padding)
        )
        if min(sizes) < 1 and 0 not in input:
            raise RuntimeError(
                f"Given input size per channel: {_by(input[2:])}. Calculated output size per channel: {_by(sizes)}. "
                "Output size is too small"
            )
    else:
        sizes = counts(input[2:], weight[2:], stride, padding, dilation)
    return stride, padding, dilation, output_padding, sizes


def _by(sizes):
    return "(" + " x ".join(map(str, sizes)) + ")"


def _word(array):
    """Return the name of a dtype in C++, as in PyTorch's sentences."""
    words = {
        "float32": "float", "float64": "double", "int64": "long int", "int32": "int", "float16": "c10::Half",
        "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
    }  # fmt: skip
    return words.get(array.dtype.name, array.dtype.name)


def _check_dtypes(input, weight, bias, transposed):
    if bias is not None and bias.dtype != input.dtype and not (transposed and input.dtype != weight.dtype):
        raise RuntimeError(f"Input type ({_word(input)}) and bias type ({_word(bias)}) should be the same")
    if input.dtype != weight.dtype:
        expected, result = dtypes.of(input.dtype).title, dtypes.of(weight.dtype).title
        raise RuntimeError(f"expected scalar type {expected} but found {result}")


def _check_numbers(input, weight, stride, padding, dilation, transposed, groups):
    if len(weight) < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if len(weight) != len(input):
        raise RuntimeError(
            f"Expected {len(weight)}-dimensional input for {len(weight)}-dimensional weight {list(weight)}, but got "
            f"{len(input)}-dimensional input of size {list(input)} instead"
        )
    if min(padding) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    # PyTorch takes one dimension for two of which the first is 1.
    kernel, dilation = ((1, *each) if len(input) == 3 else tuple(each) for each in (weight[2:], dilation))
    if min(kernel) <= 0:
        text = (
            f": {' x '.join(map(str, kernel))} (TxHxW)"
            if len(kernel) == 3
            else f" kernel_height: {kernel[0]} kernel_width: {kernel[1]}"
        )
        raise RuntimeError(f"kernel size should be greater than zero, but got{text}")
    if min(dilation) <= 0:
        height, width = dilation[-2:]
        text = f"dilation_height: {height}, dilation_width: {width}" if transposed else list(dilation)
        raise RuntimeError(f"dilation should be greater than zero, but got {text}")


def _check_channels(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    expected = weight[0] if transposed else weight[1] * groups
    if weight[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size "
            f"{list(weight)} instead"
        )
    if weight[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of "
            f"size {[list(weight)]} instead"
        )
    if input[1] != expected:
        raise RuntimeError(
            f"Given {'transposed=1' if transposed else f'groups={groups}'}, weight of size {list(weight)}, expected "
            f"input{list(input)} to have {expected} channels, but got {input[1]} channels instead"
        )
    outputs = weight[1] * groups if transposed else weight[0]
    if bias is not None and bias != (outputs,):
        raise RuntimeError(
            f"Given {'transposed=1, ' if transposed else ''}weight of size {list(weight)}, expected bias to be 1-"
            f"dimensional with {outputs} elements, but got bias of size {list(bias)} instead"
        )
    if transposed:
        for o, s, d in zip(output_padding, stride, dilation):
            if o >= s and o >= d:
                raise RuntimeError(
                    "output padding must be smaller than either stride or dilation, but got output_padding_height: "
                    f"{output_padding[0]} output_padding_width: {output_padding[-1]} stride_height: {stride[0]} "
                    f"stride_width: {stride[-1]} dilation_height: {dilation[0]} dilation_width: {dilation[-1]}"
                )
        return
    sizes = tuple(n + 2 * p for n, p in zip(input[2:], padding))
    reach = tuple(d * (k - 1) + 1 for k, d in zip(weight[2:], dilation))
    if any(r > n for r, n in zip(reach, sizes)):
        raise RuntimeError(
            f"Calculated padded input size per channel: {_by(sizes)}. Kernel size: {_by(reach)}. Kernel size can't be "
            "greater than actual input size"
        )
