"""Activations as modules."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import warn
from dyncore.nn import functional as F, init
from dyncore.nn.module import Module
from dyncore.nn.tuples import blank
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor


class InPlace(Module):
    """Activation without parameters but PyTorch's `inplace` switch."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class Along(Module):
    """Function along one dimension."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class ReLU(InPlace):
    """max(x, 0), element by element."""

    def forward(self, input: Tensor) -> Any:
        return F.relu(input, True) if self.inplace else TABLE["relu"].entry(input)


class ReLU6(InPlace):
    """x limited to [0, 6]."""

    def forward(self, input: Tensor) -> Any:
        return F.relu6(input, self.inplace)


class SELU(InPlace):
    """elu with the alpha and scale that keep mean 0 and variance 1."""

    def forward(self, input: Tensor) -> Any:
        return F.selu(input, self.inplace)


class SiLU(InPlace):
    """x sigmoid(x)."""

    def forward(self, input: Tensor) -> Any:
        return F.silu(input, self.inplace)


class Mish(InPlace):
    """x tanh(softplus(x))."""

    def forward(self, input: Tensor) -> Any:
        return F.mish(input, self.inplace)


class Hardsigmoid(InPlace):
    """(x + 3) / 6 limited to [0, 1]."""

    def forward(self, input: Tensor) -> Any:
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Hardswish(InPlace):
    """x hardsigmoid(x)."""

    def forward(self, input: Tensor) -> Any:
        return F.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Sigmoid(Module):
    """1 / (1 + e^-x)."""

    def forward(self, input: Tensor) -> Any:
        return F.sigmoid(input)


class Tanh(Module):
    """Hyperbolic tangent."""

    def forward(self, input: Tensor) -> Any:
        return F.tanh(input)


class LogSigmoid(Module):
    """log sigmoid(x), without overflow."""

    def forward(self, input: Tensor) -> Any:
        return F.logsigmoid(input)


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input: Tensor) -> Any:
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input: Tensor) -> Any:
        return F.tanhshrink(input)


class Softmax(Along):
    """e^x divided by its sum along `dim`."""

    def forward(self, input: Tensor) -> Any:
        return F.softmax(input, self.dim, 5)


class LogSoftmax(Along):
    """Logarithm of softmax along `dim`."""

    def forward(self, input: Tensor) -> Any:
        return F.log_softmax(input, self.dim, 5)


class Softmin(Along):
    """softmax of -x along `dim`."""

    def forward(self, input: Tensor) -> Any:
        return F.softmin(input, self.dim, 5)


class Softmax2d(Module):
    """softmax over the channels of (N, C, H, W) or (C, H, W)."""

    def forward(self, input: Tensor) -> Any:
        if input._array.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input._array.ndim}D instead")
        return F.softmax(input, -3)


class GELU(Module):
    """x times the probability that a normal number is below x."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Any:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class GLU(Along):
    """The first half of the input along `dim` times the sigmoid of the second half."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__(dim)

    def forward(self, input: Tensor) -> Any:
        return F.glu(input, self.dim)


class LeakyReLU(InPlace):
    """x where positive, negative_slope * x elsewhere."""

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input: Tensor) -> Any:
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return f"negative_slope={self.negative_slope}" + (", inplace=True" if self.inplace else "")


class ELU(InPlace):
    """x where positive, alpha (e^x - 1) elsewhere."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input: Tensor) -> Any:
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class CELU(ELU):
    """x where positive, alpha (e^(x / alpha) - 1) elsewhere."""

    def forward(self, input: Tensor) -> Any:
        return F.celu(input, self.alpha, self.inplace)


class Threshold(InPlace):
    """x where above the threshold, `value` elsewhere."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.threshold = threshold
        self.value = value

    def forward(self, input: Tensor) -> Any:
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        return f"threshold={self.threshold}, value={self.value}" + (", inplace=True" if self.inplace else "")


class Hardtanh(InPlace):
    """x limited to [min_val, max_val]."""

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__(inplace)
        for old, new, value in (("min_value", "min_val", min_value), ("max_value", "max_val", max_value)):
            if value is not None:
                warn(f"keyword argument `{old}` is deprecated and renamed to `{new}`", FutureWarning)
        min_val = min_val if min_value is None else min_value
        max_val = max_val if max_value is None else max_value
        if max_val <= min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")
        self.min_val = min_val
        self.max_val = max_val

    def forward(self, input: Tensor) -> Any:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}" + (", inplace=True" if self.inplace else "")


class RReLU(InPlace):
    """x where positive, a random slope times x elsewhere.

    The slope is drawn from [lower, upper]; outside training it is their mean.
    """

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.lower = lower
        self.upper = upper

    def forward(self, input: Tensor) -> Any:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"lower={self.lower}, upper={self.upper}" + (", inplace=True" if self.inplace else "")


class Softplus(Module):
    """log(1 + e^(beta x)) / beta; x itself where beta x is above the threshold."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Any:
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class Hardshrink(Module):
    """x where |x| is above lambd, 0 elsewhere."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Any:
        return F.hardshrink(input, self.lambd)

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class Softshrink(Hardshrink):
    """x moved towards 0 by lambd, and 0 where that passes it."""

    def forward(self, input: Tensor) -> Any:
        return F.softshrink(input, self.lambd)


class PReLU(Module):
    """x where positive, weight * x elsewhere.

    weight: (num_parameters,), one learned weight, or one for each channel.
    """

    weight: Any

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(blank((num_parameters,), device, dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the weight to `init`."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Any:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"
