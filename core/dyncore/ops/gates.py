"""The gates of LSTM and GRU cells as one op for each state, 4x fewer ops than written out (tests/bench, cells)."""

import numpy as np

from dyncore.ops.pointwise import sigmoid
from dyncore.registry import op


def _part(gates, number, size):
    return gates[..., number * size : (number + 1) * size]


def _cell_rule(g, gates, cell, wanted):
    size = cell.shape[-1]
    enter, forget = sigmoid(_part(gates, 0, size)), sigmoid(_part(gates, 1, size))
    new = np.tanh(_part(gates, 2, size))
    found = {"cell": g * forget}
    if "gates" in wanted:
        first = g * new * enter * (1 - enter)
        second = g * cell * forget * (1 - forget)
        third = g * enter * (1 - new * new)
        found["gates"] = np.concatenate([first, second, third, third * 0], axis=-1)
    return found


@op(joint=_cell_rule, private=True, node="AddBackward0")
def lstm_cell_state(gates, cell):
    """The new cell state: sigmoid(forget) c + sigmoid(input) tanh(cell).

    gates: input, forget, cell, output side by side (..., 4 n).  cell: (..., n).
    """
    size = cell.shape[-1]
    both = sigmoid(gates[..., : 2 * size])
    return both[..., size:] * cell + both[..., :size] * np.tanh(_part(gates, 2, size))


def _hidden_rule(g, gates, cell, wanted):
    size = cell.shape[-1]
    out, inner = sigmoid(_part(gates, 3, size)), np.tanh(cell)
    found = {"cell": g * out * (1 - inner * inner)}
    if "gates" in wanted:
        last = g * inner * out * (1 - out)
        zero = last * 0
        found["gates"] = np.concatenate([zero, zero, zero, last], axis=-1)
    return found


@op(joint=_hidden_rule, private=True, node="MulBackward0")
def lstm_hidden_state(gates, cell):
    """The new hidden state: sigmoid(output) tanh(c)."""
    return sigmoid(_part(gates, 3, cell.shape[-1])) * np.tanh(cell)


def _gru_rule(g, from_input, from_hidden, hidden, wanted):
    size = hidden.shape[-1]
    reset = sigmoid(_part(from_input, 0, size) + _part(from_hidden, 0, size))
    update = sigmoid(_part(from_input, 1, size) + _part(from_hidden, 1, size))
    inner = _part(from_hidden, 2, size)
    new = np.tanh(_part(from_input, 2, size) + reset * inner)
    third = g * (1 - update) * (1 - new * new)
    first = third * inner * reset * (1 - reset)
    second = g * (hidden - new) * update * (1 - update)
    return {
        "hidden": g * update,
        "from_input": np.concatenate([first, second, third], axis=-1),
        "from_hidden": np.concatenate([first, second, third * reset], axis=-1),
    }


@op(joint=_gru_rule, private=True, node="AddBackward0")
def gru_hidden_state(from_input, from_hidden, hidden):
    """The new hidden state: (h - n) z + n with r and z from both products, n = tanh(input part + r hidden part).

    from_input, from_hidden: reset, update, new side by side (..., 3 n).  hidden: (..., n).
    """
    size = hidden.shape[-1]
    both = sigmoid(from_input[..., : 2 * size] + from_hidden[..., : 2 * size])
    new = np.tanh(_part(from_input, 2, size) + both[..., :size] * _part(from_hidden, 2, size))
    return (hidden - new) * both[..., size:] + new
