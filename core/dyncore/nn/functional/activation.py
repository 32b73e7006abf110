"""Activations, with PyTorch's `inplace` switches."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.errors.advice import advise
from dyncore.mutation.inplace import inplace_entry
from dyncore.nn.functional.reductions import pick_dim
from dyncore.rng import initial as noise
from dyncore.tensors.tensor import Tensor, wrap

_IN_PLACE: dict[str, Any] = {}


def _run(name: str, inplace: bool, *args: Any) -> Any:
    op = TABLE[name]
    if not inplace:
        return op.entry(*args)
    if name not in _IN_PLACE:
        _IN_PLACE[name] = inplace_entry(op)
    return _IN_PLACE[name](*args)


def relu(input: Tensor, inplace: bool = False) -> Any:
    """Return max(x, 0) of each element."""
    if inplace:
        return _run("relu", True, input)
    return TABLE["relu"].entry(input)


def relu6(input: Tensor, inplace: bool = False) -> Any:
    """Limit x to [0, 6]."""
    return _run("hardtanh", inplace, input, 0.0, 6.0)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """Return x where positive, negative_slope * x elsewhere."""
    return _run("leaky_relu", inplace, input, negative_slope)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    """Limit x to [min_val, max_val].

    Raises ValueError if min_val is above max_val.
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _run("hardtanh", inplace, input, min_val, max_val)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Any:
    """Return x where above the threshold, `value` elsewhere."""
    return _run("threshold", inplace, input, threshold, value)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return x where positive, alpha (e^x - 1) elsewhere."""
    return _run("elu", inplace, input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Any:
    """Return elu with the alpha and scale that keep mean 0 and variance 1."""
    return _run("selu", inplace, input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return x where positive, alpha (e^(x / alpha) - 1) elsewhere."""
    return _run("celu", inplace, input, alpha)


def silu(input: Tensor, inplace: bool = False) -> Any:
    """Return x sigmoid(x)."""
    return _run("silu", inplace, input)


def mish(input: Tensor, inplace: bool = False) -> Any:
    """Return x tanh(softplus(x))."""
    return _run("mish", inplace, input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Any:
    """Return (x + 3) / 6 limited to [0, 1]."""
    return _run("hardsigmoid", inplace, input)


def hardswish(input: Tensor, inplace: bool = False) -> Any:
    """Return x hardsigmoid(x)."""
    return _run("hardswish", inplace, input)


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Divide e^x by its sum along `dim`."""
    dim = pick_dim("softmax", input, dim, _stacklevel) if dim is None else dim
    return TABLE["softmax"].entry(input, dim, dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Return the logarithm of softmax along `dim`."""
    dim = pick_dim("log_softmax", input, dim, _stacklevel) if dim is None else dim
    return TABLE["log_softmax"].entry(input, dim, dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Return the softmax of -x along `dim`."""
    return TABLE["softmax"].entry(-input, pick_dim("softmin", input, dim, _stacklevel), dtype)


def tanhshrink(input: Tensor) -> Any:
    """Return x - tanh(x)."""
    return input - input.tanh()


def softsign(input: Tensor) -> Any:
    """Return x / (1 + |x|)."""
    return input / (input.abs() + 1)


def relu_(input: Tensor) -> Any:
    """Compute `relu` in place."""
    return relu(input, True)


def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Any:
    """Compute `leaky_relu` in place."""
    return leaky_relu(input, negative_slope, True)


def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """Compute `hardtanh` in place.

    Raises ValueError if min_val is above max_val.
    """
    return hardtanh(input, min_val, max_val, True)


def threshold_(input: Tensor, threshold: float, value: float) -> Any:
    """Compute `threshold` in place."""
    return _run("threshold", True, input, threshold, value)


def elu_(input: Tensor, alpha: float = 1.0) -> Any:
    """Compute `elu` in place."""
    return elu(input, alpha, True)


def selu_(input: Tensor) -> Any:
    """Compute `selu` in place."""
    return selu(input, True)


def celu_(input: Tensor, alpha: float = 1.0) -> Any:
    """Compute `celu` in place."""
    return celu(input, alpha, True)


gelu, softplus, logsigmoid, glu, hardshrink, softshrink, sigmoid, tanh = (
    TABLE[name].entry
    for name in ("gelu", "softplus", "logsigmoid", "glu", "hardshrink", "softshrink", "sigmoid", "tanh")
)


def prelu(input: Tensor, weight: Tensor) -> Any:
    """Return x where positive, weight * x elsewhere.

    weight: one number, or one for each channel.
    """
    shape, count = input._array.shape, weight._array.size
    if input._array.dtype != weight._array.dtype:
        raise RuntimeError(f"prelu: Type promoting not supported. Got {input.dtype.title} and {weight.dtype.title}")
    if count != 1:
        if not shape:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = shape[1] if len(shape) > 1 else 1
        if count != channels:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{count} and channel size = {channels}."
            )
    if weight._array.ndim > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight._array.ndim}"
        )
    wanted = [1] * len(shape)
    if len(shape) > 1:
        wanted[1] = count
    elif shape:
        wanted[0] = count
    shaped = weight if list(weight._array.shape) == wanted else weight.reshape(wanted)
    return TABLE["prelu_kernel"].entry(input, shaped)


def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Any:
    """Return x where positive, a random slope times x elsewhere.

    Outside training the slope is the mean of the bounds.
    """
    return sloped_at_random(input, lower, upper, training, inplace)


def sloped_at_random(
    input: Tensor, lower: float, upper: float, training: bool, inplace: bool, generator: Any = None
) -> Any:
    """Compute `rrelu` with slopes from a generator."""
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    values = input._array
    slopes = np.ones(values.shape, values.dtype)
    sloped = values <= 0
    drawn = (
        noise.uniform((int(sloped.sum()),), lower, upper, generator, np.float64) if training else (lower + upper) / 2
    )
    slopes[sloped] = drawn
    factors = wrap(slopes, None)
    if inplace:
        return inplace_entry(TABLE["rrelu_with_noise"])(input, factors)
    return TABLE["rrelu_with_noise"].entry(input, factors)


def rrelu_(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False) -> Any:
    """Compute `rrelu` in place."""
    return rrelu(input, lower, upper, training, True)


def gumbel_softmax(logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    """Return the softmax of (logits + Gumbel noise) / tau.

    A random, differentiable choice.  hard: one-hot values.
    """
    if eps != 1e-10:
        advise("gumbel_softmax")
    if not logits.is_floating_point():
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {logits.dtype.title}"
        )
    gumbels = wrap(noise.gumbel(tuple(logits.shape), logits.dtype.numpy), None)
    soft = TABLE["softmax"].entry((logits + gumbels) / tau, dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    chosen = (soft.detach() * 0).scatter(dim, index, 1.0)
    return chosen - soft.detach() + soft
