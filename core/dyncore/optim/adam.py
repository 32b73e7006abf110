"""Adam and AdamW."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.optim.optimizer import Optimizer, check, check_nonnegative, counted, decayed, first_step, number, zeros


def check_adam(lr: Any, betas: Any, eps: float, weight_decay: float) -> None:
    """Check the options of Adam and its variants.

    Raises ValueError for an option out of its range.
    """
    check_nonnegative(lr=lr, eps=eps)
    for index, beta in enumerate(betas):
        check(f"beta parameter at index {index}", beta, 0 <= number(beta) < 1)
    check_nonnegative(weight_decay=weight_decay)


def decay(x: Any, grad: Any, lr: Any, group: dict[str, Any]) -> Any:
    """Shrink the weights themselves if decay is decoupled, else return the gradient with it."""
    if not group["weight_decay"]:
        return grad
    if not group["decoupled_weight_decay"]:
        return decayed(x, grad, group["weight_decay"])
    x *= 1 - lr * group["weight_decay"]
    return grad


def moments(state: dict[str, Any], grad: Any, beta1: Any, beta2: Any) -> tuple[Any, Any]:
    """Update and return the running means of the gradient and of its square."""
    mean, square = state["exp_avg"]._array, state["exp_avg_sq"]._array
    mean += (1 - beta1) * (grad - mean)
    square *= beta2
    square += (1 - beta2) * (grad * grad)
    return mean, square


class Adam(Optimizer):
    """Steps of the mean gradient divided by the root of the mean squared gradient.

    m = b1 m + (1 - b1) g,  v = b2 v + (1 - b2) g^2,  x = x - lr m' / (sqrt v' + eps) corrected for the start.
    """

    def sparse_array(self, grad: Any, group: dict[str, Any]) -> Any:
        """Raise RuntimeError: that is what SparseAdam is for."""
        raise RuntimeError("Adam does not support sparse gradients, please consider SparseAdam instead")

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_adam(lr, betas, eps, weight_decay)
        names = (
            "lr betas eps weight_decay amsgrad maximize foreach capturable differentiable fused decoupled_weight_decay"
        )
        super().__init__(params, self._options(locals(), names))

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            state["step"] = first_step()
            state["exp_avg"], state["exp_avg_sq"] = zeros(x), zeros(x)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros(x)
        step, lr = counted(state), number(group["lr"])
        beta1, beta2 = (number(beta) for beta in group["betas"])
        grad = decay(x, grad, lr, group)
        mean, square = moments(state, grad, beta1, beta2)
        if group["amsgrad"]:
            highest = state["max_exp_avg_sq"]._array
            np.maximum(highest, square, out=highest)
            square = highest
        size = np.sqrt(square, out=np.empty_like(square))  # an array for a number, too
        size /= (1 - beta2**step) ** 0.5
        size += group["eps"]
        np.divide(mean, size, out=size)
        size *= lr / (1 - beta1**step)
        x -= size


class AdamW(Adam):
    """Adam whose weight decay acts on the weights directly, not through the gradient."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip
