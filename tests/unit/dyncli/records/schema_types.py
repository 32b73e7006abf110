"""The types of the data model in the words of JSON."""

import types
from collections.abc import Sequence
from typing import Any, Union, get_args, get_origin, get_type_hints

PLAIN = {int: "integer", str: "string", bool: "boolean", float: "number"}


def json_type(kind: type, field: str) -> str:
    """The type of a field as the page says it: `integer or null`, `list of Op`."""
    return _words(get_type_hints(kind)[field])


def _words(hint: Any) -> str:
    if hint in PLAIN:
        return PLAIN[hint]
    arguments = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        if str in arguments and float in arguments:
            return "value"
        named = [_words(each) for each in arguments if each is not type(None)]
        return " or ".join(named + ["null"] * (type(None) in arguments))
    if get_origin(hint) in (tuple, Sequence):
        inner = "value" if "Scalar" in str(arguments[0]) else _words(arguments[0])
        return f"list of {inner}"
    if get_origin(hint) is dict:
        return "object of strings"
    return "value" if not isinstance(hint, type) else hint.__name__
