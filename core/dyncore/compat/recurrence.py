"""Recurrent networks as functions of `torch`: `lstm`, `gru`, `rnn_tanh`, `rnn_relu` and one step of each."""

from __future__ import annotations

from typing import Any

from dyncore.nn import functional as F
from dyncore.nn.recurrent import RNNBase
from dyncore.nn.recurrent_cells import gru_step, lstm_step


class _Layers:
    """Attributes that the layers of `nn.RNNBase` read, with weights of the caller."""

    _layers, _direction, _step = RNNBase._layers, RNNBase._direction, RNNBase._step
    proj_size = 0

    def __init__(
        self, mode: str, params: Any, has_biases: bool, num_layers: int, dropout: float, train: bool, both: bool
    ) -> None:
        self.mode, self.num_layers, self.dropout, self.training, self.bidirectional = (
            mode, num_layers, dropout, train, both
        )  # fmt: skip
        parts = ["weight_ih", "weight_hh"] + (["bias_ih", "bias_hh"] if has_biases else [])
        directions = num_layers * (2 if both else 1)
        if len(params) == directions * (len(parts) + 1):
            parts.append("weight_hr")
            self.proj_size = int(params[len(parts) - 1]._array.shape[0])
        self._all_weights: list[list[str]] = []
        given = iter(params)
        for number in range(directions):
            self._all_weights.append([f"{part}_l{number}" for part in parts])
            for name in self._all_weights[-1]:
                setattr(self, name, next(given))


def _network(mode: str, input: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the outputs and last states.

    args: (hx, params, has_biases, ...), or (batch_sizes, hx, params, ...) for packed data.
    """
    names = ["hx", "params", "has_biases", "num_layers", "dropout", "train", "bidirectional"]
    packed = "batch_sizes" in kwargs or (len(args) > 2 and isinstance(args[2], (list, tuple)))
    names = ["batch_sizes", *names] if packed else [*names, "batch_first"]
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    missing = [name for name in names if name not in given]
    if missing:
        raise TypeError(f"{mode.lower()}() missing {len(missing)} required positional arguments: {', '.join(missing)}")
    layers = _Layers(mode, *(given[name] for name in names if name not in ("batch_sizes", "hx", "batch_first")))
    states = tuple(given["hx"]) if mode == "LSTM" else (given["hx"],)
    sizes = given["batch_sizes"].tolist() if packed else None
    flipped = not packed and given["batch_first"]
    output, last = layers._layers(input.transpose(0, 1) if flipped else input, states, sizes)  # type: ignore[misc]
    output = output.transpose(0, 1) if flipped else output
    return (output, *last) if mode == "LSTM" else (output, last)


def lstm(input: Any, *args: Any, **kwargs: Any) -> Any:
    """Run layers of long short-term memory: the outputs, the last hidden states, the last cell states.

    lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first), or with `batch_sizes`
    before `hx`, and no `batch_first`, for the data of a packed sequence.
    """
    return _network("LSTM", input, args, kwargs)


def gru(input: Any, *args: Any, **kwargs: Any) -> Any:
    """Run layers of gated recurrent units: the outputs and the last hidden states; arguments as in `lstm`."""
    return _network("GRU", input, args, kwargs)


def rnn_tanh(input: Any, *args: Any, **kwargs: Any) -> Any:
    """Run layers of plain recurrence with tanh: the outputs and the last hidden states; arguments as in `lstm`."""
    return _network("RNN_TANH", input, args, kwargs)


def rnn_relu(input: Any, *args: Any, **kwargs: Any) -> Any:
    """Run layers of plain recurrence with relu: the outputs and the last hidden states; arguments as in `lstm`."""
    return _network("RNN_RELU", input, args, kwargs)


def lstm_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> tuple[Any, Any]:
    """Return the next hidden and cell state from `hx`, those before."""
    hidden, cell = hx
    return lstm_step(F.linear(input, w_ih, b_ih) + F.linear(hidden, w_hh, b_hh), cell)


def gru_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    """Return the next hidden state of a gated recurrent unit."""
    return gru_step(F.linear(input, w_ih, b_ih), F.linear(hx, w_hh, b_hh), hx)


def rnn_tanh_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    """Return tanh(W_ih x + b_ih + W_hh h + b_hh)."""
    return F.tanh(F.linear(input, w_ih, b_ih) + F.linear(hx, w_hh, b_hh))


def rnn_relu_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    """Return relu(W_ih x + b_ih + W_hh h + b_hh)."""
    return F.relu(F.linear(input, w_ih, b_ih) + F.linear(hx, w_hh, b_hh))
