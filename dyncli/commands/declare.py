"""How a command writes down its arguments and options, as for typer; typer itself is made of it when it is needed.

A plain command line is read without typer (`plain.py`), which would take 20 ms of every start.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Annotated, Any, NamedTuple, get_args, get_origin


class Declared(NamedTuple):
    """One argument or option: its names, and what typer takes besides."""

    kind: str
    names: tuple[str, ...]
    settings: dict[str, Any]


class Parameter(NamedTuple):
    """A parameter of a command's function, with its type and what is declared of it."""

    name: str
    type: Any
    declared: Declared


def Option(*names: str, **settings: Any) -> Any:
    """What `typer.Option` would be given."""
    return Declared("Option", names, settings)


def Argument(**settings: Any) -> Any:
    """What `typer.Argument` would be given."""
    return Declared("Argument", (), settings)


def parameters(function: Callable[..., Any]) -> list[Parameter]:
    """What the function's annotations declare, in order."""
    found = []
    for name, written in function.__annotations__.items():
        hint = _meaning(written, function.__globals__)
        if get_origin(hint) is Annotated:
            type_, declared = get_args(hint)
            found.append(Parameter(name, type_, declared))
    return found


def _meaning(written: str, names: dict[str, Any]) -> Any:
    """What an annotation means: most are names in `options`, which cost 20 us each to compile, 0.8 ms of a start."""
    module, _, name = written.partition(".")
    return getattr(names[module], name) if name.isidentifier() else eval(written, names)


def for_typer(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, annotated as typer wants it, with NaN refused, which no bound of a number refuses."""
    import typer

    def number(value: float | None) -> float | None:
        if value != value:
            raise typer.BadParameter("nan is not a number")
        return value

    def built(type_: Any, declared: Declared) -> Any:
        settings = (
            {"callback": number, **declared.settings} if float in (type_, *get_args(type_)) else declared.settings
        )
        return getattr(typer, declared.kind)(*declared.names, **settings)

    made = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    made.__doc__ = function.__doc__
    made.__annotations__ = {
        name: Annotated[type_, built(type_, declared)] for name, type_, declared in parameters(function)
    }
    return made
