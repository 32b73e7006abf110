"""Signature of an entry: its parameters, their types, and one line of text."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any, NamedTuple

EMPTY = inspect.Parameter.empty


class Parameter(NamedTuple):
    """One parameter; annotation is a type, or `typing.Any` where there is none that can be understood."""

    name: str
    kind: inspect._ParameterKind
    annotation: Any
    default: Any

    @property
    def is_required(self) -> bool:
        """True if the entry cannot be called without it."""
        return self.default is EMPTY and not self.is_variadic

    @property
    def is_variadic(self) -> bool:
        """True for `*args` and `**kwargs`."""
        return self.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Signature(NamedTuple):
    """An entry's parameters and `text`, as in `forward(x: Tensor, steps: int = 3)`."""

    text: str
    parameters: tuple[Parameter, ...]

    @property
    def names(self) -> list[str]:
        """Names of the parameters that can be given by name."""
        return [parameter.name for parameter in self.parameters if not parameter.is_variadic]

    @property
    def positional(self) -> list[Parameter]:
        """Parameters that unnamed inputs fill, in order."""
        keyword = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        return [parameter for parameter in self.parameters if parameter.kind not in keyword]

    @property
    def rest(self) -> Parameter | None:
        """`*args`."""
        return self._of_kind(inspect.Parameter.VAR_POSITIONAL)

    @property
    def keywords(self) -> Parameter | None:
        """`**kwargs`."""
        return self._of_kind(inspect.Parameter.VAR_KEYWORD)

    def takes(self, name: str) -> bool:
        """Return True if a value of that name can be given."""
        return name in self.names or self.keywords is not None

    def _of_kind(self, kind: inspect._ParameterKind) -> Parameter | None:
        return next((parameter for parameter in self.parameters if parameter.kind is kind), None)


def signature_of(function: Callable[..., Any], name: str) -> Signature:
    """Return the signature of an entry; of an nn.Module that of its `forward`."""
    target = _what_is_called(function)
    try:
        found = inspect.signature(target)
    except (TypeError, ValueError):  # a builtin that does not say
        rest = inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL)
        found = inspect.Signature([rest])
    hints = _hints(target)
    parameters = tuple(
        Parameter(each.name, each.kind, hints.get(each.name, Any), each.default) for each in found.parameters.values()
    )
    text = ", ".join(_parameter_text(each) for each in found.parameters.values())
    return Signature(f"{name}({text})", parameters)


def short(annotation: object) -> str:
    """Return an annotation as one writes it: `Tensor`, `list[Tensor]`, `int | None`."""
    if annotation is type(None):
        return "None"
    if isinstance(annotation, str):
        text = annotation
    elif isinstance(annotation, type) and not typing.get_args(annotation):
        text = annotation.__name__
    else:
        text = str(annotation).replace("NoneType", "None")
    words = []
    word = ""
    for letter in text + " ":
        if letter.isalnum() or letter in "_.":
            word += letter
        else:
            words += [word if word.startswith(".") else word.rpartition(".")[2], letter]
            word = ""
    return "".join(words)[:-1]


def _what_is_called(function: Any) -> Any:
    forward = getattr(function, "forward", None)
    is_instance = not inspect.isroutine(function) and not isinstance(function, type)
    if is_instance and callable(forward) and type(function).__call__ is not type(function).__dict__.get("__call__"):
        return forward
    return function


def _hints(target: Any) -> dict[str, Any]:
    """Return the annotations as types.

    One that cannot be evaluated (a name only a type checker sees) stays text.
    """
    function = inspect.unwrap(target if inspect.isroutine(target) else getattr(target, "__call__", target))  # noqa: B004
    try:
        return typing.get_type_hints(function)
    except Exception:
        names = getattr(function, "__globals__", {})
        return {name: _evaluated(text, names) for name, text in getattr(function, "__annotations__", {}).items()}


def _evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(names))  # the script's own text, which is run anyway
    except Exception:
        return annotation


def _parameter_text(parameter: inspect.Parameter) -> str:
    stars = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + "**" * (parameter.kind is parameter.VAR_KEYWORD)
    text: str = stars + parameter.name
    if parameter.annotation is not EMPTY:
        text += f": {short(parameter.annotation)}"
    if parameter.default is not EMPTY:
        text += f"{' = ' if ':' in text else '='}{_default_text(parameter.default)}"
    return text


def _default_text(value: object) -> str:
    if value is None or isinstance(value, bool | int | float | str):
        text = repr(value)
        return text if len(text) <= 30 else "..."
    return "..."
