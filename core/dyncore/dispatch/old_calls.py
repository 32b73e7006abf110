"""Calls as they are seldom written: NumPy's names for arguments, options, numbers before the tensors they scale."""

from __future__ import annotations

from typing import Any

from dyncore.graph.handlers import handlers

from .registry import ABSENT, TABLE, Op


def only(op: Op, input: Any, x: Any, a: Any, x1: Any) -> tuple[Any]:
    """Return the operand of a unary op, whatever it was called.  Raise TypeError for none, and for two."""
    named = [each for each in (x, a, x1) if each is not None]
    if input is ABSENT:
        if not named:
            raise TypeError(f'{op.name}() missing 1 required positional arguments: "input"')
        return (named[0],)
    if named:
        raise TypeError(f"{op.name}() takes 1 positional argument but 2 were given")
    return (input,)


def pair(op: Op, input: Any, other: Any, x1: Any, x2: Any, alpha: Any) -> tuple[Any, Any, Any]:
    """Both operands and `alpha` of a call with `x2`, or with a third argument.

    `add(x, 2, y)` is how `add(x, y, alpha=2)` was written once; `rsub(x, y, 2)` is still written so.
    """
    if input is ABSENT and x1 is not None:
        input = x1
    if other is ABSENT:
        return input, x2, alpha
    scaled = op.name == "rsub" or (op.name in ("add", "sub") and isinstance(other, (int, float, complex)))
    if alpha is not None or x1 is not None or not scaled:
        given = 3 if x1 is None else 4
        raise TypeError(f"{op.name}() takes 2 positional arguments but {given} were given")
    return (input, other, x2) if op.name == "rsub" else (input, x2, other)


def with_options(op: Op, input: Any, other: Any, scaled: bool, alpha: Any, rounding_mode: Any, out: Any) -> Any:
    """`alpha=` of add and sub, `rounding_mode=` of div; TypeError for any other op."""
    if alpha is None and rounding_mode is None:
        return op.entry(input, other, out=out)
    if isinstance(input, (int, float)) and isinstance(other, (int, float)):
        input = handlers.number(input)
    if rounding_mode is not None and op.name == "div":
        return TABLE["div_rounded"].entry(input, other, rounding_mode=rounding_mode, out=out)
    if alpha is None or not scaled or rounding_mode is not None:
        raise TypeError(
            f"{op.name}() got an unexpected keyword argument '{'rounding_mode' if alpha is None else 'alpha'}'"
        )
    return TABLE[f"{op.name}_scaled"].entry(input, other, alpha=alpha, out=out)
