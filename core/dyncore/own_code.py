"""A closure with a code object of its own.

CPython keeps what it has learned about an instruction, the class of an operand or the slot of an attribute, in the code
object.  Closures made by one `def` share theirs, so the ops made by one factory would unlearn each other's classes:
5 % of bench chain and scalars.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any


def own_code(function: Any) -> Any:
    """The same function with a copy of its code; anything else than a plain function as it is."""
    if not isinstance(function, FunctionType):
        return function
    made = FunctionType(
        function.__code__.replace(),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__doc__ = function.__doc__
    return made
