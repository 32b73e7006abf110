"""A closure with a code object of its own.

CPython keeps what it has learned about an instruction, the class of an operand or the slot of an attribute, in the code
object.  Closures made by one `def` share theirs, so the ops made by one factory would unlearn each other's classes:
5 % of bench chain and scalars.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any


def own_code(function: Any) -> Any:
    """Return the same function with a copy of its code.

    Anything else than a plain function is returned as it is.  Parameters by keyword alone become positional: CPython
    looks each default up in a dictionary otherwise.
    """
    if not isinstance(function, FunctionType):
        return function
    code, named = function.__code__, function.__kwdefaults__ or {}
    count = code.co_argcount + code.co_kwonlyargcount
    defaults = (*(function.__defaults__ or ()), *(named[name] for name in code.co_varnames[count - len(named) : count]))
    code = code.replace(co_argcount=count, co_kwonlyargcount=0)
    return FunctionType(code, function.__globals__, function.__name__, defaults, function.__closure__)
