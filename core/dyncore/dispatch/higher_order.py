"""Derivatives on Tensors: the same rules again, with `np` and the names of ops standing for Tensor functions.

A rule such as `lambda g, input: g * np.cos(input)` runs on raw arrays in an ordinary backward. Under `create_graph` its
code object is given other globals, in which `np` is `TensorNumpy` and `gather` is the gather of Tensors; what it then
computes is itself recorded.
"""

from __future__ import annotations

import math
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from dyncore.graph.handlers import handlers
from dyncore.graph.names import called
from dyncore.graph.node import Output, edge_of
from dyncore.tensors.tensor import wrap

from .registry import BY_FORWARD, TABLE, Op, Rule

_NAMES = {
    "multiply": "mul", "divide": "div", "true_divide": "div", "subtract": "sub", "negative": "neg", "power": "pow",
    "absolute": "abs", "concatenate": "cat", "expand_dims": "unsqueeze", "transpose": "permute", "arctan2": "atan2",
    "arccos": "acos", "arcsin": "asin", "arctan": "atan", "arccosh": "acosh", "arcsinh": "asinh", "arctanh": "atanh",
    "conjugate": "conj", "take_along_axis": "take_along_dim",
}  # fmt: skip
_ARGUMENTS = {"axis": "dim", "keepdims": "keepdim"}


class TensorNumpy:
    """Namespace of `np` in a rule that runs on Tensors."""

    pi, inf, nan, e, newaxis = math.pi, math.inf, math.nan, math.e, None
    ndarray = np.ndarray
    float32, float64, complex64, complex128 = np.float32, np.float64, np.complex64, np.complex128

    def __getattr__(self, name: str) -> Any:
        found = TABLE.get(_NAMES.get(name, name))
        if found is None:
            raise AttributeError(f"a derivative uses np.{name}, which has no Tensor counterpart")
        entry = found.entry

        def translated(*args: Any, **kwargs: Any) -> Any:
            if found.strict:
                args = _tensors(args)
            return entry(*args, **{_ARGUMENTS.get(key, key): value for key, value in kwargs.items()})

        setattr(self, name, translated)
        return translated


def _tensors(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return operands as NumPy takes them.

    A number becomes a tensor of the dtype of the tensor beside it.
    """
    like = next(each for each in args if hasattr(each, "new_tensor"))
    return tuple(each if hasattr(each, "new_tensor") else like.new_tensor(each) for each in args)


tensor_numpy = TensorNumpy()
_worlds: dict[int, dict[str, Any]] = {}


def on_tensors(rule: Rule) -> Rule:
    """Return `rule` to be called with Tensors."""
    found = BY_FORWARD.get(rule)
    return retold(rule) if found is None else found.entry


def retold(rule: Any) -> Rule:
    """Return `rule` with `np` and the names of ops standing for Tensor functions.

    Also for an op's own forward.
    A rule whose result has another derivative than its formula says has a second one, `recorded`, for Tensors.
    """
    rule = getattr(rule, "recorded", rule)
    made = FunctionType(rule.__code__, _world(rule.__globals__), rule.__name__, rule.__defaults__, rule.__closure__)
    made.__kwdefaults__, made.__qualname__ = rule.__kwdefaults__, rule.__qualname__
    return made


def tensor_rules(op: Op, reals: bool) -> dict[str, Rule]:
    """Return the derivatives of an op on Tensors; for real operands by the rule for these, if the op has one."""
    rules: dict[str, Rule] | None = op.nodes.get(("on_tensors", reals))
    if rules is None:
        rules = {key: on_tensors(op.twice or rule if reals else rule) for key, rule in op.rules.items()}
        rules = op.nodes["on_tensors", reals] = called(rules, op.back)
    return rules


def _world(names: dict[str, Any]) -> dict[str, Any]:
    """Return the globals of an ops module as a Tensor rule sees them."""
    found = _worlds.get(id(names))
    if found is not None:
        return found
    world = _worlds[id(names)] = dict(names)
    for key, value in names.items():
        if value is np:
            world[key] = tensor_numpy
        elif value is np.ndarray.dot:
            world[key] = TABLE["matmul"].entry
        elif isinstance(value, FunctionType) and value.__globals__.get("__name__", "").startswith("dyncore.ops"):
            world[key] = on_tensors(value)
        elif isinstance(value, ModuleType) and value.__name__.startswith("dyncore.ops"):
            world[key] = _Module(value)
    return world


class _Module:
    """An ops module whose functions take Tensors."""

    def __init__(self, module: ModuleType) -> None:
        self._world = _world(module.__dict__)

    def __getattr__(self, name: str) -> Any:
        return self._world[name]


def wrap_saved(node: Any, name: str, value: Any) -> Any:
    """Return a saved value as a Tensor with its history; a plain value as it is."""
    if node.extra is not None and node.extra.tangents is not None:
        return handlers.with_tangents(node, name, _wrapped(node, name, value))
    return _wrapped(node, name, value)


def as_saved(node: Any, name: str, value: Any, edge: Any) -> Any:
    """Return the same for a saved operand whose edge is known, which is sooner."""
    if node.extra is None and value.__class__ is np.ndarray:
        return wrap(value, edge)
    return wrap_saved(node, name, value)


def _wrapped(node: Any, name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_with_edge(each, edge_of(node, name, number)) for number, each in enumerate(value)]
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    if name == "result":
        instead = None if node.extra is None else node.extra.instead
        return wrap(value, node if instead is None else instead)
    if name.startswith("result") and name[6:].isdigit():
        number = int(name[6:])
        floating = value.dtype.kind in "fc"
        return wrap(value, Output(node, number) if floating else None)
    return _with_edge(value, edge_of(node, name, None))


def _with_edge(array: Any, edge: Any) -> Any:
    return wrap(array, edge) if isinstance(array, (np.ndarray, np.generic)) else array


# The ops whose gradients are level.
ZERO_GRADIENTS = frozenset((
    "relu", "leaky_relu", "hardtanh", "hardshrink", "softshrink", "rrelu_with_noise", "max_windows",
    "max_windows_with_indices", "adaptive_max", "fractional_max", "avg_windows", "adaptive_avg", "reflection_pad",
    "replication_pad",
))  # fmt: skip


# The ops of gradients that lead to the input of their own.
_LEADING = frozenset(("threshold_backward", "leaky_relu_backward", "hardtanh_backward"))


def with_zero_gradients(op: Op, node: Any) -> Any:
    """Return the node class, whose gradients under `create_graph` lead to the input too if the op is one of these."""
    if op.name not in ZERO_GRADIENTS:
        return node
    run = node.run_tensors

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        found = run(self, grad, keep)
        if self.single:
            return _with_zeros(self, found, self.e0)
        return [(edge, _with_zeros(self, g, edge)) for edge, g in found]

    node.run_tensors = run_tensors
    return node


def _with_zeros(node: Any, gradient: Any, edge: Any) -> Any:
    """Return the gradient as a function of what the edge leads to as well."""
    if gradient is None or edge is None:
        return gradient
    if node.op.name == "adaptive_avg" and set(node.saved()["output_size"]) == {1}:
        return gradient  # one mean over everything, which is PyTorch's `mean`
    made = gradient._edge
    if made is not None and made.node.op is not None and made.node.op.name in _LEADING:
        return gradient
    array = gradient._array
    there = wrap(np.broadcast_to(array.dtype.type(0), array.shape) if array.ndim else array.dtype.type(0), edge)
    title = "ThresholdBackwardBackward0" if node.op.name == "relu" else f"{node.name()[:-1]}Backward0"
    if title == "SqueezeBackwardBackward0":  # pools along one dimension are those of images of height 1
        title = "SqueezeBackward1"
    return TABLE["level"].entry(gradient, there, title)
