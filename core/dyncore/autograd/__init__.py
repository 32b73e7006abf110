"""Derivatives: `backward`, `grad`, and the modules around them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from dyncore.engine.api import backward, walk
from dyncore.engine.checks import is_one, own_gradient, starts, wanted_edge
from dyncore.engine.edges import GradientEdge as GradientEdge
from dyncore.errors.advice import advise
from dyncore.graph import events, versions
from dyncore.graph.modes import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
)
from dyncore.tensors.tensor import Tensor, wrap

if TYPE_CHECKING:
    from .function import Function as Function, once_differentiable as once_differentiable

__all__ = [
    "Function", "GradientEdge", "Variable", "backward", "detect_anomaly", "enable_grad", "grad", "gradcheck",
    "gradgradcheck", "inference_mode", "no_grad", "set_detect_anomaly", "set_grad_enabled",
]  # fmt: skip


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """Return the gradients of `outputs` with respect to `inputs`; no `.grad` changes.

    grad_outputs: the cotangents, one for each output; None means ones for a one-element output.
    is_grads_batched: the first dimension of each cotangent counts cotangents; results get that dimension too.
    allow_unused: None instead of an error for an input the outputs do not depend on; materialize_grads: zeros instead.
    Raises RuntimeError for an input that does not require grad or was not used.
    """
    if not only_inputs:
        _warn_only_inputs()
    if isinstance(inputs, dict):
        gradients = grad(
            outputs, tuple(inputs.values()), grad_outputs, retain_graph, create_graph, True, allow_unused,
            is_grads_batched, materialize_grads,
        )  # fmt: skip
        return dict(zip(inputs, gradients, strict=True))
    if is_grads_batched:
        from .batched import batched_grad

        return batched_grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused, materialize_grads)
    roots = (outputs,) if is_one(outputs) else tuple(outputs)
    targets = (inputs,) if is_one(inputs) else tuple(inputs)
    if not targets:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if materialize_grads:
        if allow_unused is False:
            raise ValueError(
                "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                "allow_unused=False."
            )
        allow_unused = True
    start = starts(roots, grad_outputs, create_graph)
    wanted = [wanted_edge(each) for each in targets]
    if None in wanted:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    keep = (create_graph if retain_graph is None else retain_graph) or versions.batch is not None  # it shares its graph
    gradients = walk(start, keep, create_graph, wanted, accumulate=False, roots=roots)
    results = [
        _lying_as(each, own_gradient(each, g if isinstance(g, Tensor) else wrap(g, None)))
        if (g := gradients.get((edge.node, edge.index))) is not None
        else _unused(number, each, allow_unused, materialize_grads, create_graph)
        for number, (edge, each) in enumerate(zip(wanted, targets, strict=True))
    ]
    if events.listener is not None:
        events.listener.took(roots, targets, results)
    return tuple(results)


def _warn_only_inputs() -> None:
    from dyncore.errors.explain import warn

    warn(
        "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
        "other parts of the graph, please use torch.autograd.backward.",
        FutureWarning,
    )


def _unused(number: int, target: Any, allowed: bool | None, materialize: bool, create_graph: bool) -> Any:
    """Return the gradient of an input that the outputs do not depend on: None, or zeros.

    Raises RuntimeError unless it is allowed.
    """
    if not allowed:
        raise RuntimeError(
            f"The differentiated Tensor at index {number} appears to not have been used in the graph. Set "
            "allow_unused=True if this is the desired behavior."
        )
    if not materialize:
        return None
    if not isinstance(target, Tensor):
        raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
    return target.new_zeros(target.shape, requires_grad=create_graph)


def _lying_as(tensor: Any, gradient: Tensor) -> Tensor:
    """Return the gradient in C order if the tensor is, so that it can be flattened.

    `gradient.view(-1)` needs that.
    """
    array = gradient._array
    if array.__class__ is not np.ndarray or array.flags.c_contiguous or 0 in array.strides:
        return gradient
    if (
        not isinstance(tensor, Tensor)
        or not tensor.is_contiguous()
        or (gradient._meta is not None and gradient._meta.tangent is not None)
    ):
        return gradient
    copied = wrap(np.ascontiguousarray(array), gradient._edge)
    if hasattr(gradient, "_trace"):
        copied._trace = gradient._trace
    return copied


class _Variables(type):
    """Metaclass that makes `isinstance(x, Variable)` true of tensors."""

    @property
    def _execution_engine(cls) -> Any:
        from . import engine

        return engine

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, Tensor)

    def __call__(cls, data: Any = None, requires_grad: bool = False, volatile: Any = None) -> Any:
        if volatile is not None:
            advise("volatile")
        if data is None:
            data = wrap(np.zeros(0, np.float32), None)
        return data.detach().requires_grad_(True) if requires_grad else data


class Variable(metaclass=_Variables):
    """Old name of a tensor: `Variable(data)` is `data`."""


# Modules of names that few scripts use, and of some private names of PyTorch's.
_FROM = {
    "Function": ("autograd.function", "Function"),
    "once_differentiable": ("autograd.function", "once_differentiable"),
    "SavedTensor": ("dispatch.saved.packed", "SavedTensor"),
    "_calculate_shape": ("engine.checks", "calculate_shape"),
    "_unsafe_preserve_version_counter": ("autograd.graph", "unsafe_preserve_version_counter"),
    "is_multithreading_enabled": ("graph.modes", "is_multithreading_enabled"),
    "set_multithreading_enabled": ("graph.modes", "set_multithreading_enabled"),
    "_force_original_view_tracking": ("graph.modes", "force_original_view_tracking"),
    "is_view_replay_enabled": ("graph.modes", "is_view_replay_enabled"),
    "kineto_available": ("autograd.profiler", "kineto_available"),
    "_make_grads": ("engine.checks", "make_grads"),
    "_tensor_or_tensors_to_tuple": ("engine.checks", "as_tuple"),
    "is_tensor_like": ("creation.query", "is_tensor"),
}


# Not when asked for: `import dyncore.autograd.gradcheck` would put the module where the function belongs.
from .gradcheck import gradcheck as gradcheck, gradgradcheck as gradgradcheck  # noqa: E402

_LAZY = (
    "_functions", "anomaly_mode", "engine", "functional", "forward_ad", "function", "grad_mode", "graph", "profiler",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import rare submodules on first access."""
    if name == "torch":
        return importlib.import_module("..", __name__)
    if name in _FROM:
        module, inner = _FROM[name]
        value = globals()[name] = getattr(importlib.import_module(f"..{module}", __name__), inner)
        return value
    if name not in _LAZY:
        from dyncore.errors.explain import missing_in

        return missing_in(__name__)(name)
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_FROM})
