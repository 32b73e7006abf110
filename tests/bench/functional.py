"""The small workloads once more with NumPy's names, for HIPS autograd, MyGrad and JAX; and micrograd's scalars.

Each takes the engine's `numpy` and gives (loss, parameters); `loss` takes the parameters as arrays of that engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.bench.small import LENGTHS, TREES
from tests.bench.workloads import Run, numbers

Loss = Callable[..., Any]
LOSSES: dict[str, Callable[[Any, Any], tuple[Loss, list[Any]]]] = {}


def arrays(dtype: Any, *made: Any) -> list[Any]:
    """The parameters in the dtype asked for."""
    return [np.asarray(each).astype(dtype) for each in made]


def chain(size: int) -> Callable[[Any, Any], tuple[Loss, list[Any]]]:
    def make(xp: Any, dtype: Any) -> tuple[Loss, list[Any]]:
        def loss(x: Any) -> Any:
            y = x
            for _ in range(250):
                y = y * 1.001
                y = y + x
                y = xp.tanh(y)
                y = y - 0.001
            return xp.sum(y)

        return loss, arrays(dtype, numbers(size))

    return make


for _size in (3, 8, 64, 1000):
    LOSSES[f"chain of 1,000 on {_size:,}"] = chain(_size)


def branch(xp: Any, dtype: Any) -> tuple[Loss, list[Any]]:
    def model(v: Any) -> Any:
        return v * 2 if xp.sum(v) > 0 else v - 2

    return lambda x, z: xp.sum(model(x)) + xp.sum(model(z)), arrays(
        dtype, numbers(3, scale=1.0), numbers(3, scale=-1.0)
    )


def recurrent(xp: Any, dtype: Any) -> tuple[Loss, list[Any]]:
    sequences = [np.asarray(numbers(steps, 64, scale=1.0)).astype(dtype) for steps in LENGTHS]
    start = np.zeros(64, dtype)

    def loss(w: Any, u: Any, b: Any) -> Any:
        total: Any = 0
        for sequence in sequences:
            h: Any = start
            for x in sequence:
                h = xp.tanh(xp.matmul(w, x) + xp.matmul(u, h) + b)
            total = total + xp.sum(h)
        return total

    return loss, arrays(dtype, numbers(64, 64), numbers(64, 64), numbers(64))


def sigmoid(xp: Any, x: Any) -> Any:
    return 1 / (1 + xp.exp(-x))


def memory(xp: Any, dtype: Any) -> tuple[Loss, list[Any]]:
    sequences = [np.asarray(numbers(steps, 64, scale=1.0)).astype(dtype) for steps in LENGTHS]
    start = np.zeros(64, dtype)

    def loss(w: Any, u: Any, b: Any) -> Any:
        total: Any = 0
        for sequence in sequences:
            h: Any = start
            c: Any = start
            for x in sequence:
                gates = xp.matmul(w, x) + xp.matmul(u, h) + b
                i, f, g, o = gates[:64], gates[64:128], gates[128:192], gates[192:]
                c = sigmoid(xp, f) * c + sigmoid(xp, i) * xp.tanh(g)
                h = sigmoid(xp, o) * xp.tanh(c)
            total = total + xp.sum(h)
        return total

    return loss, arrays(dtype, numbers(256, 64), numbers(256, 64), numbers(256))


def tree(xp: Any, dtype: Any) -> tuple[Loss, list[Any]]:
    words = np.asarray(numbers(40, 64, scale=1.0)).astype(dtype)
    zero = np.zeros(64, dtype)

    def loss(w: Any, u: Any, b: Any, wf: Any, uf: Any, bf: Any) -> Any:
        def encode(children: list[list[int]], node: int) -> Any:
            x = words[node]
            below = [encode(children, each) for each in children[node]]
            total: Any = zero
            for h, _ in below:
                total = total + h
            gates = xp.matmul(w, x) + xp.matmul(u, total) + b
            i, o, g = gates[:64], gates[64:128], gates[128:]
            c = sigmoid(xp, i) * xp.tanh(g)
            gate = xp.matmul(wf, x) + bf
            for h, held in below:
                c = c + sigmoid(xp, gate + xp.matmul(uf, h)) * held
            return sigmoid(xp, o) * xp.tanh(c), c

        return sum(xp.sum(encode(children, 0)[0]) for children in TREES)

    shapes = [(192, 64), (192, 64), (192,)]
    gates = arrays(dtype, *(numbers(*shape) for shape in shapes))
    return loss, gates + arrays(dtype, numbers(64, 64, scale=0.2), numbers(64, 64), numbers(64))


def early_exit(xp: Any, dtype: Any) -> tuple[Loss, list[Any]]:
    layers = arrays(dtype, *(numbers(32, 32, scale=0.1 + 0.01 * k) for k in range(20)))

    def confident(h: Any) -> bool:
        e = xp.exp(h - xp.max(h))
        return bool(xp.max(e / xp.sum(e)) >= 0.9)

    def loss(*inputs: Any) -> Any:
        total: Any = 0
        for h in inputs:
            k = 0
            while k < 20 and not confident(h):
                h = xp.maximum(xp.matmul(layers[k], h), 0) + h
                k += 1
            total = total + xp.sum(h)
        return total

    return loss, arrays(dtype, *(numbers(32, scale=scale) for scale in (0.05, 0.1, 0.2, 0.4)))


def scalars(xp: Any, dtype: Any) -> tuple[Loss, list[Any]]:
    def loss(x: Any) -> Any:
        y = x
        for _ in range(1000):
            y = y * 0.999
            y = y + x
            y = xp.tanh(y)
            y = y * x
        return y

    return loss, arrays(dtype, numbers(1, scale=1.0)[0])


LOSSES.update({
    "branch": branch, "RNN by hand, 64": recurrent, "LSTM by hand, 64": memory, "TreeLSTM, 64": tree,
    "early exit": early_exit, "4,000 scalars": scalars,
})  # fmt: skip
REPEATS = {"branch": 10}  # the row runs its model so often; the loss here is one of them


def runner(peer: str, name: str, double: bool) -> Run | None:
    """The function to time on `peer`, or None for a workload that it does not have."""
    dtype = np.float64 if double else np.float32
    if peer == "micrograd":
        return micrograd_scalars() if name == "4,000 scalars" else None
    if name not in LOSSES:
        return None
    run = {"autograd": on_autograd, "mygrad": on_mygrad, "jax": on_jax}[peer](name, dtype)
    times = REPEATS.get(name, 1)

    def repeated() -> list[Any]:
        for _ in range(times):
            found = run()
        return found

    return repeated


def on_autograd(name: str, dtype: Any) -> Run:
    import autograd
    import autograd.numpy as xp

    loss, parameters = LOSSES[name](xp, dtype)
    gradient = autograd.value_and_grad(lambda values: loss(*values))
    return lambda: list(gradient(parameters)[1])


def on_jax(name: str, dtype: Any) -> Run:
    import jax
    import jax.numpy as xp

    if dtype is np.float64:
        jax.config.update("jax_enable_x64", True)
    loss, parameters = LOSSES[name](xp, dtype)
    gradient = jax.value_and_grad(lambda values: loss(*values))
    values = [xp.asarray(each) for each in parameters]

    def run() -> list[Any]:
        return [each.block_until_ready() for each in gradient(values)[1]]

    return run


def on_mygrad(name: str, dtype: Any) -> Run:
    import mygrad

    loss, parameters = LOSSES[name](mygrad, dtype)

    def run() -> list[Any]:
        tensors = [mygrad.tensor(each) for each in parameters]
        loss(*tensors).backward()
        return [each.grad for each in tensors]

    return run


def micrograd_scalars() -> Run:
    """The chain of scalars with micrograd's `relu` for `tanh`, which it has not: compared in time alone."""
    import sys
    import threading

    from micrograd.engine import Value

    def compute() -> None:
        x = Value(float(numbers(1, scale=1.0)[0]))
        y = x
        for _ in range(1000):
            y = y * 0.999
            y = y + x
            y = y.relu()
            y = y * x
        y.backward()

    def run() -> list[Any]:
        sys.setrecursionlimit(100_000)
        threading.stack_size(512 * 1024 * 1024)
        thread = threading.Thread(target=compute)
        thread.start()
        thread.join()
        return []

    return run
