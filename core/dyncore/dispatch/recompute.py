"""Derivatives of an op by running its formula once more on Tensors, where a rule would say no more."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from dyncore.graph.events import not_recorded
from dyncore.graph.handlers import handlers
from dyncore.graph.modes import current, enable_grad
from dyncore.tensors.tensor import Tensor, wrap

from .higher_order import retold
from .registry import TABLE


def recomputed(formula: Any, g: Any, wanted: set[str], inputs: dict[str, Any], *options: Any) -> dict[str, Any]:
    """Return the gradients of `formula(*inputs, *options)` for the inputs in `wanted`, given its result's gradient `g`.

    `formula` is array-agnostic, as a rule is. Under create_graph everything is a Tensor and the gradients are recorded.
    """
    recorded = isinstance(g, Tensor)
    if recorded:
        with enable_grad():  # gradients inside a dual level are not recorded for backward
            tensors = {name: _apart(value, name in wanted) for name, value in inputs.items()}
    else:
        formula = retold(formula)
        tensors = {name: _leaf(value, name in wanted) for name, value in inputs.items()}
    names = [name for name in inputs if name in wanted]
    with enable_grad(), nullcontext() if recorded else not_recorded():
        result = formula(*tensors.values(), *(_option(each) for each in options))
        if not result.requires_grad:
            return {name: inputs[name] * 0 for name in names}
        cotangent = g if recorded else wrap(g, None)
        found = handlers.grad(
            result, [tensors[name] for name in names], cotangent, create_graph=recorded, allow_unused=True
        )
    return {
        name: inputs[name] * 0 if each is None else each if recorded else each._array
        for name, each in zip(names, found, strict=True)
    }


def recomputed_several(formula: Any, gs: Any, wanted: set[str], inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the same for a formula with several results, under create_graph: everything is a Tensor."""
    names = [name for name in inputs if name in wanted]
    with enable_grad():
        tensors = {name: _apart(value, name in wanted) for name, value in inputs.items()}
        results = formula(*tensors.values())
        pairs = [(result, g) for result, g in zip(results, gs, strict=True) if result.requires_grad]
        targets = [tensors[name] for name in names]
        outs, cotangents = [result for result, _ in pairs], [g for _, g in pairs]
        found = handlers.grad(outs, targets, cotangents, create_graph=True, allow_unused=True)
    return {name: inputs[name] * 0 if each is None else each for name, each in zip(names, found, strict=True)}


def _apart(value: Any, wanted: bool) -> Any:
    """Return an input under a node of its own, so that its gradient is partial: another may have been made from it.

    In forward mode the input itself, whose tangents its gradient is to carry.
    """
    if not wanted or not value.requires_grad or current().forward_level >= 0:
        return value
    return TABLE["view_as"].entry(value, value)


def _option(value: Any) -> Any:
    """Return a kept array as a Tensor, which is what the formula computes with here; anything else as it is."""
    if isinstance(value, (np.ndarray, np.generic)):
        return wrap(value, None)
    return tuple(_option(each) for each in value) if isinstance(value, tuple) else value


def _leaf(value: Any, wanted: bool) -> Any:
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    made = wrap(value, None)
    return made.requires_grad_() if wanted else made
