"""Values written over a whole tensor: the ops of `copy_`, `fill_` and `zero_`."""

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes.limits import check_scalar, fitted
from dyncore.errors.explain import broadcast_sentence


@op(private=True)
def zeros_like(g):
    """Zeros in the shape and dtype of a gradient, even an infinite one.

    The derivative of a function that is flat.
    """
    # Faster for few floats than `g * 0` or `np.zeros_like`.
    shape = g.shape
    return np.zeros(shape, g.dtype) if shape else g.dtype.type()


def _cast(values, dtype):
    array = np.asarray(values)
    if array.dtype.kind == "c" and dtype.kind not in "bc":
        array = array.real
    return array.astype(dtype)


@op(
    input=zeros_like, src=lambda g: g, inplace=True, method=False, function=False, node="torch::autograd::CopyBackwards"
)
def copy(input, src, non_blocking: bool = False):
    """`src` in the shape and dtype of `input`."""
    try:
        return np.broadcast_to(_cast(src, input.dtype), input.shape)
    except ValueError:
        raise _copy_error(input, src) from None


def _copy_error(input, src):
    """Return the error for a source that does not fit.

    It names the last dimension that differs, or the shape that both would become.
    """
    sentence = broadcast_sentence(input.shape, src.shape)
    if sentence is not None:
        return RuntimeError(sentence)
    shape = list(np.broadcast_shapes(input.shape, src.shape))
    return RuntimeError(f"output with shape {list(input.shape)} doesn't match the broadcast shape {shape}")


@op(
    input=zeros_like,
    value=lambda g: np.sum(g),
    inplace={"FillBackward0": "FillBackward2", "FillBackward1": "FillBackward3"},
    method=False,
    node=lambda value: "FillBackward1" if hasattr(value, "dtype") else "FillBackward0",
)
def fill(input, value):
    """A tensor like `input` with every element `value`, a number or a 0-d tensor."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"fill() received an invalid combination of arguments - got (Tensor, {type(value).__name__})")
    if array.ndim:
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {array.ndim} dimensions.")
    number = array.item()
    if not input.ndim:
        check_scalar(number, input.dtype)
        return np.full((), _cast(number, input.dtype), input.dtype)
    return np.full(input.shape, fitted(number, input.dtype), input.dtype)


@op(input=zeros_like, inplace=True, method=False, function=False, node="ZeroBackward0")
def zero(input):
    """Zeros like `input`."""
    return np.zeros(input.shape, input.dtype)
