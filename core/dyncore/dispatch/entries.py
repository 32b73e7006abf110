"""From an op's record to the functions users call: the general path, or a function written for the op."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from .general import call
from .old_calls import only, pair, with_options
from .operands import takes
from .registry import ABSENT, Op
from .specialize.cache import Specialized

__capture__ = "replayed"

listener: Any = None
quick: Any = None  # see `events.Listener.op`
now = perf_counter


def entry(op: Op, dunder: bool = False) -> Callable[..., Any]:
    """The public function of `op`; with `dunder`, one that answers NotImplemented to operands it cannot take."""
    if op.composite:
        from .composite import composite_entry

        made = composite_entry(op)
    else:
        made = elementwise_entry(op, dunder) if op.kind in ("unary", "binary") else general_entry(op, dunder)
    made.__name__ = made.__qualname__ = op.name
    made.__doc__, made.__module__ = op.forward.__doc__, "dyncore"
    return made


def general_entry(op: Op, dunder: bool = False) -> Callable[..., Any]:
    """Return the function of an op of any signature."""
    made: Callable[..., Any]
    if joins(op) or (op.view and op.gradient_names == {"grads"}):
        made = list_entry(op)
    elif op.flat and len(op.names) == 2:
        made = product_entry(op, dunder)
    elif op.flat:
        from .specialize import affine

        made = affine.entry_of(op, structured_entry(op, _general(op, dunder)))
    else:
        made = structured_entry(op, _general(op, dunder))
    made.__wrapped__ = op.forward  # type: ignore[attr-defined]
    return made


def _general(op: Op, dunder: bool) -> Callable[..., Any]:
    """Return the general function of an op; an operator's lets the other operand answer for what it cannot take."""
    if not dunder:
        return lambda *args, **kwargs: call(op, args, kwargs)
    return lambda *args, **kwargs: call(op, args, kwargs) if len(args) < 2 or takes(op, args[1]) else NotImplemented


def structured_entry(op: Op, general: Callable[..., Any], within: bool = False) -> Callable[..., Any]:
    """Return the function of an op of any signature, specialised once it is called often.

    within: whether `general` takes more than the op does, which is run for a tensor alone.
    """

    def write(listening: bool) -> str | None:
        from .specialize import structured

        return structured.write(op, within, listening)

    def bind() -> dict[str, Any]:
        from .specialize import structured

        return structured.names_of(op, general, within)

    return Specialized(op, general, write, bind).function


def joins(op: Op) -> bool:
    """Return whether an op puts the tensors of a list together."""
    return op.names[0] == "tensors" and len(op.names) == 2 and set(op.rules) == {"tensors"} and not op.private


def list_entry(op: Op) -> Callable[..., Any]:
    """Return the function of an op that takes or gives a list of tensors, specialised at its first call."""

    def general(*args: Any, **kwargs: Any) -> Any:
        from .specialize import lists

        return lists.general_of(op)(*args, **kwargs)

    def write(listening: bool) -> str:
        from .specialize import lists

        return lists.write(op, listening)

    def bind() -> dict[str, Any]:
        from .specialize import lists

        return lists.names_of(op)

    return Specialized(op, general, write, bind, warm=1).function  # a record shows one form of its arguments


def product_entry(op: Op, dunder: bool) -> Callable[..., Any]:
    """Return the function of a product, specialised once it is called often; what it does not take is structured."""
    general = _general(op, dunder)

    def write(listening: bool) -> str:
        from .specialize import products

        return products.write(op, dunder, listening)

    def bind() -> dict[str, Any]:
        from .specialize import products

        return products.names_of(op, structured_entry(op, general))

    return Specialized(op, general, write, bind).function


def elementwise_entry(op: Op, dunder: bool) -> Callable[..., Any]:
    """Return the function of a unary or binary op, which is specialised once it is called often."""

    def write(listening: bool) -> str:
        from .specialize import elementwise

        return elementwise.write(op, dunder, listening)

    def bind() -> dict[str, Any]:
        from .specialize import elementwise

        return elementwise.names_of(op)

    return Specialized(op, _unary(op) if op.kind == "unary" else _binary(op, dunder), write, bind).function


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
