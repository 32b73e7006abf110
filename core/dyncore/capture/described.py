"""What the arguments of a call are, for people: two of these say in which one call differs from another."""

from __future__ import annotations

import types
from typing import Any

from dyncore.graph.modes import current
from dyncore.nn.module import Module
from dyncore.tensors.tensor import Tensor

from .arguments import Unfit, tensor_key
from .roots import describe_key

_EMPTY: dict[str, Any] = {}


def described(function: Any, args: Any, kwargs: Any, used: set[str]) -> dict[str, str]:
    """What each argument is, for people: by the parameter's name where there is one."""
    names: list[str] = []
    code = getattr(getattr(function, "forward", function), "__code__", None)
    if code is not None:
        names = list(code.co_varnames[: code.co_argcount])
        if isinstance(getattr(function, "forward", None), types.MethodType):
            names = names[1:]
    found: dict[str, str] = {"grad mode": "on" if current().grad else "off"}
    for number, each in enumerate(args):
        _describe(each, f"`{names[number]}`" if number < len(names) else f"argument {number}", found, used)
    for name, each in kwargs.items():
        _describe(each, f"`{name}`", found, used)
    return found


def _describe(value: Any, label: str, found: dict[str, str], used: set[str]) -> None:
    if len(found) > 50:
        return
    if isinstance(value, Tensor):
        try:
            found[label] = describe_key(tensor_key(value))
        except Unfit as error:
            found[label] = str(error)
    elif isinstance(value, (list, tuple)):
        found[label] = f"a {type(value).__name__} of {len(value)}"
        for number, each in enumerate(value):
            _describe(each, f"{label}[{number}]", found, used)
    elif isinstance(value, dict):
        found[label] = f"a dict of {len(value)}"
        for key, each in value.items():
            _describe(each, f"{label}[{key!r}]", found, used)
    elif isinstance(value, (int, float, bool, str, complex, type(None))):
        found[label] = repr(value)[:80]
    else:
        found[label] = f"a {type(value).__name__}"
        if not isinstance(value, (Module, type, types.FunctionType, types.MethodType)):
            for name, each in getattr(value, "__dict__", _EMPTY).items():
                if name in used:
                    _describe(each, f"{label}.{name}", found, used)
