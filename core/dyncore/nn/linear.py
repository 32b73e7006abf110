"""Layers of one matrix: Linear, Bilinear, Identity."""

from __future__ import annotations

import math
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.graph import events
from dyncore.nn import functional as F, init
from dyncore.nn.calling import Calling
from dyncore.nn.module import Module
from dyncore.nn.tuples import blank
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor

_linear = TABLE["linear"].entry


class Identity(Module):
    """Returns its input; takes any arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Linear(Module):
    """x @ weight.T + bias.

    weight: (out, in), bias: (out,), both uniform within +- 1 / sqrt(in).
    """

    weight: Any
    bias: Any

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(blank((out_features, in_features), device, dtype))
        self.register_parameter("bias", Parameter(blank((out_features,), device, dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new values."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the layer without a call of `forward`, if no hook or mode needs one."""
        own = self.__dict__
        if (
            type(self) is Linear
            and Linear.forward is _forward
            and len(args) == 1
            and not kwargs
            and "_hooked" not in own
            and "forward" not in own
            and not Calling._hooked
        ):
            try:
                weight, bias = own["weight"], own["bias"]
            except KeyError:
                return super().__call__(*args, **kwargs)  # `forward` raises
            listener = events.listener
            if listener is None:
                return _linear(args[0], weight, bias)
            listener.enter_module(self)
            try:
                return _linear(args[0], weight, bias)
            finally:
                listener.exit_module(self)
        return super().__call__(*args, **kwargs)

    def forward(self, input: Tensor) -> Any:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


_forward = Linear.forward


class Bilinear(Module):
    """y_k = x1 A_k x2 + b_k.

    weight: (out, in1, in2), bias: (out,).
    """

    weight: Any
    bias: Any

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got ({in1_features=})")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = Parameter(blank((out_features, in1_features, in2_features), device, dtype))
        self.register_parameter("bias", Parameter(blank((out_features,), device, dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new values."""
        bound = 1 / math.sqrt(self.weight._array.shape[1])
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Any:
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )
