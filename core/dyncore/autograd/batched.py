"""Gradients for a batch of cotangents, one backward for each."""

from __future__ import annotations

from typing import Any

from ..registry import TABLE

__dyncore__ = True


def batched_grad(
    outputs: Any, inputs: Any, grad_outputs: Any, retain: bool | None, create: bool, unused: bool | None, zeros: bool
) -> tuple[Any, ...]:
    """`autograd.grad` for each slice of the cotangents, stacked."""
    from . import grad
    from .checks import is_one

    outs = (outputs,) if is_one(outputs) else tuple(outputs)
    given = (grad_outputs,) if is_one(grad_outputs) else tuple(grad_outputs)
    count = given[0].shape[0]
    keep = create if retain is None else retain
    rows = [
        grad(outs, inputs, [g[n] for g in given], keep or n + 1 < count, create, unused, False, zeros)
        for n in range(count)
    ]
    stack = TABLE["stack"].entry
    return tuple(None if column[0] is None else stack(list(column), 0) for column in zip(*rows, strict=True))
