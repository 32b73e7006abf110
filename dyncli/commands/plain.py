"""Reads a plain command line without typer: a command, words, options by their whole names, values that need no help.

What is in any way out of the ordinary (help, a mistake, `--name=value`, `-qi`, `--`, completion) is left to typer.
A test compares the two on random command lines.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin

from dyncli.commands import COMMANDS
from dyncli.commands.declare import Parameter, parameters

TYPES: tuple[type, ...] = (str, int, float, Path)
SHOWN = {"metavar", "help", "rich_help_panel", "show_default", "autocompletion"}
READ = {"min", "max", "callback", "expose_value"}


class Unusual(Exception):
    """Something that typer should look at."""


class Slot(NamedTuple):
    """Where a value goes: its parameter, the type of one value, whether there may be many, what a flag means."""

    parameter: Parameter
    type: type
    many: bool
    flag: bool | None = None

    def value(self, word: str) -> Any:
        """What the word means.  Raises Unusual for what has no such type, is out of bounds or NaN."""
        settings = self.parameter.declared.settings
        try:
            value = self.type(word)
        except ValueError:
            raise Unusual from None
        if "min" in settings and not settings["min"] <= value or "max" in settings and not value <= settings["max"]:
            raise Unusual
        if value != value:
            raise Unusual
        return value


def call(words: list[str]) -> Callable[[], Any] | None:
    """What the command line asks for, ready to be called; None if it is not plain."""
    if not words or words[0] not in COMMANDS or "_DYNCLI_COMPLETE" in os.environ or os.name == "nt":
        return None
    function = getattr(import_module(f"dyncli.commands.{words[0]}"), words[0])
    try:
        return partial(function, **read(function, words[1:]))
    except Unusual:
        return None


def read(function: Callable[..., Any], words: list[str]) -> dict[str, Any]:
    """The keyword arguments that the words mean; what is not given is left to the function's own defaults.

    Raises Unusual where that is not certain.
    """
    options, arguments = slots(function)
    given: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if word.startswith("-"):
            slot = options.get(word)
        else:
            slot = next((each for each in arguments if each.many or each.parameter.name not in given), None)
        if slot is None:
            raise Unusual
        name = slot.parameter.name
        if slot.flag is not None:
            given[name] = slot.flag
            continue
        text = next(rest, "") if word.startswith("-") else word
        if not text or text.startswith("-"):
            raise Unusual
        given[name] = [*given.get(name, ()), slot.value(text)] if slot.many else slot.value(text)
    defaults = function.__kwdefaults__ or {}
    first_default = function.__code__.co_argcount - len(function.__defaults__ or ())
    required = function.__code__.co_varnames[:first_default]
    if any(name not in given and name not in defaults for name in required):
        raise Unusual
    return _called_back(given, [*options.values(), *arguments])


def _called_back(given: dict[str, Any], every: list[Slot]) -> dict[str, Any]:
    """What is given, after each option's own function has seen its value; without those that nobody else sees."""
    for slot in every:
        name, settings = slot.parameter.name, slot.parameter.declared.settings
        if name in given and "callback" in settings:
            settings["callback"](given[name])
        if settings.get("expose_value") is False:
            given.pop(name, None)
    return given


def slots(function: Callable[..., Any]) -> tuple[dict[str, Slot], list[Slot]]:
    """The options by each of their names, and the arguments in order.  Raises Unusual for what it cannot read."""
    options: dict[str, Slot] = {}
    arguments: list[Slot] = []
    for parameter in parameters(function):
        declared = parameter.declared
        if not declared.settings.keys() <= SHOWN | READ:
            raise Unusual
        type_, many = one(parameter.type)
        if declared.kind == "Argument":
            arguments.append(Slot(parameter, type_, many))
            continue
        for name in declared.names or ("--" + parameter.name.replace("_", "-"),):
            if type_ is bool:
                yes, _, no = name.partition("/")
                options[yes] = Slot(parameter, bool, False, True)
                if no:
                    options[no] = Slot(parameter, bool, False, False)
            else:
                options[name] = Slot(parameter, type_, many)
    return options, arguments


def one(type_: Any) -> tuple[type, bool]:
    """`list[str] | None` -> (str, True), `int | None` -> (int, False).  Raises Unusual for types it does not know."""
    if get_origin(type_) in (Union, UnionType):
        chosen = [each for each in get_args(type_) if each is not NoneType]
        if len(chosen) != 1:
            raise Unusual
        type_ = chosen[0]
    many = get_origin(type_) is list
    if many:
        (type_,) = get_args(type_)
    if type_ not in (*TYPES, bool):
        raise Unusual
    return type_, many
