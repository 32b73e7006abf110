"""Binds every op of the table to its places: the functions, the methods, the operators, the in-place forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import (
    assignment,
    backward,
    creation,
    dispatch,
    exchange,
    filled,
    methods,
    missing,
    questions,
    random,
    rare,
    reflected,
    views,
)
from .inplace import inplace_entry
from .registry import TABLE, Op
from .tensor import Tensor

OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
    "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
}  # fmt: skip
REFLECTED = {"add": "add", "mul": "mul", "sub": "rsub", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"}
UNARY = {"neg": "neg", "abs": "abs", "invert": "bitwise_not", "pos": "positive"}


def bind() -> dict[str, Callable[..., Any]]:
    """Makes the entry of every op, sets Tensor's methods, and returns the public functions by name."""
    functions = bind_ops(TABLE)
    rare.set_stubs()
    modules = (creation, exchange, methods, missing, questions, random, filled, assignment, views, backward)
    written = {name: method for module in modules for name, method in module.METHODS.items()}
    for name, method in written.items():
        setattr(Tensor, name, method)
    _operators()
    return functions


def bind_ops(ops: dict[str, Op]) -> dict[str, Callable[..., Any]]:
    """Makes the entries of these ops, sets Tensor's methods, and returns the public functions by name."""
    functions: dict[str, Callable[..., Any]] = {}
    for name, op in ops.items():
        if op.function:
            functions[name] = op.entry
        if op.method and _free(name):
            setattr(Tensor, name, property(op.entry) if op.attribute else op.entry)
        if op.inplace:
            in_place = inplace_entry(op)
            if _free(f"{name}_"):
                setattr(Tensor, f"{name}_", in_place)
            if op.function or name == "zero":  # there is `torch.zero_`, and no `torch.zero`
                functions[f"{name}_"] = in_place
    return functions


def _free(name: str) -> bool:
    """Whether nothing but a stub has this place in Tensor."""
    return name not in Tensor.__dict__ or hasattr(Tensor.__dict__[name], "waiting")


def _operators() -> None:
    for name, target in OPERATORS.items():
        if target in TABLE:
            setattr(Tensor, f"__{name}__", dispatch.entry(TABLE[target], dunder=True))
            if TABLE[target].inplace:
                setattr(Tensor, f"__i{name}__", inplace_entry(TABLE[target]))
    for name, target in REFLECTED.items():
        if target in TABLE:
            setattr(Tensor, f"__r{name}__", dispatch.entry(TABLE[target], dunder=True))
    for name, method in reflected.METHODS.items():
        setattr(Tensor, name, method)
    for name, target in UNARY.items():
        if target in TABLE:
            setattr(Tensor, f"__{name}__", TABLE[target].entry)
    Tensor.__hash__ = lambda self: id(self)  # type: ignore[method-assign]
