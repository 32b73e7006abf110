"""Codecs for the classes of the data model: each object is a row, its columns the class's fields in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dyncli.records import model
from dyncli.records.codec import CODECS, Codec, Malformed, optional, sequence

#: A class stands here after those it holds.
CLASSES: tuple[Any, ...] = (
    model.Site,
    model.Stats,
    model.Condition,
    model.Decision,
    model.Choice,
    model.Scope,
    model.Calls,
    model.TensorSummary,
    model.Op,
    model.Output,
    model.Gradient,
    model.Backward,
    model.Reach,
    model.Sensitivity,
    model.Notice,
    model.Frame,
    model.Failure,
    model.Source,
)
ADDED: tuple[Any, ...] = (model.Choice,)  # classes that records of schema 2 saved before do not have
SITE_ROW = "site row"

Place = Callable[[model.Site], int]
Find = Callable[[Any], model.Site]


def layout() -> dict[str, list[str]]:
    """Return the column names of every class, as a file's `fields` holds them."""
    return {kind.__name__: list(kind._fields) for kind in CLASSES}


def codecs(place: Place, find: Find, columns: Any) -> dict[Any, Codec]:
    """Return a codec for each annotation in the data model.

    A site is written as the number `place` gives it and read back through `find`; `columns` is the layout rows are in.
    """
    table = dict(CODECS)
    for kind in CLASSES:
        row = _row_codec(kind, table, columns)
        if kind is model.Site:
            table[SITE_ROW] = row
            row = Codec(place, find)
        table[kind] = row
        table[kind | None] = optional(row)
        table[tuple[kind, ...]] = table[Sequence[kind]] = sequence(row)  # type: ignore[valid-type]
    return table


def _row_codec(kind: Any, table: dict[Any, Codec], columns: Any) -> Codec:
    fields = {name: table[annotation] for name, annotation in kind.__annotations__.items()}
    names = _columns(kind, columns)
    encoders = [(name, codec.encode) for name, codec in fields.items()]
    decoders = [fields[name].decode for name in names]
    in_order = names == list(fields)
    width = len(names)

    def encode(item: Any) -> list[Any]:
        return [getattr(item, name) if out is None else out(getattr(item, name)) for name, out in encoders]

    def decode(row: Any) -> Any:
        if type(row) is not list or len(row) != width:
            raise Malformed(f"expected a list of {width} for {kind.__name__}")
        try:
            values = [read(value) for read, value in zip(decoders, row, strict=True)]
        except Malformed as error:
            raise _located(names, decoders, row, error) from None
        return kind(*values) if in_order else kind(**dict(zip(names, values, strict=True)))

    return Codec(encode, decode)


def _located(names: list[str], decoders: list[Any], row: list[Any], error: Malformed) -> Malformed:
    """Return `error` with the name of the column it is about."""
    for name, read, value in zip(names, decoders, row, strict=True):
        try:
            read(value)
        except Malformed:
            return Malformed(f"`{name}`: {error}")
    return error


def _columns(kind: Any, columns: Any) -> list[str]:
    names = columns.get(kind.__name__) if isinstance(columns, dict) else None
    if names is None and kind in ADDED:
        return list(kind._fields)
    if not isinstance(names, list) or len(set(map(str, names))) != len(names):
        raise Malformed(f"`fields` does not list the columns of {kind.__name__}")
    for name in names:
        if name not in kind._fields:
            raise Malformed(f"`fields` has an unknown column `{name}` of {kind.__name__}")
    for name in kind._fields:
        if name not in names and name not in kind._field_defaults:
            raise Malformed(f"`fields` lacks the column `{name}` of {kind.__name__}")
    return list(names)
