"""Single steps of recurrent networks: RNNCell, LSTMCell, GRUCell."""

from __future__ import annotations

import math
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.dispatch.specialize import linear
from dyncore.nn import functional as F, init
from dyncore.nn.module import Module
from dyncore.nn.tuples import blank, unusual, zeros_beside
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor

_both = linear.sum_of(TABLE["linear"], TABLE["add"])


class RNNCellBase(Module):
    """Weights from input and from hidden state to `num_chunks` gates.

    All are uniform within +- 1 / sqrt(hidden_size).
    """

    weight_ih: Any
    weight_hh: Any
    bias_ih: Any
    bias_hh: Any

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(blank((rows, input_size), device, dtype))
        self.weight_hh = Parameter(blank((rows, hidden_size), device, dtype))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(blank((rows,), device, dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new values."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        usual = {"bias": True, "nonlinearity": "tanh"} if "nonlinearity" in vars(self) else {"bias": True}
        return f"{self.input_size}, {self.hidden_size}{unusual(self, **usual)}"

    def forward(self, input: Tensor, hx: Any = None) -> Any:
        return self.step(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)

    def step(self, input: Any, hx: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
        """Compute the cell with these weights."""
        raise NotImplementedError

    def _start(self, input: Tensor, hidden: Any) -> Any:
        """Return the hidden state; zeros in the input's batch if it is None."""
        if hidden is not None:
            return hidden
        shape = (*input._array.shape[:-1], self.hidden_size)
        return zeros_beside(input, shape)

    def _batched(self, input: Any, *states: Any) -> tuple[bool, Any]:
        """Return whether the input has a batch, and the input and states with one.

        Raises ValueError or RuntimeError if their shapes do not fit.
        """
        shape = input._array.shape
        if len(shape) == 2 and shape[1] == self.input_size:
            expected = shape[0], self.hidden_size
            for state in states:
                if state is None or state._array.shape != expected:
                    break
            else:
                return True, (input, *states)  # the usual case, without the checks below (tests/bench, nn.RNNCell)
        self._check(input, *states)
        if len(shape) == 2:
            return True, [input, *(self._start(input, state) for state in states)]
        input = input.unsqueeze(0)
        return False, [input, *(self._start(input, None if state is None else state.unsqueeze(0)) for state in states)]

    def _check(self, input: Tensor, *states: Tensor | None) -> None:
        name = type(self).__name__
        if input._array.ndim not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input._array.ndim}D instead")
        for number, state in enumerate(states):
            if state is not None and state._array.ndim not in (1, 2):
                title = "hidden" if len(states) == 1 else f"hx[{number}]"
                raise ValueError(f"{name}: Expected {title} to be 1D or 2D, got {state._array.ndim}D instead")
        if input._array.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {input._array.shape[-1]} expected {self.input_size}"
            )
        for number, state in enumerate(states):
            if state is None:
                continue
            shape, batched = state._array.shape, input._array.ndim == 2
            if batched and shape[0] != input._array.shape[0]:
                raise RuntimeError(
                    f"Input batch size {input._array.shape[0]} doesn't match hidden{number} batch size {shape[0]}"
                )
            if (size := shape[batched]) != self.hidden_size:
                raise RuntimeError(
                    f"hidden{number} has inconsistent hidden_size: got {size}, expected {self.hidden_size}"
                )


class RNNCell(RNNCellBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu.

    input: (batch, input_size) or (input_size,).  Returns the new hidden state; it starts as zeros.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def step(self, input: Any, hx: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
        batched, (x, h) = self._batched(input, hx)
        total = _both(x, weight_ih, bias_ih, h, weight_hh, bias_hh)
        kind = self.nonlinearity
        if kind == "tanh":
            h = F.tanh(total)
        elif kind == "relu":
            h = F.relu(total)
        else:
            raise RuntimeError(f"Unknown nonlinearity: {kind}")
        return h if batched else h.squeeze(0)


class LSTMCell(RNNCellBase):
    """One step of a long short-term memory.

    input: (batch, input_size) or (input_size,).  Returns (h', c'); both start as zeros.
    Gates in the weights' rows: input, forget, cell, output.
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def step(self, input: Any, hx: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
        h, c = hx if hx is not None else (None, None)
        batched, (x, h, c) = self._batched(input, h, c)
        gates = _both(x, weight_ih, bias_ih, h, weight_hh, bias_hh)
        h, c = lstm_step(gates, c)
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))


def lstm_step(gates: Any, c: Any) -> tuple[Any, Any]:
    """Return the new (h, c) from the four gates side by side and the old c."""
    c = TABLE["lstm_cell_state"].entry(gates, c)
    return TABLE["lstm_hidden_state"].entry(gates, c), c


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit.

    input: (batch, input_size) or (input_size,).  Returns the new hidden state; it starts as zeros.
    Gates in the weights' rows: reset, update, new.
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def step(self, input: Any, hx: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
        batched, (x, h) = self._batched(input, hx)
        from_input = F.linear(x, weight_ih, bias_ih)
        from_hidden = F.linear(h, weight_hh, bias_hh)
        h = gru_step(from_input, from_hidden, h)
        return h if batched else h.squeeze(0)


def gru_step(from_input: Any, from_hidden: Any, h: Any) -> Any:
    """Return the new h from both products, three gates side by side, and the old h."""
    return TABLE["gru_hidden_state"].entry(from_input, from_hidden, h)
