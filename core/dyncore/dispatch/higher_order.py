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
from dyncore.graph.node import Output, edge_of
from dyncore.tensors.tensor import wrap

from .registry import BY_FORWARD, TABLE, Rule

_NAMES = {
    "multiply": "mul", "divide": "div", "true_divide": "div", "subtract": "sub", "negative": "neg", "power": "pow",
    "absolute": "abs", "concatenate": "cat", "expand_dims": "unsqueeze", "transpose": "permute", "arctan2": "atan2",
    "arccos": "acos", "arcsin": "asin", "arctan": "atan", "arccosh": "acosh", "arcsinh": "asinh", "arctanh": "atanh",
    "conjugate": "conj", "take_along_axis": "take_along_dim",
}  # fmt: skip
_ARGUMENTS = {"axis": "dim", "keepdims": "keepdim"}


class TensorNumpy:
    """What `np` means in a rule that runs on Tensors."""

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
    """Operands as NumPy takes them: a number becomes a tensor of the dtype of the tensor beside it."""
    like = next(each for each in args if hasattr(each, "new_tensor"))
    return tuple(each if hasattr(each, "new_tensor") else like.new_tensor(each) for each in args)


tensor_numpy = TensorNumpy()
_worlds: dict[int, dict[str, Any]] = {}


def on_tensors(rule: Rule) -> Rule:
    """`rule` again, to be called with Tensors."""
    found = BY_FORWARD.get(rule)
    return retold(rule) if found is None else found.entry


def retold(rule: Any) -> Rule:
    """`rule` with `np` and the names of ops standing for Tensor functions, also when it is an op's own forward.

    A rule whose result has another derivative than its formula says has a second one, `recorded`, for Tensors.
    """
    rule = getattr(rule, "recorded", rule)
    made = FunctionType(rule.__code__, _world(rule.__globals__), rule.__name__, rule.__defaults__, rule.__closure__)
    made.__kwdefaults__ = rule.__kwdefaults__
    return made


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
