"""`torch.optim.adam.adam` and its like: one step on lists of parameters, gradients and states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dyncore.graph import versions
from dyncore.optim.adam import Adam
from dyncore.optim.adam_variants import Adamax, NAdam, RAdam
from dyncore.optim.adaptive import Adadelta, Adagrad, RMSprop
from dyncore.optim.optimizer import Optimizer
from dyncore.optim.sgd import SGD
from dyncore.tensors.tensor import Tensor, storage

# The class of each function, its lists of states in PyTorch's order, and options that its update asks for.
_KINDS: dict[str, tuple[type[Optimizer], tuple[str, ...], dict[str, Any]]] = {
    "adadelta": (Adadelta, ("square_avg", "acc_delta", "step"), {}),
    "adagrad": (Adagrad, ("sum", "step"), {}),
    "adam": (Adam, ("exp_avg", "exp_avg_sq", "max_exp_avg_sq", "step"), {"decoupled_weight_decay": False}),
    "adamax": (Adamax, ("exp_avg", "exp_inf", "step"), {}),
    "adamw": (Adam, ("exp_avg", "exp_avg_sq", "max_exp_avg_sq", "step"), {"decoupled_weight_decay": True}),
    "nadam": (NAdam, ("exp_avg", "exp_avg_sq", "mu_product", "step"), {"decoupled_weight_decay": False}),
    "radam": (RAdam, ("exp_avg", "exp_avg_sq", "step"), {"decoupled_weight_decay": False}),
    "rmsprop": (RMSprop, ("square_avg", "grad_avg", "momentum_buffer", "step"), {}),
    "sgd": (SGD, ("momentum_buffer",), {}),
}


def _function(name: str) -> Callable[..., None]:
    kind, names, extra = _KINDS[name]

    def step(params: Sequence[Tensor], grads: Sequence[Tensor], *states: Any, **options: Any) -> None:
        options = {**extra, **options}
        if "beta1" in options:
            options["betas"] = options["beta1"], options["beta2"]
        lists = [given if isinstance(given, list) else [] for given in states[: len(names)]]
        if names[-1] == "step" and not all(isinstance(count, Tensor) for count in lists[-1]):
            raise RuntimeError("API has changed, `state_steps` argument must contain a list of singleton tensors")
        optimizer = kind.__new__(kind)
        for index, (parameter, grad) in enumerate(zip(params, grads, strict=False)):
            state = {key: of[index] for key, of in zip(names, lists, strict=False) if index < len(of)}
            held = {key: value for key, value in state.items() if value is not None}
            array, slope = storage(parameter), storage(grad)
            versions.before_write(array, silent=True)
            optimizer.update(array, -slope if options.get("maximize") else slope, held, options)
            versions.bump(array)
            for key, of in zip(names, lists, strict=False):
                if index < len(of):
                    of[index] = held.get(key)

    step.__name__ = step.__qualname__ = name
    step.__doc__ = f"Write one step of `{kind.__name__}` into parameters and states; options by keyword."
    return step


FUNCTIONS = {name: _function(name) for name in _KINDS}
globals().update(FUNCTIONS)  # `torch.optim._functional.adam`
