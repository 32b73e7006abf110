"""Binds every op of the table to its places: the functions, the methods, the operators, the in-place forms."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from dyncore import autograd
from dyncore.creation import convert, factory, filled, interop, query, random, reflected, subclasses
from dyncore.dispatch.entries import entry
from dyncore.dispatch.operators import OPERATORS, UNARY
from dyncore.dispatch.registry import TABLE, Op
from dyncore.dispatch.specialize.inplace import inplace_function
from dyncore.dtypes import dtypes
from dyncore.engine import anomaly, api, grad_hooks
from dyncore.engine.node_methods import bind_nodes
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.graph.handlers import handlers
from dyncore.mutation import setitem
from dyncore.mutation.inplace import inplace_entry, into
from dyncore.tensors import missing, views
from dyncore.tensors.tensor import Tensor

from . import lazy

_FORWARD_MODE = ("carried", "written", "with_tangents", "on_duals")
_METHODS_ELSEWHERE = {
    "prelu": "dyncore.nn.functional", "hash_tensor": "dyncore.compat.segments",
    **dict.fromkeys(("eig", "lstsq", "solve", "symeig"), "dyncore.compat.removed"),
    **dict.fromkeys(
        ("to_sparse", "to_sparse_coo", "coalesce", "is_coalesced", "indices", "values", "smm", "sparse_mask"),
        "dyncore.compat.sparse",
    ),
}  # fmt: skip


def bind() -> dict[str, Callable[..., Any]]:
    """Make the entry of every op, set Tensor's methods, and return the public functions by name."""
    bind_handlers()
    functions = bind_ops(TABLE)
    lazy.set_stubs(bind_ops)
    bind_nodes()
    modules = (
        *(factory, interop, convert, missing, query, random, filled),
        *(setitem, views, api, grad_hooks, reflected, subclasses),
    )
    written = {name: method for module in modules for name, method in module.METHODS.items()}
    for name, method in written.items():
        setattr(Tensor, name, method)
    for name, module in _METHODS_ELSEWHERE.items():
        setattr(Tensor, name, _imported(module, name))
    Tensor.__hash__ = capture_as(REPLAYED)(lambda self: id(self))  # type: ignore[method-assign]
    return functions


def bind_handlers() -> None:
    """Give lower packages what they need of upper ones."""
    handlers.into = into
    handlers.number = lambda value: factory.tensor(dtypes.number(value))
    handlers.grad = autograd.grad
    handlers.remember = anomaly.remember
    handlers.forbidden = _imported("dyncore.mutation.copy_slices", "forbidden")
    handlers.once = _imported("dyncore.batching.slices", "once")
    handlers.with_rows = _imported("dyncore.compat.sparse", "with_rows")
    handlers.aten = _imported("dyncore.compat.aten", "Aten")
    handlers.detach = TABLE["detach"]
    handlers.entry = entry
    for name in _FORWARD_MODE:
        setattr(handlers, name, _imported("dyncore.autograd.forward_ad", name))


def _imported(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports its module when it is called first: few programs need it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(import_module(module), name)(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    return call


def bind_ops(ops: dict[str, Op]) -> dict[str, Callable[..., Any]]:
    """Make the entries of these ops, set Tensor's methods, and return the public functions by name."""
    functions: dict[str, Callable[..., Any]] = {}
    methods: dict[str, Any] = {}
    for name, op in ops.items():
        if op.function:
            functions[name] = op.entry
        if op.method:
            methods[name] = property(op.entry) if op.attribute else op.entry
        if op.inplace:
            methods[f"{name}_"] = inplace_function(op, inplace_entry(op))
            if op.function or name == "zero":  # there is `torch.zero_`, and no `torch.zero`
                functions[f"{name}_"] = methods[f"{name}_"]
    for operator, name in OPERATORS.items():
        if name in ops and name not in UNARY:
            methods[operator] = entry(ops[name], dunder=True)
        elif name in methods and name[-1] == "_":
            methods[operator] = inplace_function(ops[name[:-1]], inplace_entry(ops[name[:-1]], dunder=True))
        elif name in methods:
            methods[operator] = methods[name]
    for name, method in methods.items():
        if _free(name):
            setattr(Tensor, name, method)
    return functions


def _free(name: str) -> bool:
    """Return whether nothing but a stub has this place in Tensor."""
    return name not in Tensor.__dict__ or hasattr(Tensor.__dict__[name], "waiting")
