"""Averaged stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from dyncore.optim.optimizer import Optimizer, check_nonnegative, counted, decayed, first_step, number, scalar, zeros
from dyncore.tensors.tensor import wrap


class ASGD(Optimizer):
    """Gradient descent whose weights are averaged, from step t0 on, in the state `ax`."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_nonnegative(lr=lr, weight_decay=weight_decay)
        names = "lr lambd alpha t0 weight_decay foreach maximize differentiable capturable"
        super().__init__(params, self._options(locals(), names))

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, lambd = number(group["lr"]), group["lambd"]
        if not state:
            state.update(step=first_step(), eta=wrap(scalar(lr), None), mu=wrap(scalar(1), None), ax=zeros(x))
        step = counted(state)
        eta, mu = float(state["eta"]._array), float(state["mu"]._array)
        grad = decayed(x, grad, group["weight_decay"])
        x *= 1 - lambd * eta
        x -= eta * grad
        mean = state["ax"]._array
        if mu != 1:
            mean += (x - mean) * mu
        else:
            mean[...] = x
        kind = state["eta"]._array.dtype.type  # float32, or what a loaded state was cast to
        state["eta"]._array = kind(lr / ((1 + lambd * lr * step) ** group["alpha"]))
        state["mu"]._array = kind(1 / max(1, step - group["t0"]))
