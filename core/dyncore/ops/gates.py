"""Gates of LSTM and GRU cells, one op for each state (tests/bench, cells)."""

import numpy as np

from dyncore.dispatch.registry import keep, op
from dyncore.dtypes.dtypes import F32
from dyncore.ops.pointwise import sigmoid

_ONES = {np.dtype(kind): np.ones((), kind) for kind in (np.float32, np.float64)}
_ONE = _ONES[F32]
_negative, _exp, _add, _divide = np.negative, np.exp, np.add, np.true_divide


def _sigmoid(gates):
    """Compute the sigmoid of arrays in place."""
    one = _ONE if gates.dtype is F32 else _ONES.get(gates.dtype, 1)
    result = _negative(gates)
    _exp(result, result)
    _add(result, one, result)
    return _divide(one, result, result)


def _part(gates, number, size):
    return gates[..., number * size : (number + 1) * size]


# The derivatives of LSTM's states take the gates from the forward, and compute them again only under `create_graph`,
# where saved values are constants (tests/bench, nn.LSTMCell).


def _cell_gates(g, gates, cell, both, new):
    size = cell.shape[-1]
    if not isinstance(g, np.ndarray):
        both, new = sigmoid(gates[..., : 2 * size]), np.tanh(_part(gates, 2, size))
    slopes = both - both * both
    third = g * both[..., :size]
    third = third - third * new * new
    first, second = g * new * slopes[..., :size], g * cell * slopes[..., size:]
    return np.concatenate([first, second, third, _zeros(third)], axis=-1)


def _zeros(like):
    """Return zeros of this shape, without the NaN that `like * 0` may have."""
    return np.zeros(like.shape, like.dtype) if isinstance(like, np.ndarray) else like.new_zeros(like.shape)


def _cell_cell(g, gates, cell, both):
    size = cell.shape[-1]
    return g * (both[..., size:] if isinstance(g, np.ndarray) else sigmoid(_part(gates, 1, size)))


@op(gates=_cell_gates, cell=_cell_cell, private=True, node="AddBackward0")
def lstm_cell_state(gates, cell):
    """New cell state: sigmoid(forget) c + sigmoid(input) tanh(cell).

    gates: input, forget, cell, output side by side (..., 4 n).  cell: (..., n).
    """
    size = cell.shape[-1]
    both, new = _sigmoid(gates[..., : 2 * size]), np.tanh(_part(gates, 2, size))
    result = both[..., size:] * cell
    return keep(_add(result, both[..., :size] * new, result), both=both, new=new)


def _hidden_gates(g, gates, cell, out, inner):
    if not isinstance(g, np.ndarray):
        out, inner = sigmoid(_part(gates, 3, cell.shape[-1])), np.tanh(cell)
    last = g * inner * (out - out * out)
    zero = _zeros(last)
    return np.concatenate([zero, zero, zero, last], axis=-1)


def _hidden_cell(g, gates, cell, out, inner):
    if not isinstance(g, np.ndarray):
        out, inner = sigmoid(_part(gates, 3, cell.shape[-1])), np.tanh(cell)
    last = g * out
    return last - last * inner * inner


@op(gates=_hidden_gates, cell=_hidden_cell, private=True, node="MulBackward0")
def lstm_hidden_state(gates, cell):
    """New hidden state: sigmoid(output) tanh(c)."""
    out, inner = _sigmoid(_part(gates, 3, cell.shape[-1])), np.tanh(cell)
    return keep(out * inner, out=out, inner=inner)


def _gru_parts(g, from_input, from_hidden, hidden, both, new):
    """Return the gradients of the three gates, and the reset gate."""
    size = hidden.shape[-1]
    inner = _part(from_hidden, 2, size)
    if not isinstance(g, np.ndarray):
        both = sigmoid(from_input[..., : 2 * size] + from_hidden[..., : 2 * size])
        new = np.tanh(_part(from_input, 2, size) + both[..., :size] * inner)
    slopes, third = both - both * both, g - g * both[..., size:]
    third = third - third * new * new
    return third * inner * slopes[..., :size], g * (hidden - new) * slopes[..., size:], third, both[..., :size]


def _gru_input(g, from_input, from_hidden, hidden, both, new):
    first, second, third, _ = _gru_parts(g, from_input, from_hidden, hidden, both, new)
    return np.concatenate([first, second, third], axis=-1)


def _gru_hidden(g, from_input, from_hidden, hidden, both, new):
    first, second, third, reset = _gru_parts(g, from_input, from_hidden, hidden, both, new)
    return np.concatenate([first, second, third * reset], axis=-1)


def _gru_state(g, from_input, from_hidden, hidden, both):
    size = hidden.shape[-1]
    if isinstance(g, np.ndarray):
        return g * both[..., size:]
    return g * sigmoid(_part(from_input, 1, size) + _part(from_hidden, 1, size))


@op(from_input=_gru_input, from_hidden=_gru_hidden, hidden=_gru_state, private=True, node="AddBackward0")
def gru_hidden_state(from_input, from_hidden, hidden):
    """New hidden state: (h - n) z + n.

    r and z come from both products, n = tanh(input part + r hidden part).
    from_input, from_hidden: reset, update, new side by side (..., 3 n).  hidden: (..., n).
    """
    size = hidden.shape[-1]
    both = _sigmoid(from_input[..., : 2 * size] + from_hidden[..., : 2 * size])
    new = np.tanh(_part(from_input, 2, size) + both[..., :size] * _part(from_hidden, 2, size))
    return keep((hidden - new) * both[..., size:] + new, both=both, new=new)
