"""The names that the small suite uses, so that its rows run on the engine without features as they stand."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from tests.bench.floor import ops
from tests.bench.floor.engine import Leaf, Tensor, made
from tests.bench.floor.ops import cat, logsumexp, relu, sigmoid, softmax, split, sum, tanh

__all__ = ["cat", "logsumexp", "relu", "sigmoid", "softmax", "split", "sum", "tanh"]
float32, float64 = np.dtype("f4"), np.dtype("f8")
no_grad = nullcontext


def set_num_threads(count: int) -> None:
    """NumPy has been told by the environment."""


def from_numpy(array: Any) -> Tensor:
    return made(array, None)


def full(shape: Any, value: float, dtype: Any = float32, requires_grad: bool = False) -> Tensor:
    return made(np.full(shape, value, dtype), Leaf() if requires_grad else None)


def zeros(*shape: int, dtype: Any = float32) -> Tensor:
    return full(shape, 0, dtype)


def ones(*shape: int, requires_grad: bool = False) -> Tensor:
    return full(shape, 1, float32, requires_grad)


def to(self: Any, dtype: Any) -> Tensor:
    return made(self._array.astype(dtype), None)


def requires_grad_(self: Any) -> Any:
    self._edge = Leaf()
    return self


def copy_(self: Any, other: Any) -> None:
    self._array = other._array


METHODS = {
    "to": to, "requires_grad_": requires_grad_, "copy_": copy_,
    "reshape": lambda self, shape: made(self._array.reshape(shape)[()], None),
    "size": lambda self, dim: self._array.shape[dim],
    "shape": property(lambda self: self._array.shape),
    "item": lambda self: self._array.item(),
    "__iter__": lambda self: iter([made(each, None) for each in self._array]),
    "__gt__": lambda self, other: made(self._array > other, None),
    "__bool__": lambda self: self._array.item(),
    "__mul__": ops.multiply, "__add__": ops.add, "__radd__": ops.add, "__sub__": ops.subtract,
    "__matmul__": ops.matmul, "tanh": tanh, "sum": sum, "max": ops.largest, "chunk": ops.chunk,
}  # fmt: skip
for _name, _method in METHODS.items():
    setattr(Tensor, _name, _method)


def parameter(*shape: int) -> Tensor:
    return made(np.zeros(shape), Leaf())


class Module:
    """Layers have their parameters in `own`."""

    own: list[Any]

    def parameters(self) -> list[Any]:
        return self.own

    def to(self, dtype: Any) -> Any:
        return self


class nn:
    """The layers of the suite."""

    class ModuleList(Module, list):
        def parameters(self) -> list[Any]:
            return [each for module in self for each in module.parameters()]

    class Linear(Module):
        def __init__(self, inputs: int, outputs: int) -> None:
            self.own = [parameter(outputs, inputs), parameter(outputs)]

        def __call__(self, x: Any) -> Any:
            weight, bias = self.own
            return ops.linear(x, weight, bias)

    class RNNCell(Module):
        gates = 1

        def __init__(self, inputs: int, size: int) -> None:
            rows = self.gates * size
            self.size = size
            self.own = [parameter(rows, inputs), parameter(rows, size), parameter(rows), parameter(rows)]

        def start(self, x: Any) -> Any:
            return made(np.zeros((len(x._array), self.size), x._array.dtype), None)

        def __call__(self, x: Any, h: Any) -> Any:
            from_input, from_hidden, first, second = self.own
            if h is None:
                h = self.start(x)
            return tanh(ops.linear(x, from_input, first) + ops.linear(h, from_hidden, second))

    class LSTMCell(RNNCell):
        gates = 4

        def __call__(self, x: Any, state: Any) -> Any:
            from_input, from_hidden, first, second = self.own
            h, c = (self.start(x), self.start(x)) if state is None else state
            return ops.lstm_step(ops.linear(x, from_input, first) + ops.linear(h, from_hidden, second), c)
