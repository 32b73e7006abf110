"""Nodes of ops on the general path: any number of inputs and outputs, derivatives called by the names they ask for."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dtypes.dtypes import F32, F64
from dyncore.graph import versions
from dyncore.graph.edges import Partial
from dyncore.graph.names import named
from dyncore.graph.node import FREED, AccumulateGrad, GeneralNode
from dyncore.tensors.tensor import Tensor, wrap

from .broadcast import fit, fit_tensor
from .higher_order import tensor_rules, with_zero_gradients, wrap_saved
from .outer import Outer, dense
from .registry import Op
from .saved.attributes import saved_values
from .saved.changed import check_unchanged, second_time


def general_node(op: Op) -> Any:
    """Return the node class of an op on the general path."""
    found = op.nodes.get("general")
    if found is None:
        namespace = {"__slots__": (), "op": op, "__module__": "dyncore", **saved_values(op)}
        if op.kind in ("unary", "binary"):
            namespace["reals"] = property(_are_floats)
        found = op.nodes["general"] = with_zero_gradients(op, type(op.default_title, (Run,), namespace))
    return found


def _are_floats(node: Any) -> bool:
    """Return whether the operands are float32 or float64, as the specialised function of the op asks."""
    return all(dtype is F32 or dtype is F64 or dtype is None for _, dtype in node.metas)


def underived_node(op: Op) -> Any:
    """Return the node class of a call for which PyTorch has no derivative, of an op that has some for others."""
    found = op.nodes.get("underived")
    if found is None:
        own = {"__slots__": (), "run": _refuse, "run_tensors": _refuse}
        found = op.nodes["underived"] = type(op.default_title, (general_node(op),), own)
    return found


def _refuse(node: Any, grad: Any, keep: bool) -> Any:
    raise RuntimeError(f"derivative for aten::{node.op.name} is not implemented")


class Run(GeneralNode):
    """Runner of the derivatives of a general node."""

    __slots__ = ()
    quiet = True
    reals = False  # whether the operands are known to be real

    def run(self, grad: Any, keep: bool) -> Any:
        values = self._ready()
        if not keep and self.holds(values):
            self.values = FREED
        return self._pairs(grad, values, self.op.rules, fit, np.zeros)

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        values = self._ready()
        wrapped = [wrap_saved(self, name, value) for name, value in zip(self.op.saved_names, values, strict=True)]
        if not keep and self.holds(values):
            self.values = FREED
        rules = tensor_rules(self.op, self.reals)
        pairs = self._pairs(grad, wrapped, rules, fit_tensor, _zeros)
        if self.op.back.__class__ is str and "joint" in rules:  # sums that undid a broadcast are part of the formula
            for _, found in pairs:
                if found is not None and found is not grad:
                    named(found, self.op.back)
        return pairs

    def _ready(self) -> Any:
        values = self.values
        if values is FREED:
            raise second_time(self)
        if versions.newest < self.rank:
            check_unchanged(self)
        return self.values

    def _pairs(self, grad: Any, values: Any, rules: Any, fitted: Any, zeros: Any) -> list[tuple[Any, Any]]:
        op = self.op
        names = dict(zip(op.saved_names, values, strict=True))
        if grad.__class__ is Partial:
            for number, out in enumerate(self.outs):
                if out is not None:
                    found = grad.grads.get(number)
                    names[f"g{number}"] = zeros(*out) if found is None else found
            names["g"] = names.get("g0")
            if "grads" in op.gradient_names:
                names["grads"] = [names.get(f"g{number}") for number in range(len(self.outs))]
        else:
            names["g"] = grad
            names["grads"] = [grad]
        results: dict[str, Any] = {}
        pairs: list[tuple[Any, Any]] = []
        if "joint" in rules:
            names["wanted"] = {name for (name, _), edge in zip(self.targets, self.to, strict=True) if edge is not None}
            results = rules["joint"](*[names.get(name) for name in op.rule_arguments["joint"]])
        for (name, place), edge, (shape, dtype) in zip(self.targets, self.to, self.metas, strict=True):
            if edge is None:
                pairs.append((None, None))
                continue
            if name not in results:
                rule = rules.get(name)
                results[name] = rule and rule(*[names.get(each) for each in op.rule_arguments[name]])
            found = results[name]
            if place is not None and found is not None:
                found = found[place]
            # Kept as pairs for a leaf, as by specialised nodes: a gradient does not depend on how often its op has run.
            if found.__class__ is not Outer or edge.__class__ is not AccumulateGrad or found.shape != shape:
                found = None if found is None else fitted(dense(found), shape, dtype)
            pairs.append((edge, found))
        return pairs


def _zeros(shape: tuple[int, ...], dtype: Any) -> Tensor:
    return wrap(np.zeros(shape, dtype), None)
