"""From an op's record to the functions users call: the general path, or a function written for the op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.graph.modes import GRAD, NO_GRAD, current
from dyncore.tensors.tensor import Tensor

from .arguments import only, pair, takes, with_options
from .composite import composite_function
from .general import call
from .registry import ABSENT, TABLE, Op, joins
from .specialize.cache import specialized, structured

__capture__ = "replayed"


def entry(op: Op, dunder: bool = False) -> Callable[..., Any]:
    """Return the public function of `op`; with `dunder`, one that answers NotImplemented to what it cannot take."""
    if op.composite:
        made = composite_function(op)
        if op.alone is not None:
            made = structured(TABLE[op.alone], made, within=True)
    else:
        general = _general(op, dunder)
        general.__qualname__ = op.name  # errors of wrong arguments name it
        made = specialized(op, family_of(op), general, dunder)
    made.__wrapped__ = op.forward  # type: ignore[attr-defined]
    made.__name__ = made.__qualname__ = op.name
    made.__doc__, made.__module__ = op.forward.__doc__, "dyncore"
    return made


def family_of(op: Op) -> str:
    """Return the module of `specialize` that writes the op's function."""
    if op.kind in ("unary", "binary"):
        return "elementwise"
    if joins(op) or (op.view and op.gradient_names == {"grads"}):
        return "lists"
    if op.flat:
        return "products" if len(op.names) == 2 else "linear"
    return "structured"


def _general(op: Op, dunder: bool) -> Callable[..., Any]:
    """Return the general function of an op; an operator's lets the other operand answer for what it cannot take."""
    if op.kind in ("unary", "binary"):
        return _unary(op) if op.kind == "unary" else _binary(op, dunder)
    if family_of(op) == "lists":
        return _joining(op) if joins(op) else _splitting(op)
    if not dunder:
        return lambda *args, **kwargs: call(op, args, kwargs)
    return lambda *args, **kwargs: call(op, args, kwargs) if len(args) < 2 or takes(op, args[1]) else NotImplemented


def _joining(op: Op) -> Callable[..., Any]:
    """Return the general function of an op that puts the tensors of a list together."""
    default = op.defaults[op.names[1]]

    def general(tensors: Any, dim: Any = default, **more: Any) -> Any:
        if tensors.__class__ is not list and tensors.__class__ is not tuple:
            raise TypeError(
                f"{op.name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(tensors).__name__}"
            )
        mode = current()
        if not more and dim.__class__ is int and (mode is GRAD or mode is NO_GRAD):
            for number, each in enumerate(tensors):
                if not isinstance(each, Tensor):
                    raise TypeError(f"expected Tensor as element {number} in argument 0, but got {type(each).__name__}")
        return call(op, (tensors,) if dim is default and "axis" in more else (tensors, dim), more)

    return general


def _splitting(op: Op) -> Callable[..., Any]:
    """Return the general function of an op that takes a tensor apart."""

    def general(input: Any = None, *args: Any, **kwargs: Any) -> Any:
        if input is None and op.names[0] in kwargs:
            input = kwargs.pop(op.names[0])
        return call(op, (input, *args), kwargs)

    return general


def _unary(op: Op) -> Callable[..., Any]:
    """Return the general function of a unary op: its operand may have one of NumPy's names."""

    def general(input: Any = ABSENT, x: Any = None, a: Any = None, x1: Any = None, out: Any = None) -> Any:
        return call(op, only(op, input, x, a, x1), {} if out is None else {"out": out})

    return general


def _binary(op: Op, dunder: bool) -> Callable[..., Any]:
    """Return the general function of a binary op, with the options of `add`, `sub` and `div`."""
    scaled = op.name in ("add", "sub", "rsub")

    def general(
        input: Any = ABSENT,
        other: Any = ABSENT,
        x2: Any = None,
        x1: Any = None,
        alpha: Any = None,
        rounding_mode: Any = None,
        out: Any = None,
    ) -> Any:
        if alpha is not None or rounding_mode is not None or x2 is not None:
            if x2 is not None:
                input, other, alpha = pair(op, input, other, x1, x2, alpha)
            return with_options(op, input, other, scaled, alpha, rounding_mode, out)
        return call(op, (input, other), {} if out is None else {"out": out}, dunder)

    return general
