"""Steps scaled by the size of past gradients: Adagrad, Adadelta, RMSprop, Rprop."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.optim.optimizer import Optimizer, check, check_nonnegative, counted, decayed, first_step, number, zeros
from dyncore.tensors.tensor import storage, wrap


class Adagrad(Optimizer):
    """Steps divided by the root of the sum of all squared gradients."""

    def sparse_array(self, grad: Any, group: dict[str, Any]) -> Any:
        """Return the gradient as an array.  Raises RuntimeError with weight decay."""
        if group["weight_decay"]:
            raise RuntimeError("weight_decay option is not compatible with sparse gradients")
        return grad.to_dense()._array

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_nonnegative(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay)
        check_nonnegative(initial_accumulator_value=initial_accumulator_value, eps=eps)
        names = "lr lr_decay eps weight_decay initial_accumulator_value foreach maximize differentiable fused"
        super().__init__(params, self._options(locals(), names))
        for group in self.param_groups:
            for parameter in group["params"]:
                array = storage(parameter)
                start = wrap(np.full(array.shape, group["initial_accumulator_value"], array.dtype), None)
                self.state[parameter].update(step=first_step(), sum=start)

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        step = counted(state)
        grad = decayed(x, grad, group["weight_decay"])
        total = state["sum"]._array
        total += grad * grad
        x -= number(group["lr"]) / (1 + (step - 1) * group["lr_decay"]) * grad / (np.sqrt(total) + group["eps"])


class Adadelta(Optimizer):
    """Steps of the root mean square of past steps over that of past gradients."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_nonnegative(lr=lr)
        check("rho value", rho, 0 <= rho <= 1)
        check_nonnegative(eps=eps, weight_decay=weight_decay)
        names = "lr rho eps weight_decay maximize capturable foreach differentiable"
        super().__init__(params, self._options(locals(), names))

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            state.update(step=first_step(), square_avg=zeros(x), acc_delta=zeros(x))
        counted(state)
        rho, eps = group["rho"], group["eps"]
        grad = decayed(x, grad, group["weight_decay"])
        square, moved = state["square_avg"]._array, state["acc_delta"]._array
        square *= rho
        square += (1 - rho) * (grad * grad)
        delta = np.sqrt(moved + eps) / np.sqrt(square + eps) * grad
        moved *= rho
        moved += (1 - rho) * (delta * delta)
        x -= number(group["lr"]) * delta


class RMSprop(Optimizer):
    """Steps divided by the root of the running mean of squared gradients."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_nonnegative(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        names = "lr momentum alpha eps centered weight_decay capturable foreach maximize differentiable"
        super().__init__(params, self._options(locals(), names))

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            state.update(step=first_step(), square_avg=zeros(x))
            if group["momentum"] > 0:
                state["momentum_buffer"] = zeros(x)
            if group["centered"]:
                state["grad_avg"] = zeros(x)
        counted(state)
        alpha = group["alpha"]
        grad = decayed(x, grad, group["weight_decay"])
        square = state["square_avg"]._array
        square *= alpha
        square += (1 - alpha) * (grad * grad)
        size = square
        if group["centered"]:
            mean = state["grad_avg"]._array
            mean += (1 - alpha) * (grad - mean)
            size = square - mean * mean
        step = grad / (np.sqrt(size) + group["eps"])
        if group["momentum"] > 0:
            velocity = state["momentum_buffer"]._array
            velocity *= group["momentum"]
            velocity += step
            step = velocity
        x -= number(group["lr"]) * step


class Rprop(Optimizer):
    """Steps that grow while a gradient keeps its sign and shrink when it changes.

    The size of the gradient has no effect.
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_nonnegative(lr=lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        names = "lr etas step_sizes foreach maximize differentiable capturable"
        super().__init__(params, self._options(locals(), names))

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            size = wrap(np.full(x.shape, number(group["lr"]), x.dtype), None)
            state.update(step=first_step(), prev=zeros(x), step_size=size)
        counted(state)
        shrink, grow = group["etas"]
        low, high = group["step_sizes"]
        before, size = state["prev"]._array, state["step_size"]._array
        sign = np.sign(grad * before)
        factor = np.where(sign > 0, grow, np.where(sign < 0, shrink, 1.0)).astype(x.dtype)
        np.minimum(np.maximum(size * factor, low), high, out=size)
        grad = np.where(sign < 0, 0, grad).astype(x.dtype)
        x -= np.sign(grad) * size
        before[...] = grad
