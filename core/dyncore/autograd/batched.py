"""Gradients for a batch of cotangents, one backward for each."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor


def batched_grad(
    outputs: Any, inputs: Any, grad_outputs: Any, retain: bool | None, create: bool, unused: bool | None, zeros: bool
) -> tuple[Any, ...]:
    """Stack `autograd.grad` of each slice of the cotangents."""
    from dyncore.engine.checks import is_one

    from . import grad

    outs = (outputs,) if is_one(outputs) else tuple(outputs)
    given = (grad_outputs,) if is_one(grad_outputs) else tuple(grad_outputs)
    for number, (out, g) in enumerate(zip(outs, given, strict=False)):
        _check(out, g, number)
    count = given[0].shape[0]
    keep = create if retain is None else retain
    rows = [
        grad(outs, inputs, [g[n] for g in given], keep or n + 1 < count, create, True, unused, False, zeros)
        for n in range(count)
    ]
    stack = TABLE["stack"].entry
    return tuple(None if column[0] is None else stack(list(column), 0) for column in zip(*rows, strict=True))


def _check(output: Any, grad: Any, number: int) -> None:
    """Raise RuntimeError unless the cotangents fit the shape of the output.

    Their first dimension, which counts them, is left out.
    """
    from dyncore.engine.checks import known

    like = known(output)
    if like is None or not isinstance(grad, Tensor):
        return
    shape = grad._array.shape
    if len(shape) and shape[1:] == like[0]:
        return
    raise RuntimeError(
        "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The "
        "sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch "
        f"was detected: grad_output[{number}] has a shape of {Size(shape[2:])} and output[{number}] has a shape of "
        f"{Size(like[0])}. If you only want some tensors in `grad_output` to be considered batched, consider using "
        "vmap."
    )
