"""Calls of a compiled entry that name an argument as NumPy does, or leave one out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .explain import renaming
from .general import call
from .operands import takes
from .registry import ABSENT, Op

__all__ = ["ABSENT", "lacking", "odd", "operator"]


def lacking(values: tuple[Any, ...]) -> bool:
    """Whether one of these was not given."""
    return any(value is ABSENT for value in values)


def operator(way: Callable[..., Any]) -> Callable[..., Any]:
    """`call` or `odd` of an operator, whose other operand may know what to do where an op cannot take it."""

    def answer(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return way(op, args, kwargs) if len(args) < 2 or takes(op, args[1]) else NotImplemented

    return answer


def odd(op: Op, values: tuple[Any, ...], more: dict[str, Any]) -> Any:
    """`call` of a compiled entry's arguments: those not given, or given by NumPy's name for them, are left out."""
    names = op.forward.__code__.co_varnames[: op.forward.__code__.co_argcount]
    known = {renaming(op, key) for key in more}
    args: tuple[Any, ...] = ()
    for number, (name, value) in enumerate(zip(names, values, strict=False)):
        if value is ABSENT or (name in known and value is op.defaults.get(name, ABSENT)):
            rest = zip(names[number + 1 :], values[number + 1 :], strict=False)
            return call(op, args, {**{n: v for n, v in rest if v is not ABSENT and n not in known}, **more})
        args = (*args, value)
    return call(op, args + values[len(names) :], more)
