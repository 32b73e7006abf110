"""Text on the command line or in a file -> plain values.

JSON first, then Python's own spelling of the same things.
"""

from __future__ import annotations

import ast
import json
import math
import re
from typing import Any

from dyncli import errors

DEEPEST = 200  # nested levels; the entry's own recursion needs Python's stack too
NAMES = {
    "nan": math.nan,
    "NaN": math.nan,
    "inf": math.inf,
    "Inf": math.inf,
    "Infinity": math.inf,
    "true": True,
    "false": False,
    "null": None,
}
SUMS = r"[\w.+*-]+"  # numbers, and what is put together of them
IMAGINARY = r"(?<![A-Za-z_])[ijIJ]+(?!\w)"


def parse(text: str, where: str) -> Any:
    """Return the value of a literal: `[1, -2.5]`, `{"x": nan}`, `'a'`, `1+2j`.

    Raises InputSyntax.

    >>> parse("[1, -inf, (2, 3)]", "--input")
    [1, -inf, [2, 3]]
    """
    try:
        return parse_json(text, where)
    except json.JSONDecodeError as error:
        why = mistake(text, error)
    except ValueError as error:  # an integer of more digits than Python reads
        raise errors.InputSyntax(where, text, str(error)) from None
    try:
        return _evaluated(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise errors.InputSyntax(where, text, _unlike_complex(text) or why) from None


def _unlike_complex(text: str) -> str | None:
    """Say what is wrong with a text that only looks like a complex number.

    >>> _unlike_complex("[1+2i]")
    '`1+2i` is no complex number, which is written `1+2j`'
    """
    for found in re.findall(SUMS, "" if "'" in text or '"' in text else text):
        if not re.search(IMAGINARY, found):
            continue
        try:
            _evaluated(ast.parse(found, mode="eval").body)
        except (SyntaxError, ValueError):
            return f"`{found}` is no complex number, which is written `1+2j`"
    return None


def mistake(text: str, error: json.JSONDecodeError) -> str:
    """Say what is wrong with a text that is no JSON, alike under every Python.

    >>> mistake('[1, "two]', json.JSONDecodeError("", "", 0))
    'it ends too early'
    """
    if not text.strip():
        return "it is empty"
    rest, open_string, _ = re.sub(r'"(?:[^"\\]|\\.)*"', "", text, flags=re.DOTALL).partition('"')
    if open_string or rest.count("[") > rest.count("]") or rest.count("{") > rest.count("}"):
        return "it ends too early"
    place = f"line {error.lineno}, column {error.colno}" if "\n" in text.strip() else f"column {error.colno}"
    return f"unexpected `{text[error.pos : error.pos + 1]}` at {place}"


def parse_json(text: str, where: str) -> Any:
    """Return the value of a JSON text.

    NaN and Infinity are numbers, a key that stands twice is an error.
    Raises JSONDecodeError, InputTwice, InputTooLarge.
    """
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise errors.InputTooLarge(where, "it is nested too deep", f"{DEEPEST} levels") from None
    if depth(value) > DEEPEST:
        raise errors.InputTooLarge(where, "it is nested too deep", f"{DEEPEST} levels")
    return value


def depth(value: Any) -> int:
    """Return how many levels of lists and dicts a value has; 0 for a number."""
    levels = 0
    level = [value]
    while level := [item for item in level if isinstance(item, list | dict)]:
        levels += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return levels


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise errors.InputTwice(key)
        value[key] = item
    return value


def _evaluated(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() | complex() | str() | None as value):
            return value
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=ast.Constant(value=complex() as imaginary)):
            value = _evaluated(left)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return complex(value, imaginary.imag if isinstance(sign, ast.Add) else -imaginary.imag)
        case ast.Name(id=name) if name in NAMES:
            return NAMES[name]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            value = _evaluated(operand)
            if isinstance(value, int | float | complex) and not isinstance(value, bool):
                return -value if isinstance(sign, ast.USub) else value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_evaluated(item) for item in items]
        case ast.Dict(keys=keys, values=values) if all(isinstance(key, ast.Constant) for key in keys):
            names = [str(_evaluated(key)) for key in keys if key is not None]
            return _object(list(zip(names, map(_evaluated, values))))
    raise ValueError("no literal")
