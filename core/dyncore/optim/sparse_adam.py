"""SparseAdam: Adam for tables of which a step touches few rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.optim.optimizer import Optimizer, check, number, zeros


class SparseAdam(Optimizer):
    """Adam on the rows that a gradient touches; other rows keep their averages.

    Gradients are dense here, also those of `Embedding(sparse=True)`: rows that are not all zero count as touched.
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        if getattr(lr, "shape", ()) not in ((), (1,)):
            raise ValueError("Tensor lr must be 1-element")
        check("learning rate", lr, number(lr) > 0)
        check("epsilon value", eps, eps > 0)
        for index, beta in enumerate(betas):
            check(f"beta parameter at index {index}", beta, 0 <= beta < 1)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        wrong = [
            [group_index, index]
            for group_index, group in enumerate(self.param_groups)
            for index, each in enumerate(group["params"])
            if each.is_complex()
        ]
        if wrong:
            raise ValueError(f"Complex params at indices {wrong}: SparseAdam does not support complex parameters")

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            state.update(step=0, exp_avg=zeros(x), exp_avg_sq=zeros(x))
        state["step"] += 1
        beta1, beta2 = group["betas"]
        rows = np.any(grad != 0, axis=tuple(range(1, grad.ndim))) if grad.ndim else grad != 0
        mean, square = state["exp_avg"]._array, state["exp_avg_sq"]._array
        slope = grad[rows]
        mean[rows] += (slope - mean[rows]) * (1 - beta1)
        square[rows] += (slope * slope - square[rows]) * (1 - beta2)
        size = number(group["lr"]) * (1 - beta2 ** state["step"]) ** 0.5 / (1 - beta1 ** state["step"])
        x[rows] -= size * (mean[rows] / (np.sqrt(square[rows]) + group["eps"]))
