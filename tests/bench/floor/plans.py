"""Replays written by hand: what `compile` could come to if it had no guards, tensors, nodes or leaves to look after.

    python -m tests.bench.floor.plans

Each is a row of `tests.bench.replay`, forward and backward with NumPy into arrays that are there; its gradients have
the bits of an ordinary call's, which is asserted first.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import add, divide, exp, maximum, multiply, putmask, subtract

import dyncore as torch
from tests.bench.replay import CASES, once

TURNS, CALLS = 400, 5
Plan = Callable[[], list[Any]]


def branch(leaves: list[Any]) -> Plan:
    """`v * 2 if v.sum() > 0 else v - 2`, summed: the way that the row's numbers take."""
    v = leaves[0].detach().numpy()
    two, ones, zero, doubled = np.array(2, v.dtype), np.ones(3, v.dtype), v.dtype.type(0), np.empty_like(v)
    gradient = ones * two

    def plan() -> list[Any]:
        assert v.dot(ones) > zero
        multiply(v, two, doubled)
        doubled.dot(ones)
        return [gradient.copy()]

    return plan


def early_exit(leaves: list[Any]) -> Plan:
    """Layers until the softmax is sure."""
    *weights, x = (each.detach().numpy() for each in leaves)
    kind, size = x.dtype, len(x)
    ones, one, zero = np.ones((size, size), kind), np.ones(size, kind), np.zeros((), kind)
    e, total, product, g, back = (np.empty(size, kind) for _ in range(5))
    states, passed = ([np.empty(size, kind) for _ in range(21)] for _ in range(2))

    def plan() -> list[Any]:
        h, k = x, 0
        while k < 20:
            exp(h, e)
            e.dot(ones, total)
            if 1.0 <= total.item(0) < 1e30:
                divide(e, total, e)
            else:
                subtract(h, h[h.argmax(), ...], e)
                exp(e, e)
                divide(e, e.dot(one), e)
            if e[e.argmax()].item() >= 0.9:
                break
            states[k], h = h, states[k + 1]
            weights[k].dot(states[k], product)
            maximum(zero, product, out=passed[k])
            add(passed[k], states[k], h)
            k += 1
        h.dot(one)
        found: list[Any] = [None] * 21
        grad = one
        for layer in reversed(range(k)):
            back.fill(0)
            putmask(back, passed[layer], grad)
            found[layer] = back[:, None].dot(states[layer][None])
            back.dot(weights[layer], product)
            grad = add(grad, product, g)
        found[20] = grad.copy()
        return found

    return plan


PLANS = {"branch": branch, "early exit, item()": early_exit}


def main() -> None:
    """Prints the three times of each."""
    print(f"{'us':24}{'ordinary':>10}{'replayed':>10}{'by hand':>10}{'ratio':>8}{'at least':>10}")
    for name, make in PLANS.items():
        function, args, leaves = CASES[name]()
        compiled, plan = torch.compile(function), make(leaves)
        for _ in range(50):
            expected, again = once(function, args, leaves), once(compiled, args, leaves)
        by_hand = [None if each is None else each.tobytes() for each in plan()]
        assert expected == again == by_hand, name

        def run(model: Any, args: Any = args, leaves: Any = leaves) -> None:
            for each in leaves:
                each.grad = None
            model(*args).backward()

        best = [float("inf")] * 3
        for _ in range(TURNS):
            for number, call in enumerate((lambda: run(function), lambda: run(compiled), plan)):  # noqa: B023
                started = time.process_time_ns()
                for _ in range(CALLS):
                    call()
                best[number] = min(best[number], (time.process_time_ns() - started) / CALLS / 1e3)
        ordinary, replayed, hand = best
        print(f"{name:24}{ordinary:10.1f}{replayed:10.1f}{hand:10.1f}{replayed / ordinary:8.2f}{hand / ordinary:10.2f}")


if __name__ == "__main__":
    main()
