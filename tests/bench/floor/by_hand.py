"""The small suite's rows with NumPy alone, forward and backward written by hand: the same calls, and no engine.

There is no graph: the backward is known beforehand, what it needs is kept in lists, and nothing is asked.
So this is what an engine in Python over NumPy would take if all of its own work were free.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.ops.few import largest_of, sum_of
from tests.bench.floor.ops import join, relu_slope, sigmoid_forward, sigmoid_slope, softmax_forward, tanh_slope
from tests.bench.small import LENGTHS, TREES
from tests.bench.workloads import Run, numbers

ROWS: dict[str, Callable[[bool], Run]] = {}
Kind = Any


def row(name: str) -> Callable[[Callable[[Kind], Run]], Callable[[Kind], Run]]:
    """Adds a row; its function takes the dtype."""

    def add(make: Callable[[Kind], Run]) -> Callable[[Kind], Run]:
        ROWS[name] = lambda double: make(np.float64 if double else np.float32)
        return make

    return add


def array(kind: Kind, *shape: int, scale: float = 0.1) -> Any:
    return numbers(*shape, scale=scale).astype(kind)


def number(kind: Kind, value: float) -> Any:
    return np.array(value, kind)


def products(lefts: list[Any], rights: list[Any]) -> Any:
    """The gradient of a matrix: the sum of outer products, as one product."""
    return np.array(lefts).T.dot(np.array(rights))


def chain(size: int) -> Callable[[Kind], Run]:
    def make(kind: Kind) -> Run:
        x, factor, less = array(kind, size), number(kind, 1.001), number(kind, 0.001)

        def run() -> list[Any]:
            y, kept = x, []
            for _ in range(250):
                y = np.tanh(y * factor + x)
                kept.append(y)
                y = y - less
            sum_of(y)
            g, total = np.ones(size, kind), np.zeros(size, kind)
            for result in reversed(kept):
                g = tanh_slope(g, result)
                total += g
                g = g * factor
            return [total + g]

        return run

    return make


for _size in (3, 8, 64, 1000):
    row(f"chain of 1,000 on {_size:,}")(chain(_size))


@row("branch")
def branch(kind: Kind) -> Run:
    two = number(kind, 2)

    def model(v: Any) -> Any:
        doubled = bool(sum_of(v) > 0)
        sum_of(v * two if doubled else v - two)
        g = np.ones(3, kind)
        return g * two if doubled else g

    x, z = array(kind, 3, scale=1.0), array(kind, 3, scale=-1.0)

    def run() -> list[Any]:
        for _ in range(10):
            found = [model(x), model(z)]
        return found

    return run


def recurrent(name: str, parameters: Callable[[Kind], list[Any]], steps_of: Callable[[Kind], list[Any]]) -> None:
    """tanh(W x + U h + b), b in one or in two parts."""

    @row(name)
    def make(kind: Kind) -> Run:
        w, u, *biases = parameters(kind)
        sequences = steps_of(kind)
        start = np.zeros(64, kind)

        def run() -> list[Any]:
            kept, total = [], 0
            for sequence in sequences:
                h, states = start, [start]
                for x in sequence:
                    gates = w.dot(x) + u.dot(h)
                    for b in biases:
                        gates = gates + b
                    h = np.tanh(gates)
                    states.append(h)
                total = total + sum_of(h)
                kept.append(states)
            lefts, inputs, hidden, of_bias = [], [], [], np.zeros(64, kind)
            for sequence, states in zip(reversed(sequences), reversed(kept), strict=True):
                g = np.ones(64, kind)
                for step in range(len(sequence) - 1, -1, -1):
                    g = tanh_slope(g, states[step + 1])
                    lefts.append(g)
                    inputs.append(sequence[step])
                    hidden.append(states[step])
                    of_bias += g
                    g = g.dot(u)
            return [products(lefts, inputs), products(lefts, hidden), *[of_bias] * len(biases)]

        return run


def lstm(name: str, parameters: Callable[[Kind], list[Any]], steps_of: Callable[[Kind], list[Any]]) -> None:
    """A long short-term memory, gates in the order input, forget, cell, output."""

    @row(name)
    def make(kind: Kind) -> Run:
        w, u, *biases = parameters(kind)
        sequences = steps_of(kind)
        start = np.zeros(64, kind)

        def run() -> list[Any]:
            kept, total = [], 0
            for sequence in sequences:
                h = c = start
                for x in sequence:
                    gates = w.dot(x) + u.dot(h)
                    for b in biases:
                        gates = gates + b
                    i, f, g, o = gates.reshape(4, 64)
                    i, f, g, o = sigmoid_forward(i), sigmoid_forward(f), np.tanh(g), sigmoid_forward(o)
                    older, before = c, h
                    c = f * c + i * g
                    t = np.tanh(c)
                    h = o * t
                    kept.append((x, before, i, f, g, o, older, t))
                total = total + sum_of(h)
            lefts, inputs, hidden, of_bias = [], [], [], np.zeros(256, kind)
            place = len(kept)
            for sequence in reversed(sequences):
                dh, dc = np.ones(64, kind), None
                for _ in sequence:
                    place -= 1
                    x, before, i, f, g, o, older, t = kept[place]
                    through = tanh_slope(dh * o, t)
                    dc = through if dc is None else dc + through
                    gates = [sigmoid_slope(dc * g, i), sigmoid_slope(dc * older, f), tanh_slope(dc * i, g)]
                    (gates,) = join([*gates, sigmoid_slope(dh * t, o)], 0)
                    lefts.append(gates)
                    inputs.append(x)
                    hidden.append(before)
                    of_bias += gates
                    dh, dc = gates.dot(u), dc * f
            return [products(lefts, inputs), products(lefts, hidden), *[of_bias] * len(biases)]

        return run


def of_layer(rows: int) -> Callable[[Kind], list[Any]]:
    """The parameters that `workloads.filled` gives a cell."""
    shapes = [(rows, 64), (rows, 64), (rows,), (rows,)]

    def make(kind: Kind) -> list[Any]:
        return [
            (np.random.default_rng(number).standard_normal(shape) * 0.1).astype(kind)
            for number, shape in enumerate(shapes)
        ]

    return make


def written_out(rows: int) -> Callable[[Kind], list[Any]]:
    return lambda kind: [array(kind, rows, 64), array(kind, rows, 64), array(kind, rows)]


def vectors(kind: Kind) -> list[Any]:
    return [array(kind, steps, 64, scale=1.0) for steps in LENGTHS]


def batches(kind: Kind) -> list[Any]:
    """What a cell is given: batches of one."""
    return [array(kind, steps, 1, 64, scale=1.0)[:, 0] for steps in LENGTHS]


recurrent("nn.RNNCell, 64", of_layer(64), batches)
recurrent("RNN by hand, 64", written_out(64), vectors)
lstm("nn.LSTMCell, 64", of_layer(256), batches)
lstm("LSTM by hand, 64", written_out(256), vectors)


@row("TreeLSTM, 64")
def tree(kind: Kind) -> Run:
    w, u, b, uf, bf = (array(kind, *shape) for shape in ((192, 64), (192, 64), (192,), (64, 64), (64,)))
    wf = array(kind, 64, 64, scale=0.2)
    words, zero = array(kind, 40, 64, scale=1.0), np.zeros(64, kind)

    def encode(children: list[list[int]], node: int, kept: list[Any]) -> tuple[Any, Any]:
        x = words[node]
        below = [encode(children, each, kept) for each in children[node]]
        total = zero
        for h, _ in below:
            total = total + h
        i, o, g = (w.dot(x) + u.dot(total) + b).reshape(3, 64)
        i, o, g = sigmoid_forward(i), sigmoid_forward(o), np.tanh(g)
        c, gate, gates = i * g, wf.dot(x) + bf, []
        for h, held in below:
            f = sigmoid_forward(gate + uf.dot(h))
            gates.append((f, h, held))
            c = c + f * held
        t = np.tanh(c)
        kept.append((x, total, i, o, g, gates, t))
        return o * t, c

    def run() -> list[Any]:
        roots: list[list[Any]] = []
        for children in TREES:
            roots.append([])
            sum_of(encode(children, 0, roots[-1])[0])
        left, inputs, totals, forget, words_below, by_child, states = ([] for _ in range(7))
        of_b, of_bf = np.zeros(192, kind), np.zeros(64, kind)
        for kept in roots:
            waiting = [(np.ones(64, kind), None)]
            while kept:  # the newest node first: its children, the last of them on top, come right before it
                dh, dc = waiting.pop()
                x, total, i, o, g, gates, t = kept.pop()
                through = tanh_slope(dh * o, t)
                dc = through if dc is None else dc + through
                parts = [sigmoid_slope(dc * g, i), sigmoid_slope(dh * t, o), tanh_slope(dc * i, g)]
                (joined,) = join(parts, 0)
                left.append(joined)
                inputs.append(x)
                totals.append(total)
                of_b += joined
                dtotal, dgate = joined.dot(u) if gates else None, None
                for f, h, held in gates:
                    df = sigmoid_slope(dc * held, f)
                    dgate = df if dgate is None else dgate + df
                    by_child.append(df)
                    states.append(h)
                    waiting.append((dtotal + df.dot(uf), dc * f))
                if dgate is not None:
                    forget.append(dgate)
                    words_below.append(x)
                    of_bf += dgate
        return [
            products(left, inputs), products(left, totals), of_b,
            products(forget, words_below), products(by_child, states), of_bf,
        ]  # fmt: skip

    return run


@row("early exit")
def early_exit(kind: Kind) -> Run:
    layers = [array(kind, 32, 32, scale=0.1 + 0.01 * k) for k in range(20)]
    inputs = [array(kind, 32, scale=scale) for scale in (0.05, 0.1, 0.2, 0.4)]
    zero = number(kind, 0)
    sums = [np.zeros((32, 32), kind) for _ in layers]

    def run() -> list[Any]:
        kept, total = [], 0
        for x in inputs:
            h, k, states = x, 0, []
            while k < 20 and largest_of(softmax_forward(h)).item() < 0.9:
                r = np.maximum(zero, layers[k].dot(h))
                states.append((h, r))
                h = r + h
                k += 1
            total = total + sum_of(h)
            kept.append(states)
        found, of_layers = [], {}
        for states in kept:
            g = np.ones(32, kind)
            for k in range(len(states) - 1, -1, -1):
                h, r = states[k]
                back = relu_slope(g, r)
                of_layers.setdefault(k, []).append((back, h))
                g = g + back.dot(layers[k])
            found.append(g)
        for k, pairs in of_layers.items():
            sums[k] += products(*zip(*pairs, strict=True))
        return found

    return run


@row("4,000 scalars")
def scalars(kind: Kind) -> Run:
    x, factor, one = kind(numbers(1, scale=1.0)[0]), kind(0.999), kind(1)

    def run() -> list[Any]:
        y, kept = x, []
        for _ in range(1000):
            t = np.tanh(y * factor + x)
            kept.append(t)
            y = t * x
        g, total = one, kind(0)
        for t in reversed(kept):
            total = total + g * t
            g = g * x * (one - t * t)
            total = total + g
            g = g * factor
        return [total + g]

    return run
