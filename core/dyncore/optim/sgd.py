"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.optim.optimizer import Optimizer, check_nonnegative, decayed, number
from dyncore.tensors.tensor import wrap


class SGD(Optimizer):
    """x - lr * grad; with momentum, lr times a running sum of gradients.

    v = momentum v + (1 - dampening) g,  x = x - lr v;  Nesterov: x = x - lr (g + momentum v).
    """

    def sparse_array(self, grad: Any, group: dict[str, Any]) -> Any:
        """Return the gradient as an array.  Raises RuntimeError with weight decay."""
        if group["weight_decay"]:
            raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
        return grad.to_dense()._array

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_nonnegative(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        names = "lr momentum dampening weight_decay nesterov maximize foreach differentiable fused"
        super().__init__(params, self._options(locals(), names))

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        grad = decayed(x, grad, group["weight_decay"])
        momentum = group["momentum"]
        if momentum:
            kept = state.get("momentum_buffer")
            if kept is None:
                kept = state["momentum_buffer"] = wrap(np.array(grad), None)
            else:
                velocity = kept._array
                velocity *= momentum
                velocity += grad if not group["dampening"] else (1 - group["dampening"]) * grad
            grad = grad + momentum * kept._array if group["nesterov"] else kept._array
        x -= number(group["lr"]) * grad
