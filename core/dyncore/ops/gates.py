"""The gates of LSTM and GRU cells as one op for each state, 4x fewer ops than written out (tests/bench, cells)."""

import numpy as np

from dyncore.ops.pointwise import sigmoid
from dyncore.registry import op


def _part(gates, number, size):
    return gates[..., number * size : (number + 1) * size]


def _cell_gates(g, gates, cell):
    size = cell.shape[-1]
    both, new = sigmoid(gates[..., : 2 * size]), np.tanh(_part(gates, 2, size))
    slopes = both * (1 - both)
    third = g * both[..., :size] * (1 - new * new)
    first, second = g * new * slopes[..., :size], g * cell * slopes[..., size:]
    return np.concatenate([first, second, third, third * 0], axis=-1)


@op(
    gates=_cell_gates,
    cell=lambda g, gates, cell: g * sigmoid(_part(gates, 1, cell.shape[-1])),
    private=True,
    node="AddBackward0",
)
def lstm_cell_state(gates, cell):
    """The new cell state: sigmoid(forget) c + sigmoid(input) tanh(cell).

    gates: input, forget, cell, output side by side (..., 4 n).  cell: (..., n).
    """
    size = cell.shape[-1]
    both = sigmoid(gates[..., : 2 * size])
    return both[..., size:] * cell + both[..., :size] * np.tanh(_part(gates, 2, size))


def _hidden_gates(g, gates, cell):
    out = sigmoid(_part(gates, 3, cell.shape[-1]))
    last = g * np.tanh(cell) * out * (1 - out)
    zero = last * 0
    return np.concatenate([zero, zero, zero, last], axis=-1)


def _hidden_cell(g, gates, cell):
    inner = np.tanh(cell)
    return g * sigmoid(_part(gates, 3, cell.shape[-1])) * (1 - inner * inner)


@op(gates=_hidden_gates, cell=_hidden_cell, private=True, node="MulBackward0")
def lstm_hidden_state(gates, cell):
    """The new hidden state: sigmoid(output) tanh(c)."""
    return sigmoid(_part(gates, 3, cell.shape[-1])) * np.tanh(cell)


def _gru_parts(g, from_input, from_hidden, hidden):
    """The gradients of the three gates, and the reset gate."""
    size = hidden.shape[-1]
    both = sigmoid(from_input[..., : 2 * size] + from_hidden[..., : 2 * size])
    slopes = both * (1 - both)
    reset, inner = both[..., :size], _part(from_hidden, 2, size)
    new = np.tanh(_part(from_input, 2, size) + reset * inner)
    third = g * (1 - both[..., size:]) * (1 - new * new)
    return third * inner * slopes[..., :size], g * (hidden - new) * slopes[..., size:], third, reset


def _gru_input(g, from_input, from_hidden, hidden):
    first, second, third, _ = _gru_parts(g, from_input, from_hidden, hidden)
    return np.concatenate([first, second, third], axis=-1)


def _gru_hidden(g, from_input, from_hidden, hidden):
    first, second, third, reset = _gru_parts(g, from_input, from_hidden, hidden)
    return np.concatenate([first, second, third * reset], axis=-1)


def _gru_state(g, from_input, from_hidden, hidden):
    size = hidden.shape[-1]
    return g * sigmoid(_part(from_input, 1, size) + _part(from_hidden, 1, size))


@op(from_input=_gru_input, from_hidden=_gru_hidden, hidden=_gru_state, private=True, node="AddBackward0")
def gru_hidden_state(from_input, from_hidden, hidden):
    """The new hidden state: (h - n) z + n with r and z from both products, n = tanh(input part + r hidden part).

    from_input, from_hidden: reset, update, new side by side (..., 3 n).  hidden: (..., n).
    """
    size = hidden.shape[-1]
    both = sigmoid(from_input[..., : 2 * size] + from_hidden[..., : 2 * size])
    new = np.tanh(_part(from_input, 2, size) + both[..., :size] * _part(from_hidden, 2, size))
    return (hidden - new) * both[..., size:] + new
