"""Optimizers that treat a weight as a matrix: Adafactor, Muon."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncore.optim.optimizer import Optimizer, counted, first_step, number, zeros
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import wrap

Array = Any


def _at_least(name: str, value: Any, low: float = 0.0) -> None:
    if not number(value) >= low:
        raise ValueError(f"{name} should be >= {low:g} but is: {value}")


class _OfReal(Optimizer):
    """Base of optimizers that refuse complex parameters."""

    def update_parts(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Raise RuntimeError."""
        raise RuntimeError(f"{type(self).__name__} does not support complex parameters")


class Adafactor(_OfReal):
    """Adam with squared gradients of a matrix stored as one row and one column.

    Steps are relative to the size of the weight.
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        _at_least("Learning rate", lr)
        if beta2_decay > 0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None:
            _at_least("epsilon1", eps[0])
        _at_least("epsilon2", eps[1])
        _at_least("Clipping threshold d", d, 1)
        _at_least("weight_decay", weight_decay)
        super().__init__(params, self._options(locals(), "lr beta2_decay eps d weight_decay foreach maximize"))

    def update(self, x: Array, grad: Array, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, (first, second) = number(group["lr"]), group["eps"]
        first = float(np.finfo(x.dtype).eps) if first is None else first
        if not state:
            state["step"] = first_step()
            if grad.ndim > 1:
                state["row_var"] = wrap(np.zeros((*grad.shape[:-1], 1), grad.dtype), None)
                state["col_var"] = wrap(np.zeros((*grad.shape[:-2], 1, grad.shape[-1]), grad.dtype), None)
            else:
                state["variance"] = zeros(x)
        step = counted(state)
        share = step ** group["beta2_decay"]
        alpha = max(second, float(np.linalg.norm(x)) / math.sqrt(x.size)) * min(lr, 1 / math.sqrt(step))
        if group["weight_decay"]:
            x *= 1 - lr * group["weight_decay"]
        square = grad * grad
        if grad.ndim > 1:
            row, column = state["row_var"]._array, state["col_var"]._array
            row += (square.mean(-1, keepdims=True) - row) * share
            column += (square.mean(-2, keepdims=True) - column) * share
            estimate = row @ column / np.maximum(row.mean(-2, keepdims=True), first)
        else:
            variance = state["variance"]._array
            variance += (square - variance) * share
            estimate = variance
        update = grad / np.sqrt(np.maximum(estimate, first * first))
        x -= update * (alpha / max(1.0, float(np.linalg.norm(update)) / (math.sqrt(update.size) * group["d"])))


class Muon(_OfReal):
    """Momentum whose step for a matrix is made orthogonal.

    A few Newton-Schulz iterations do so, in bfloat16.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        _at_least("Learning rate", lr)
        _at_least("momentum", momentum)
        _at_least("weight decay", weight_decay)
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        names = "lr weight_decay momentum nesterov ns_coefficients eps ns_steps adjust_lr_fn"
        super().__init__(params, self._options(locals(), names))
        for group in self.param_groups:
            for each in group["params"]:
                if each._array.ndim != 2:
                    raise ValueError(
                        "Muon only supports 2D parameters whereas we found a parameter with size: "
                        f"{Size(each._array.shape)}"
                    )

    def update(self, x: Array, grad: Array, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, momentum = number(group["lr"]), group["momentum"]
        if not state:
            state["momentum_buffer"] = zeros(x)
        buffer = state["momentum_buffer"]._array
        buffer += (grad - buffer) * (1 - momentum)
        step = grad + (buffer - grad) * momentum if group["nesterov"] else buffer
        step = _orthogonal(step, group["ns_coefficients"], group["ns_steps"], group["eps"])
        rows, columns = x.shape
        match = group["adjust_lr_fn"] == "match_rms_adamw"
        ratio = 0.2 * math.sqrt(max(rows, columns)) if match else math.sqrt(max(1, rows / columns))
        x *= 1 - lr * group["weight_decay"]
        x -= (lr * ratio * step).astype(x.dtype)


def _orthogonal(grad: Array, coefficients: tuple[float, float, float], steps: int, eps: float) -> Array:
    """Approximate U V^T of the singular value decomposition U S V^T."""
    a, b, c = coefficients
    basis = bfloat16(grad)
    wide = basis.shape[0] > basis.shape[1]
    if wide:
        basis = basis.T
    basis = bfloat16(basis / max(float(bfloat16(np.linalg.norm(basis))), eps))
    for _ in range(steps):
        gram = bfloat16(basis @ basis.T)
        basis = bfloat16(a * basis + bfloat16(b * gram + c * (gram @ gram)) @ basis)
    return basis.T if wide else basis


def bfloat16(values: Array) -> Array:
    """Round float32 values to the 8 bits of precision of bfloat16, ties to even."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
