"""Binds every op of the table to its places: the functions, the methods, the operators, the in-place forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.creation import (
    convert as methods,
)
from dyncore.creation import (
    factory as creation,
)
from dyncore.creation import (
    filled,
    random,
    reflected,
)
from dyncore.creation import (
    interop as exchange,
)
from dyncore.creation import (
    query as questions,
)
from dyncore.dispatch import entries as dispatch
from dyncore.dispatch import missing
from dyncore.dispatch.operators import OPERATORS, UNARY
from dyncore.dispatch.registry import TABLE, Op
from dyncore.dispatch.specialize.plain_writes import write_entry
from dyncore.engine import api as backward
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.mutation import setitem as assignment
from dyncore.mutation.inplace import inplace_entry
from dyncore.tensors import views
from dyncore.tensors.tensor import Tensor

from . import lazy as rare


def bind() -> dict[str, Callable[..., Any]]:
    """Makes the entry of every op, sets Tensor's methods, and returns the public functions by name."""
    functions = bind_ops(TABLE)
    rare.set_stubs()
    modules = (creation, exchange, methods, missing, questions, random, filled, assignment, views, backward, reflected)
    written = {name: method for module in modules for name, method in module.METHODS.items()}
    for name, method in written.items():
        setattr(Tensor, name, method)
    Tensor.__hash__ = capture_as(REPLAYED)(lambda self: id(self))  # type: ignore[method-assign]
    return functions


def bind_ops(ops: dict[str, Op]) -> dict[str, Callable[..., Any]]:
    """Makes the entries of these ops, sets Tensor's methods, and returns the public functions by name."""
    functions: dict[str, Callable[..., Any]] = {}
    methods: dict[str, Any] = {}
    for name, op in ops.items():
        if op.function:
            functions[name] = op.entry
        if op.method:
            methods[name] = property(op.entry) if op.attribute else op.entry
        if op.inplace:
            methods[f"{name}_"] = write_entry(op, inplace_entry(op))
            if op.function or name == "zero":  # there is `torch.zero_`, and no `torch.zero`
                functions[f"{name}_"] = methods[f"{name}_"]
    for operator, name in OPERATORS.items():
        if name in ops and name not in UNARY:
            methods[operator] = dispatch.entry(ops[name], dunder=True)
        elif name in methods and name[-1] == "_":
            methods[operator] = write_entry(ops[name[:-1]], inplace_entry(ops[name[:-1]], dunder=True))
        elif name in methods:
            methods[operator] = methods[name]
    for name, method in methods.items():
        if _free(name):
            setattr(Tensor, name, method)
    return functions


def _free(name: str) -> bool:
    """Whether nothing but a stub has this place in Tensor."""
    return name not in Tensor.__dict__ or hasattr(Tensor.__dict__[name], "waiting")
