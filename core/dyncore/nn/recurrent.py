"""Recurrent networks over sequences: RNN, LSTM, GRU.

In several layers and in one or both directions.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.graph.modes import current
from dyncore.graph.names import named
from dyncore.nn import functional as F, init
from dyncore.nn.module import Module
from dyncore.nn.recurrent_cells import gru_step, lstm_step
from dyncore.nn.tuples import blank, unusual, zeros_beside
from dyncore.nn.utils.rnn import PackedSequence
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor

_GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "GRU": 3, "LSTM": 4}


class RNNBase(Module):
    """Layers of one kind of cell.

    Weights are named weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, ... with `_reverse` for the other direction.
    input: (T, N, input_size), (N, T, input_size) with `batch_first`, (T, input_size), or a PackedSequence.
    """

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        _check_options(hidden_size, num_layers, dropout, proj_size)
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        rows = _GATES[mode] * hidden_size
        size = proj_size or hidden_size
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            width = input_size if layer == 0 else size * (2 if bidirectional else 1)
            for suffix in ("", "_reverse") if bidirectional else ("",):
                shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, width), "weight_hh": (rows, size)}
                if bias:
                    shapes.update(bias_ih=(rows,), bias_hh=(rows,))
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                names = []
                for kind, shape in shapes.items():
                    names.append(f"{kind}_l{layer}{suffix}")
                    setattr(self, names[-1], Parameter(blank(shape, device, dtype)))
                self._all_weights.append(names)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new values, uniform within +- 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing: the weights need no layout of their own."""

    @property
    def all_weights(self) -> list[list[Any]]:
        """Weights of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes with PyTorch's lists of all weights, which its own networks are restored from."""
        names = [name for layer in self._all_weights for name in layer]
        return super().__getstate__() | {
            "_flat_weights_names": names, "_flat_weights": [getattr(self, name) for name in names],
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({name: value for name, value in state.items() if not name.startswith("_flat_weights")})

    def extra_repr(self) -> str:
        usual: dict[str, Any] = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0}
        usual["bidirectional"] = False
        return f"{self.input_size}, {self.hidden_size}{unusual(self, **usual)}"

    def _check_dtype(self, input: Any) -> None:
        """Raise ValueError for an input of another dtype than the weights."""
        weight = self.weight_ih_l0
        if input._array.dtype != weight._array.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). Convert input: "
                f"input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )

    def forward(self, input: Any, hx: Any = None) -> Any:
        if isinstance(input, PackedSequence):
            return self._packed(input, hx)
        ndim = input._array.ndim
        if ndim not in (2, 3):
            raise ValueError(f"{self._get_name()}: Expected input to be 2D or 3D, got {ndim}D instead")
        self._check_dtype(input)
        batched = ndim == 3
        _check_ranks(hx, ndim)
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
            hx = _each(hx, lambda each: each.unsqueeze(1))
        if self.batch_first:
            input = input.transpose(0, 1)
        if not input._array.shape[0]:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        states = self._states(input._array.shape[1], hx, input)
        output, last = self._layers(input, states, None)
        if self.batch_first:
            output = named(output.transpose(0, 1), f"TransposeBackward{int(self.mode != 'LSTM')}")
        if not batched:
            output = output.squeeze(0 if self.batch_first else 1)
            last = _each(last, lambda each: each.squeeze(1))
        return output, last

    def _packed(self, input: PackedSequence, hx: Any) -> Any:
        sizes = input.batch_sizes._array.tolist()
        tape = current().tape
        if tape is not None:
            tape.escape(input.batch_sizes, "tolist", sizes)
        if hx is not None and input.sorted_indices is not None:
            hx = _each(hx, lambda each: each.index_select(1, input.sorted_indices))
        states = self._states(sizes[0], hx, input.data)
        output, last = self._layers(input.data, states, sizes)
        if input.unsorted_indices is not None:
            last = _each(last, lambda each: each.index_select(1, input.unsorted_indices))
        packed = PackedSequence(output, input.batch_sizes, input.sorted_indices, input.unsorted_indices)
        return packed, last

    def _states(self, count: int, hx: Any, input: Tensor) -> tuple[Any, ...]:
        """Return the initial states (layers * directions, N, size), one for each kind.

        Missing ones are zeros.  Raises RuntimeError for sizes that do not fit.
        """
        if input._array.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input._array.shape[-1]}"
            )
        lead = self.num_layers * (2 if self.bidirectional else 1)
        sizes = [self.proj_size or self.hidden_size] + ([self.hidden_size] if self.mode == "LSTM" else [])
        if hx is None:
            return tuple(zeros_beside(input, (lead, count, size)) for size in sizes)
        states = tuple(hx) if self.mode == "LSTM" else (hx,)
        for number, (state, size) in enumerate(zip(states, sizes)):
            if state._array.shape != (lead, count, size):
                name = f"hidden[{number}]" if self.mode == "LSTM" else "hidden"
                raise RuntimeError(f"Expected {name} size {(lead, count, size)}, got {list(state._array.shape)}")
        return states

    def _layers(self, input: Any, states: tuple[Any, ...], sizes: list[int] | None) -> tuple[Any, Any]:
        last: list[Any] = []
        for layer in range(self.num_layers):
            outputs = []
            for direction in range(2 if self.bidirectional else 1):
                number = layer * (2 if self.bidirectional else 1) + direction
                start = tuple(state[number] for state in states)
                output, end = self._direction(input, start, self._all_weights[number], sizes, bool(direction))
                outputs.append(output)
                last.append(end)
            input = outputs[0] if len(outputs) == 1 else TABLE["cat"].entry(outputs, -1)
            if self.dropout and self.training and layer < self.num_layers - 1:
                input = F.dropout(input, self.dropout)
        stack = TABLE["stack"].entry
        ends = tuple(stack([each[kind] for each in last]) for kind in range(len(states)))
        return input, ends if self.mode == "LSTM" else ends[0]

    def _direction(
        self, input: Any, state: tuple[Any, ...], names: list[str], sizes: list[int] | None, reverse: bool
    ) -> tuple[Any, tuple[Any, ...]]:
        """Run one layer in one direction; return all outputs and the last state."""
        weights = {name.split("_l")[0]: getattr(self, name) for name in names}
        from_input = F.linear(input, weights["weight_ih"], weights.get("bias_ih"))
        if self.mode == "LSTM" and sizes is None and not self.proj_size and from_input._array.shape[0]:
            return _lstm(from_input, state, weights, reverse)
        steps = from_input.unbind(0) if sizes is None else from_input.split(sizes)
        outputs: list[Any] = []
        finished: list[tuple[Any, ...]] = []
        start, count = state, state[0]._array.shape[0]
        if sizes is not None and reverse:
            count = sizes[-1]
            state = tuple(each[:count] for each in start)
        for step in reversed(steps) if reverse else steps:
            running = step._array.shape[0]
            if running < count:
                finished.append(tuple(each[running:] for each in state))
                state = tuple(each[:running] for each in state)
            elif running > count:
                state = tuple(TABLE["cat"].entry([each, first[count:running]]) for each, first in zip(state, start))
            count = running
            state = self._step(step, state, weights)
            outputs.append(state[0])
        if reverse:
            outputs.reverse()
        if finished:
            state = tuple(
                TABLE["cat"].entry([each, *(part[i] for part in finished[::-1])]) for i, each in enumerate(state)
            )
        return TABLE["stack"].entry(outputs) if sizes is None else TABLE["cat"].entry(outputs), state

    def _step(self, step: Any, state: tuple[Any, ...], weights: dict[str, Any]) -> tuple[Any, ...]:
        from_hidden = F.linear(state[0], weights["weight_hh"], weights.get("bias_hh"))
        if self.mode == "LSTM":
            h, c = lstm_step(step + from_hidden, state[1])
            return (F.linear(h, weights["weight_hr"]) if self.proj_size else h), c
        if self.mode == "GRU":
            return (gru_step(step, from_hidden, state[0]),)
        total = step + from_hidden
        return (F.tanh(total) if self.mode == "RNN_TANH" else F.relu(total),)


def _lstm(from_input: Any, state: tuple[Any, ...], weights: dict[str, Any], reverse: bool) -> tuple[Any, Any]:
    """Run a layer in one direction as one op."""
    if "bias_hh" in weights:
        from_input = from_input + weights["bias_hh"]
    if reverse:
        from_input = from_input.flip(0)
    output, hidden, cell = TABLE["lstm_sequence"].entry(from_input, *state, weights["weight_hh"])
    return (output.flip(0) if reverse else output), (hidden, cell)


def _check_ranks(hx: Any, rank: int) -> None:
    """Raise RuntimeError unless each initial state has the number of dimensions of the input."""
    given = hx if isinstance(hx, (tuple, list)) else () if hx is None else (hx,)
    ranks = [f"{each._array.ndim}-D" for each in given]
    if any(each != f"{rank}-D" for each in ranks):
        names, got = ("hx and cx", f"({', '.join(ranks)}) tensors") if len(ranks) > 1 else ("hx", f"{ranks[0]} tensor")
        raise RuntimeError(
            f"For {'un' * (rank == 2)}batched {rank}-D input, {names} should also be {rank}-D but got {got}"
        )


def _each(states: Any, change: Any) -> Any:
    if states is None:
        return None
    return tuple(change(each) for each in states) if isinstance(states, (tuple, list)) else change(states)


def _check_options(hidden_size: int, num_layers: int, dropout: float, proj_size: int) -> None:
    if isinstance(dropout, bool) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
        )
    if dropout > 0 and num_layers == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
            f"greater than 1, but got dropout={dropout} and num_layers={num_layers}",
            stacklevel=4,
        )
    if not isinstance(hidden_size, int):
        raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
    if hidden_size <= 0:
        raise ValueError("hidden_size must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")


class RNN(RNNBase):
    """h_t = tanh(W_ih x_t + b_ih + W_hh h_(t-1) + b_hh), or relu.

    Returns (outputs, last hidden state).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        *args: Any,
        **kwargs: Any,
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__(f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, *args, **kwargs)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """Long short-term memory.  Returns (outputs, (last hidden state, last cell state))."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    """Gated recurrent units.  Returns (outputs, last hidden state)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)
