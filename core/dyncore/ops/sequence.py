"""A sequence through an LSTM layer as one op (tests/bench, lstm)."""

import numpy as np

from dyncore.dispatch.recompute import recomputed_several
from dyncore.dispatch.registry import keep, op
from dyncore.ops.gates import lstm_cell_state, lstm_hidden_state
from dyncore.ops.joining import stack
from dyncore.ops.matrix_checks import check_mixed_dtype


def _stepwise(from_input, hidden, cell, weight):
    outputs = []
    for step in range(from_input.shape[0]):
        gates = from_input[step] + hidden @ weight.T
        cell = lstm_cell_state(gates, cell)
        hidden = lstm_hidden_state(gates, cell)
        outputs.append(hidden)
    return stack(outputs, 0), hidden, cell


def _through_time(g0, g1, g2, hidden, weight, result0, gates, curved):
    """Run backward through time on arrays.

    Terms that do not depend on later steps are computed for a block of steps at once, which leaves six calls and one
    product a step.
    """
    steps, count, size = result0.shape
    slopes = np.empty((steps, count, 4 * size), result0.dtype)
    apart = slopes.reshape(steps, count, 4, size).transpose(0, 2, 1, 3)
    block = 1 + _BLOCK // (4 * count * size or 1)
    factors = np.empty((block, 4, count, size), result0.dtype)
    carried, kept, product = g1, g2.copy(), np.empty_like(g2)
    multiply = np.multiply
    for start in range((steps - 1) // block * block, -1, -block):
        part = slice(start, min(start + block, steps))
        enter, forget, out, new, cell = gates[part].transpose(1, 0, 2, 3)
        bent, of_block = curved[part], factors[: part.stop - start]
        into = of_block.transpose(1, 0, 2, 3)
        np.multiply(enter - enter * enter, new, out=into[0])
        np.multiply(forget - forget * forget, cell, out=into[1])
        np.subtract(enter, enter * new * new, out=into[2])
        np.multiply(out - out * out, bent, out=into[3])
        through = out - out * bent * bent
        first, last, side = of_block[:, :3], of_block[:, 3], apart[part]
        rows = (g0[part], through, forget, first, last, side[:, :3], side[:, 3], slopes[part])
        for came, slope, held, three, one, into_three, into_one, flat in zip(*(row[::-1] for row in rows), strict=True):
            arrived = came + carried
            kept += multiply(arrived, slope, product)
            multiply(three, kept, into_three)
            multiply(one, arrived, into_one)
            carried = flat.dot(weight)
            kept *= held
    before = np.concatenate([hidden[None], result0[:-1]]).reshape(-1, size)
    turned = slopes.reshape(-1, 4 * size).T
    return {"from_input": slopes, "hidden": carried, "cell": kept, "weight": turned.dot(before)}


_BLOCK = 16_384  # elements of the gates, which then stay in the second-level cache


def _rule(g0, g1, g2, from_input, hidden, cell, weight, result0, gates, curved, wanted):
    if isinstance(g0, np.ndarray):
        return _through_time(g0, g1, g2, hidden, weight, result0, gates, curved)
    inputs = {"from_input": from_input, "hidden": hidden, "cell": cell, "weight": weight}
    return recomputed_several(_stepwise, (g0, g1, g2), wanted, inputs)


def _title(from_input):
    return "MkldnnRnnLayerBackward0" if from_input.dtype == np.float32 else "StackBackward0"


def _ordered(four, into):
    """Write PyTorch's gates in our order along the second axis.

    PyTorch's are enter, forget, new, out; those of sigmoids are negated.
    """
    into = into[: len(four)]
    np.negative(four[:, :2], out=into[:, :2])
    np.negative(four[:, 3], out=into[:, 2])
    into[:, 3] = four[:, 2]


@op(joint=_rule, private=True, node=_title, returns=("output", "hidden", "cell"))
def lstm_sequence(from_input, hidden, cell, weight):
    """Outputs (T, N, n), last hidden state and last cell state.

    from_input: the gates' part from the inputs, biases included (T, N, 4 n).  weight: from hidden to gates (4 n, n).
    """
    if hidden.dtype is not from_input.dtype:
        check_mixed_dtype(weight, hidden, weight)
    steps, count, wide = from_input.shape
    size, dtype = wide // 4, from_input.dtype
    # A step's rows: the gates enter, forget, out and new, and the cell before it, so that one product is enough for
    # enter * new and forget * cell. The arguments of sigmoids are negated once for all steps (tests/bench, nn.LSTM).
    gates = np.empty((steps + 1, 5, count, size), dtype)
    _ordered(from_input.reshape(steps, count, 4, size).transpose(0, 2, 1, 3), gates)
    # In C order, since a product with a transposed weight takes 2-4x as long for batches of 8 and 32.
    turned = np.empty((size, 4, size), dtype)
    _ordered(weight.T.reshape(size, 4, size), turned)
    gates[0, 4] = cell
    outputs, curved = (np.empty((steps, count, size), dtype) for _ in range(2))
    pair = np.empty((2, count, size), dtype)
    total, (product, added), one = np.empty((count, wide), dtype), pair, np.ones((), dtype)
    flat, recurrent = turned.reshape(size, wide), total.reshape(count, 4, size).transpose(1, 0, 2)
    add, exp, divide, tanh, multiply = np.add, np.exp, np.divide, np.tanh, np.multiply
    rows = (gates[:-1, :4], gates[:-1, :3], gates[:-1, 3], gates[:-1, :2], gates[:-1, 3:], gates[:-1, 2], gates[1:, 4])
    # Views taken by iterating and results given by place: 1.2x.
    for active, sigmoids, new, left, right, out, after, bent, output in zip(*rows, curved, outputs, strict=True):
        hidden.dot(flat, total)
        add(active, recurrent, active)
        exp(sigmoids, sigmoids)
        add(sigmoids, one, sigmoids)
        divide(one, sigmoids, sigmoids)
        tanh(new, new)
        multiply(left, right, pair)
        add(product, added, after)
        tanh(after, bent)
        hidden = multiply(out, bent, output)
    result = outputs, hidden.copy(), gates[steps, 4].copy()
    return keep(result, gates=gates, curved=curved)
