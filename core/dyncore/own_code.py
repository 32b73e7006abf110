"""A closure with a code object of its own.

CPython keeps what it has learned about an instruction, the class of an operand or the slot of an attribute, in the code
object.  Closures made by one `def` share theirs, so the ops made by one factory would unlearn each other's classes:
5 % of bench chain and scalars.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any


def own_code(function: Any, operator: bool = False) -> Any:
    """The same function with a copy of its code; anything else than a plain function as it is.

    With `operator`, for a method that Python itself calls, what may only be given by keyword becomes positional:
    CPython looks each default up in a dictionary otherwise, 20 ns apiece, which no operator ever gives.
    """
    if not isinstance(function, FunctionType):
        return function
    code, named = function.__code__, function.__kwdefaults__
    if operator and named:
        count = code.co_argcount + code.co_kwonlyargcount
        code = code.replace(co_argcount=count, co_kwonlyargcount=0)
        defaults = (
            *(function.__defaults__ or ()),
            *(named[name] for name in code.co_varnames[count - len(named) : count]),
        )
        return FunctionType(code, function.__globals__, function.__name__, defaults, function.__closure__)
    made = FunctionType(
        code.replace(), function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = named
    return made
