"""Programs drawn at random, with branches, loops, views, writes and shared values: the same bits, call after call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import dyncore as torch
from tests.unit.core.capture.check import bits, run

UNARY = ["tanh", "exp", "sigmoid", "relu", "neg", "abs", "sin", "square", "sum", "mean", "T", "row", "flat", "detach",
         "softmax", "double", "cumsum", "clone", "item", "amax"]  # fmt: skip
BINARY = ["add", "sub", "mul", "maximum", "matmul", "where", "cat", "div"]
NUMBERS = [0.5, -1.5, 2, 0.0]

step = st.one_of(
    st.tuples(st.just("unary"), st.sampled_from(UNARY), st.integers(0, 9)),
    st.tuples(st.just("binary"), st.sampled_from(BINARY), st.integers(0, 9), st.integers(0, 9)),
    st.tuples(st.just("number"), st.sampled_from(["add", "mul", "sub"]), st.integers(0, 9), st.sampled_from(NUMBERS)),
    st.tuples(st.just("branch"), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)),
    st.tuples(st.just("loop"), st.integers(0, 9), st.integers(1, 4)),
    st.tuples(st.just("write"), st.integers(0, 9), st.integers(0, 9)),
    st.tuples(st.just("fill"), st.integers(0, 9), st.sampled_from(NUMBERS)),
)
programs = st.lists(step, min_size=1, max_size=9)


def unary(name: str, x: Any) -> Any:
    if name == "T":
        return x.T
    if name == "row":
        return x[0] if x.dim() else x
    if name == "flat":
        return x.reshape(-1)
    if name == "softmax":
        return torch.softmax(x, -1) if x.dim() else x
    if name == "cumsum":
        return x.cumsum(0) if x.dim() else x
    if name == "double":
        return x.double().to(x.dtype)
    if name == "item":
        return x * round(x.sum().item())
    return getattr(x, name)()


def binary(name: str, x: Any, y: Any) -> Any:
    if name == "matmul":
        return x @ y if x.dim() == y.dim() == 2 and x.shape[1] == y.shape[0] else x * 2
    if name == "where":
        return torch.where(x > 0, x, y) if x.shape == y.shape else x
    if name == "cat":
        return torch.cat([x, y]) if x.dim() and x.shape[1:] == y.shape[1:] and y.dim() == x.dim() else y
    small = x.numel() == 1 or y.numel() == 1 or x.shape == y.shape
    return getattr(torch, name)(x, y) if small else x


def interpret(program: list[Any], a: Any, b: Any) -> Any:
    """Runs a program on a stack of values."""
    values = [a, b, a * b]
    for kind, *rest in program:
        at = [values[k % len(values)] if isinstance(k, int) and kind != "loop" else k for k in rest]
        if kind == "unary":
            values.append(unary(rest[0], values[rest[1] % len(values)]))
        elif kind == "binary":
            values.append(binary(rest[0], values[rest[1] % len(values)], values[rest[2] % len(values)]))
        elif kind == "number":
            values.append(getattr(torch, rest[0])(values[rest[1] % len(values)], rest[2]))
        elif kind == "branch":
            values.append(at[1] * 2 if at[0].sum() > 0 else at[2] - 1)
        elif kind == "loop":
            x = values[rest[0] % len(values)]
            for _ in range(rest[1]):
                if x.abs().sum() > 4:
                    x = x * 0.5
            values.append(x)
        else:
            target = values[rest[0] % len(values)].clone()
            if kind == "fill":
                target.mul_(rest[1])
            else:
                source = values[rest[1] % len(values)]
                target.add_(source if source.shape == target.shape else 1.0)
            values.append(target)
    return values[-1], values[len(values) // 2].sum(), values[2]


@pytest.mark.whole
@settings(max_examples=60, derandomize=True, suppress_health_check=list(HealthCheck))
@given(programs, st.lists(st.integers(0, 3), min_size=3, max_size=5), st.booleans(), st.booleans())
def test_a_random_program_is_replayed_bit_for_bit(
    program: list[Any], inputs: list[int], first: bool, second: bool
) -> None:
    """Several inputs in turn, so that paths are recorded, replayed and left."""
    compiled = torch.compile(lambda a, b: interpret(program, a, b))
    for seed in inputs * 2:
        rng = np.random.default_rng(seed)
        found = []
        values = [rng.standard_normal((3, 3)).astype(np.float32) for _ in range(2)]
        for function in (lambda a, b: interpret(program, a, b), compiled):
            a = torch.tensor(values[0].tolist(), requires_grad=first)
            b = torch.tensor(values[1].tolist(), requires_grad=second)
            leaves = [each for each in (a, b) if each.requires_grad]
            try:
                found.append(run(function, (a, b), leaves))
            except RuntimeError as error:
                found.append([str(error), *map(bits, (a, b))])
        assert found[0] == found[1], str(compiled.explain())
