"""Codecs of the fields of the data model: to JSON and back, checked.

The table `CODECS` is keyed by the field's annotation in `model.py`; a new kind is one line here.
Strict JSON has no NaN: a non-finite number is the string `NaN`, `Infinity` or `-Infinity`, and a string that looks like
one gets a `=` in front, so that every value comes back as it was.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dyncli.records.columns import integers
from dyncli.records.model import Scalar, Value

MAX_DEPTH = 100
_NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_LOOKS_NON_FINITE = re.compile(r"=*(?:NaN|-?Infinity)\Z")

Encode = Callable[[Any], Any]
Decode = Callable[[Any], Any]


class Malformed(ValueError):
    """A value in a file is not what its place asks for; the message says what was expected and what stood there."""


class Codec(NamedTuple):
    """One kind of field: `encode` is None where a value is already plain JSON."""

    encode: Encode | None
    decode: Decode


def number_out(value: float) -> float | str:
    """Return `value`, or its name if it is not finite."""
    if math.isfinite(value):
        return value
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def value_out(value: Any, depth: int = 0) -> Any:
    """Return a `Value` as strict JSON; what nests deeper than 100 becomes `...`."""
    if type(value) is float:
        return number_out(value)
    if type(value) is str:
        return "=" + value if _LOOKS_NON_FINITE.match(value) else value
    if isinstance(value, (tuple, list)):
        return "..." if depth >= MAX_DEPTH else [value_out(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return "..." if depth >= MAX_DEPTH else {key: value_out(item, depth + 1) for key, item in value.items()}
    return value


def value_in(value: Any, depth: int = 0) -> Any:
    """Return the `Value` that `value_out` wrote."""
    if type(value) is str:
        if value in _NON_FINITE:
            return _NON_FINITE[value]
        return value[1:] if _LOOKS_NON_FINITE.match(value) else value
    if depth > MAX_DEPTH:
        raise Malformed(f"nested deeper than {MAX_DEPTH}")
    if type(value) is list:
        return tuple(value_in(item, depth + 1) for item in value)
    if type(value) is dict:
        return {key: value_in(item, depth + 1) for key, item in value.items()}
    return value


def _exactly(kind: type, word: str) -> Decode:
    def decode(value: Any) -> Any:
        if type(value) is not kind:
            raise Malformed(f"expected {word}, got {_short(value)}")
        return value

    return decode


def _number(value: Any) -> Any:
    if type(value) is float or type(value) is int:
        return value
    if type(value) is str and value in _NON_FINITE:
        return _NON_FINITE[value]
    raise Malformed(f"expected a number, got {_short(value)}")


def _flag_or_integer(value: Any) -> Any:
    if type(value) is bool or type(value) is int:
        return value
    raise Malformed(f"expected true, false or an integer, got {_short(value)}")


def optional(codec: Codec) -> Codec:
    """Return the codec of `X | None`."""
    encode, decode = codec.encode, codec.decode
    return Codec(
        None if encode is None else lambda value: None if value is None else encode(value),
        lambda value: None if value is None else decode(value),
    )


def sequence(codec: Codec, length: int | None = None) -> Codec:
    """Return the codec of `tuple[X, ...]`, or of a tuple of `length` items."""
    encode, decode = codec.encode, codec.decode

    def read(value: Any) -> Any:
        if type(value) is not list or (length is not None and len(value) != length):
            raise Malformed(f"expected a list{'' if length is None else f' of {length}'}, got {_short(value)}")
        try:
            return tuple(map(decode, value))
        except Malformed as error:
            raise _at(decode, value, error) from None

    return Codec(None if encode is None else lambda value: list(map(encode, value)), read)


def _at(decode: Decode, items: list[Any], error: Malformed) -> Malformed:
    """Return `error` with the place of the first item that does not decode."""
    for index, item in enumerate(items):
        try:
            decode(item)
        except Malformed:
            return Malformed(f"[{index}] {error}")
    return error


def _integers(value: Any) -> Any:
    try:
        return integers(sequence(INTEGER).decode(value))
    except OverflowError:
        raise Malformed("expected integers of 64 bits") from None


def _text_table(value: Any) -> dict[str, str]:
    if type(value) is not dict or any(type(item) is not str for item in value.values()):
        raise Malformed(f"expected an object of strings, got {_short(value)}")
    return value


def _short(value: Any) -> str:
    text = repr(value) if type(value) in (str, int, float, bool, type(None)) else type(value).__name__
    return text if len(text) <= 40 else text[:39] + "\u2026"


INTEGER = Codec(None, _exactly(int, "an integer"))
TEXT = Codec(None, _exactly(str, "a string"))
FLAG = Codec(None, _exactly(bool, "true or false"))
NUMBER = Codec(number_out, _number)
VALUE = Codec(value_out, value_in)

CODECS: dict[Any, Codec] = {
    int: INTEGER,
    str: TEXT,
    bool: FLAG,
    float: NUMBER,
    bool | int: Codec(None, _flag_or_integer),
    int | None: optional(INTEGER),
    str | None: optional(TEXT),
    bool | None: optional(FLAG),
    float | None: optional(NUMBER),
    Value: VALUE,
    tuple[int, ...]: sequence(INTEGER),
    Sequence[int]: Codec(list, _integers),
    tuple[float, ...]: sequence(NUMBER),
    tuple[str, ...]: sequence(TEXT),
    tuple[str, ...] | None: optional(sequence(TEXT)),
    tuple[Scalar, ...] | None: optional(sequence(VALUE)),
    Sequence[Scalar] | None: optional(sequence(VALUE)),
    tuple[tuple[int, int], ...]: sequence(sequence(INTEGER, 2)),
    tuple[tuple[int, int, int], ...]: sequence(sequence(INTEGER, 3)),
    tuple[tuple[int, int] | None, ...]: sequence(optional(sequence(INTEGER, 2))),
    dict[str, str]: Codec(None, _text_table),
}
