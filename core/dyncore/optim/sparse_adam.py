"""SparseAdam: Adam for tables of which a step touches few rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.dispatch.row_gradient import RowGradient, row_gradient
from dyncore.optim.optimizer import Optimizer, check, number, zeros


class SparseAdam(Optimizer):
    """Adam on the rows that a sparse gradient has; other rows keep their averages."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        check("learning rate", lr, number(lr) > 0)
        check("epsilon value", eps, eps > 0)
        for index, beta in enumerate(betas):
            check(f"beta parameter at index {index}", beta, 0 <= beta < 1)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        if wrong := self._places(lambda each: each.is_sparse):
            raise ValueError(f"Sparse params at indices {wrong}: SparseAdam requires dense parameter tensors")
        if wrong := self._places(lambda each: each.is_complex()):
            raise ValueError(f"Complex params at indices {wrong}: SparseAdam does not support complex parameters")

    def _places(self, condition: Callable[[Any], bool]) -> list[list[int]]:
        """List [group, number] of the parameters for which `condition` holds."""
        return [
            [group_index, index]
            for group_index, group in enumerate(self.param_groups)
            for index, each in enumerate(group["params"])
            if condition(each)
        ]

    def sparse_array(self, grad: Any, group: dict[str, Any]) -> Any:
        """Return the gradient with the numbers of its rows."""
        grad = grad.coalesce()
        if grad.sparse_dim() != 1:
            raise NotImplementedError("dyncore's SparseAdam takes gradients with one sparse dimension")
        return row_gradient(grad.shape, grad._coords[0], grad._vals._array)

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if grad.__class__ is not RowGradient:
            raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
        if not state:
            state.update(step=0, exp_avg=zeros(x), exp_avg_sq=zeros(x))
        state["step"] += 1
        beta1, beta2 = group["betas"]
        rows, slope = grad.numbers, grad.values
        mean, square = state["exp_avg"]._array, state["exp_avg_sq"]._array
        mean[rows] += (slope - mean[rows]) * (1 - beta1)
        square[rows] += (slope * slope - square[rows]) * (1 - beta2)
        size = number(group["lr"]) * (1 - beta2 ** state["step"]) ** 0.5 / (1 - beta1 ** state["step"])
        x[rows] -= size * (mean[rows] / (np.sqrt(square[rows]) + group["eps"]))
