"""Relatives of Adam: Adamax, NAdam, RAdam."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncore.optim.adam import check_adam, decay, moments
from dyncore.optim.optimizer import Optimizer, check_nonnegative, counted, decayed, first_step, number, scalar, zeros
from dyncore.tensors.tensor import wrap


class Adamax(Optimizer):
    """Adam with the largest gradient so far in place of the root of the mean square."""

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_adam(lr, betas, eps, weight_decay)
        names = "lr betas eps weight_decay foreach maximize differentiable capturable"
        super().__init__(params, self._options(locals(), names))

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            state.update(step=first_step(), exp_avg=zeros(x), exp_inf=zeros(x))
        step = counted(state)
        beta1, beta2 = group["betas"]
        grad = decayed(x, grad, group["weight_decay"])
        mean, largest = state["exp_avg"]._array, state["exp_inf"]._array
        mean += (1 - beta1) * (grad - mean)
        np.maximum(largest * beta2, np.abs(grad) + group["eps"], out=largest)
        x -= number(group["lr"]) / (1 - beta1**step) * mean / largest


class NAdam(Optimizer):
    """Adam with Nesterov's momentum."""

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_adam(lr, betas, eps, weight_decay)
        check_nonnegative(momentum_decay=momentum_decay)
        names = (
            "lr betas eps weight_decay momentum_decay decoupled_weight_decay maximize foreach capturable differentiable"
        )
        super().__init__(params, self._options(locals(), names))

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            state.update(step=first_step(), mu_product=wrap(scalar(1), None), exp_avg=zeros(x), exp_avg_sq=zeros(x))
        step, lr = counted(state), number(group["lr"])
        beta1, beta2 = group["betas"]
        grad = decay(x, grad, lr, group)
        mu = beta1 * (1.0 - 0.5 * 0.96 ** (step * group["momentum_decay"]))
        mu_next = beta1 * (1.0 - 0.5 * 0.96 ** ((step + 1) * group["momentum_decay"]))
        held = state["mu_product"]._array
        state["mu_product"]._array = held * held.dtype.type(mu)
        product = float(state["mu_product"]._array)
        mean, square = moments(state, grad, beta1, beta2)
        size = np.sqrt(square / (1 - beta2**step)) + group["eps"]
        x -= lr * (1.0 - mu) / (1.0 - product) * grad / size
        x -= lr * mu_next / (1.0 - product * mu_next) * mean / size


class RAdam(Optimizer):
    """Adam that corrects the variance of its first steps."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_adam(lr, betas, eps, weight_decay)
        names = "lr betas eps weight_decay maximize foreach capturable decoupled_weight_decay differentiable"
        super().__init__(params, self._options(locals(), names))

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            state.update(step=first_step(), exp_avg=zeros(x), exp_avg_sq=zeros(x))
        step, lr = counted(state), number(group["lr"])
        beta1, beta2 = group["betas"]
        grad = decay(x, grad, lr, group)
        mean, square = moments(state, grad, beta1, beta2)
        rest = 1 - beta2**step
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * (beta2**step) / rest
        update = lr / (1 - beta1**step) * mean
        if length > 5.0:
            rectified = ((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)) ** 0.5
            update = update * (math.sqrt(rest) / (np.sqrt(square) + group["eps"])) * rectified
        x -= update
