"""`--input` -> the cases an entry is run on.

    cases = bind(["x=[1, -1, 2]", "steps=3"], signature_of(loaded.function, loaded.entry))

An input is `NAME=LITERAL`, `NAME=@FILE`, a literal, a file, or `-`.  A file or literal that is a JSON object binds
parameters by name; an object of such objects, or a file of lines, is a set of cases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from dyncli import errors
from dyncli.script import readers
from dyncli.script.convert import Bound, Converter, describe, takes_mapping
from dyncli.script.paths import is_file
from dyncli.script.readers import Held
from dyncli.script.script import Parameter, Signature

_NAMED = r"(?P<name>[A-Za-z_]\w*)\s*=(?!=)(?P<value>(?s:.*))"


class Given(NamedTuple):
    """Inputs of the user, before any entry is known: `whole` without a name, `named`."""

    whole: tuple[Held, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()


def bind(
    inputs: Sequence[str],
    signature: Signature,
    *,
    case: str | None = None,
    dtype: str = "float32",
    script: str | None = None,
) -> tuple[Bound, ...]:
    """Return one `Bound` for each case, or for `case` alone.

    Without cases exactly one, whose `case` is None.
    dtype: what floats become.  script: the file that could be run itself instead, for the hint.
    Raises one of the InputErrors.
    """
    return fit(read(inputs, signature), signature, case=case, dtype=dtype, script=script)


def read(inputs: Sequence[str], signature: Signature) -> Given:
    """Read the values of `--input`; a parameter annotated `str` takes its text as is."""
    whole: list[Held] = []
    named: list[tuple[str, Any]] = []
    for text in inputs:
        match = re.fullmatch(_NAMED, text) if "=" in text else None
        if match and not is_file(text):
            named.append((match["name"], _named_value(match["name"], match["value"], signature)))
        else:
            whole.append(_whole(text, signature))
    return Given(tuple(whole), tuple(named))


def fit(
    given: Given, signature: Signature, *, case: str | None = None, dtype: str = "float32", script: str | None = None
) -> tuple[Bound, ...]:
    """Fit given inputs to the entry's parameters; see `bind`."""
    cases = _cases(given, signature)
    names = [name for name, _ in cases if name is not None]
    if case is not None:
        cases = [(name, values) for name, values in cases if name == case]
        if not cases:
            raise errors.UnknownCase(case, names)
    converter = Converter(dtype, signature.text)
    origin = given.whole[0].origin if len(given.whole) == 1 else None
    return tuple(_bound_case(name, origin, values, signature, converter, script) for name, values in cases)


def _named_value(name: str, text: str, signature: Signature) -> Any:
    text = text.strip()
    if text.startswith("@"):
        held = readers.read_stdin() if text == "@-" else readers.read(text[1:])
        return held.value if held.whole is None else held.whole
    parameter = next((each for each in signature.parameters if each.name == name), None)
    try:
        value = readers.parse(text, f"`{name}`")
    except errors.InputSyntax:
        if parameter is not None and _takes_text(parameter):
            return text
        if is_file(text):
            raise errors.InputSyntax(f"`{name}`", text, f"for the file write `{name}=@{text}`") from None
        raise
    return text if parameter is not None and parameter.annotation is str and not isinstance(value, str) else value


def _whole(text: str, signature: Signature) -> Held:
    text = text.strip()
    if text == "-":
        return readers.read_stdin()
    if text.startswith("@"):
        return readers.read(text[1:])
    suffix = "." + text.rpartition(".")[2].lower()
    if suffix in readers.READERS:
        return readers.read(text)
    try:
        return Held(readers.parse(text, "--input"), "--input")
    except errors.InputSyntax:
        if is_file(text):
            raise errors.InputFileKind(text, readers.READERS) from None
        if len(signature.parameters) == 1 and _takes_text(signature.parameters[0]):
            return Held(text, "--input")
        raise


def _takes_text(parameter: Parameter) -> bool:
    return "str" in str(parameter.annotation) or isinstance(parameter.default, str)


Case = tuple[str | None, dict[str, Any]]


def _cases(given: Given, signature: Signature) -> list[Case]:
    """Return (case name, parameter -> value).

    The values named on the command line are in every case.
    """
    if len(given.whole) == 1:
        cases = _expanded(given.whole[0], signature)
    else:
        unnamed = [held.value if held.whole is None else held.whole for held in given.whole]
        cases = [(None, _in_order(unnamed, signature))]
    for name, value in given.named:
        for _, values in cases:
            if name in values:
                raise errors.InputTwice(name)
            values[name] = value
    return cases


def _expanded(held: Held, signature: Signature) -> list[Case]:
    value = held.value
    if held.lines:
        return [(str(number), _one(line, signature)) for number, line in enumerate(value, 1)]
    if _is_cases(value, signature):
        return [(name, dict(values)) for name, values in value.items()]
    if isinstance(value, dict) and held.whole is not None and not _binds(value, signature):
        return [(None, _in_order([held.whole], signature))]
    return [(None, _one(value, signature))]


def _one(value: Any, signature: Signature) -> dict[str, Any]:
    """Return one case's values.

    An object binds by its names, anything else is for the first parameter.
    """
    if isinstance(value, dict) and (
        _binds(value, signature) or _names_it(value, signature) or not _takes_object(signature)
    ):
        return dict(value)
    return _in_order([value], signature)


def _binds(value: dict[str, Any], signature: Signature) -> bool:
    """Return True if all keys of an object are parameters."""
    takes_all = signature.keywords is not None and not signature.names
    return takes_all or all(name in signature.names for name in value)


def _names_it(value: dict[str, Any], signature: Signature) -> bool:
    """Return True if an object has the name of a parameter without a type.

    `{"x": 1, "y": 2}` for `x`.
    """
    return any(each.name in value and each.annotation is Any for each in signature.parameters)


def _is_cases(value: Any, signature: Signature) -> bool:
    """Return True for an object of objects that bind parameters.

    Or that can mean nothing else.
    """
    if not isinstance(value, dict) or _binds(value, signature):
        return False
    if not all(isinstance(case, dict) and case for case in value.values()):
        return False
    return not _takes_object(signature) or all(_binds(case, signature) for case in value.values())


def _takes_object(signature: Signature) -> bool:
    """Return True if the only required parameter can be an object.

    The keys of the object are no parameters.
    """
    required = [each for each in signature.parameters if each.is_required]
    only = required if required else signature.positional
    return len(only) == 1 and takes_mapping(only[0].annotation)


def _in_order(values: list[Any], signature: Signature) -> dict[str, Any]:
    taken = [parameter.name for parameter in signature.positional]
    named = dict(zip(taken, values))
    left = values[len(taken) :]
    if not left:
        return named
    if signature.rest is None:
        raise errors.InputSurplus(len(values), len(taken), signature.text)
    return named | {signature.rest.name: left}


def _bound_case(
    case: str | None,
    origin: str | None,
    values: dict[str, Any],
    signature: Signature,
    converter: Converter,
    script: str | None,
) -> Bound:
    """Fit one case's inputs; an error says which case it was in."""
    try:
        return _bound(case, values, signature, converter, script)
    except errors.InputError as error:
        if case is not None:
            error.detail += (f"in case `{case}` of {origin}",)
        raise


def _bound(
    case: str | None, values: dict[str, Any], signature: Signature, converter: Converter, script: str | None
) -> Bound:
    for name in values:
        if not signature.takes(name) and not (signature.rest is not None and signature.rest.name == name):
            raise errors.InputUnknown(name, signature.text, signature.names)
    missing = [each.name for each in signature.parameters if each.is_required and each.name not in values]
    if missing:
        raise errors.InputMissing(missing, signature.text, script)
    positional: dict[str, Any] = {}
    named: dict[str, Any] = {}
    left: list[str] = []  # after one that is left out they are given by name; else by position, as hooks expect it
    for parameter in signature.parameters:
        name = parameter.name
        if parameter.kind is parameter.kind.VAR_KEYWORD:
            extra = [key for key in values if key not in [each.name for each in signature.parameters]]
            named |= {key: converter.convert(values[key], parameter.annotation, key) for key in extra}
        elif name not in values:
            left += [] if parameter.is_variadic else [name]
        elif left and parameter.kind in (parameter.kind.VAR_POSITIONAL, parameter.kind.POSITIONAL_ONLY):
            raise errors.InputMissing(left, signature.text, script)
        elif parameter.kind is parameter.kind.VAR_POSITIONAL:
            rest = {f"{name}.{index}": value for index, value in enumerate(_list(values[name], name, signature))}
            positional |= {key: converter.convert(value, parameter.annotation, key) for key, value in rest.items()}
        else:
            tree = converter.convert(values[name], parameter.annotation, name)
            (named if left or parameter.kind is parameter.kind.KEYWORD_ONLY else positional)[name] = tree
    return Bound(case, tuple(positional.values()), named, tuple(positional))


def _list(value: Any, name: str, signature: Signature) -> list[Any]:
    if isinstance(value, list):
        return value
    raise errors.InputType(name, "a list", describe(value), signature.text)
