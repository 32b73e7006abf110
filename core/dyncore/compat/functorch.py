"""`import functorch`, which comes with PyTorch: `torch.func`, and models as functions of their parameters."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import dyncore
from dyncore.autograd.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp
from dyncore.autograd.functional_call import check_alike, functional_call, functionalize
from dyncore.autograd.vmap import vmap
from dyncore.nn.module import Module

__all__ = [
    "FunctionalModule", "FunctionalModuleWithBuffers", "combine_state_for_ensemble", "functionalize", "grad",
    "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "make_functional", "make_functional_with_buffers", "vjp",
    "vmap",
]  # fmt: skip
__version__ = dyncore.__version__
Tensors = tuple[Any, ...]


class FunctionalModuleWithBuffers(Module):
    """A copy of a model that is called with its parameters and buffers."""

    def __init__(self, model: Module) -> None:
        super().__init__()
        self._model = (model,)  # no child: this module has no parameters of its own
        self._names = tuple(dict(model.named_parameters())), tuple(dict(model.named_buffers()))

    def forward(  # type: ignore[override]
        self, params: Sequence[Any], buffers: Sequence[Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call the model with these parameters and buffers."""
        parameter_names, buffer_names = self._names
        state = dict(zip(parameter_names, params, strict=True)) | dict(zip(buffer_names, buffers, strict=True))
        return functional_call(self._model[0], state, args, kwargs)


class FunctionalModule(FunctionalModuleWithBuffers):
    """A copy of a model without buffers that is called with its parameters."""

    def forward(self, params: Sequence[Any], *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        """Call the model with these parameters."""
        return super().forward(params, (), *args, **kwargs)


def make_functional_with_buffers(
    model: Module, disable_autograd_tracking: bool = False
) -> tuple[FunctionalModuleWithBuffers, Tensors, Tensors]:
    """Return a function of parameters, buffers and inputs, and copies of the model's parameters and buffers."""
    model, params = _copied(model, disable_autograd_tracking)
    return FunctionalModuleWithBuffers(model), params, tuple(model.buffers())


def make_functional(model: Module, disable_autograd_tracking: bool = False) -> tuple[FunctionalModule, Tensors]:
    """Return a function of parameters and inputs, and copies of the parameters of a model without buffers.

    Raises RuntimeError for a model with buffers.
    """
    if next(model.buffers(), None) is not None:
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead."
        )
    model, params = _copied(model, disable_autograd_tracking)
    return FunctionalModule(model), params


def _copied(model: Module, disable_autograd_tracking: bool) -> tuple[Module, Tensors]:
    model = copy.deepcopy(model)
    params = tuple(model.parameters())
    if disable_autograd_tracking:
        for each in params:
            each.requires_grad_(False)
    return model, params


def combine_state_for_ensemble(
    models: Sequence[Module],
) -> tuple[FunctionalModuleWithBuffers, Tensors, Tensors]:
    """Return the function of the first model, and the parameters and buffers of all models, stacked.

    Raises RuntimeError if there are no models, or models of several classes, or in training and evaluation mode.
    """
    check_alike("combine_state_for_ensemble", models)
    functions, params, buffers = zip(*map(make_functional_with_buffers, models), strict=True)
    return functions[0], _stacked(params), _stacked(buffers)


def _stacked(states: Sequence[Tensors]) -> Tensors:
    stack: Callable[..., Any] = dyncore.stack
    return tuple(stack(shards).detach() for shards in zip(*states, strict=True))
