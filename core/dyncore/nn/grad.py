"""`torch.nn.grad`: gradients of convolutions as functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.autograd import grad
from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import missing_in
from dyncore.graph.modes import enable_grad
from dyncore.tensors.tensor import wrap

__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]


def _of(name: str, inputs: Any, position: int, grad_output: Any, options: tuple[Any, ...]) -> Any:
    """Return the gradient of the convolution `name` by one of its two inputs."""
    with enable_grad():
        inputs[position] = inputs[position].detach().requires_grad_()
        result = TABLE[name].entry(*inputs, None, *options)
        return grad(result, inputs[position], grad_output, create_graph=grad_output.requires_grad)[0]


def _blank(size: Any, like: Any) -> Any:
    return wrap(np.zeros(tuple(size), like._array.dtype), None)


def _pair(rank: int) -> tuple[Any, Any]:
    name = f"conv{rank}d"

    def by_input(
        input_size: Any, weight: Any, grad_output: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1,
    ) -> Any:  # fmt: skip
        options = (stride, padding, dilation, groups)
        return _of(name, [_blank(input_size, weight), weight.detach()], 0, grad_output, options)

    def by_weight(
        input: Any, weight_size: Any, grad_output: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1,
    ) -> Any:  # fmt: skip
        options = (stride, padding, dilation, groups)
        return _of(name, [input.detach(), _blank(weight_size, input)], 1, grad_output, options)

    for function, kind in ((by_input, "input"), (by_weight, "weight")):
        function.__name__ = function.__qualname__ = f"{name}_{kind}"
        function.__doc__ = f"Return the gradient of `{name}` by its {kind}."
    return by_input, by_weight


conv1d_input, conv1d_weight = _pair(1)
conv2d_input, conv2d_weight = _pair(2)
conv3d_input, conv3d_weight = _pair(3)

__getattr__ = missing_in(__name__)
