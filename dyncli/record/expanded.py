"""A record with every field named, for other programs: the contract of `--json`.

Sites stand where they are used.  A number that is not finite is the string `NaN`, `Infinity` or `-Infinity`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from dyncli.record.codec import CODECS, Codec, optional, sequence
from dyncli.record.model import Record, Site
from dyncli.record.rows import CLASSES

Expand = Callable[[Any], Any]
SITE_FIELDS = ("id", "file", "line", "col", "end_line", "end_col", "kind", "text", "function", "arms")


def expand(record: Record) -> dict[str, Any]:
    """Return the whole record as dicts and lists that strict JSON can hold."""
    table = _table()
    expanded = {field.name: _value(table, field, record) for field in dataclasses.fields(Record)}
    whole_site = _object(Site, table)
    expanded["sites"] = [whole_site(site) for site in record.sites]
    head = {key: expanded.pop(key) for key in ("schema", "model", "entry", "case", "status")}
    return head | expanded


def _table() -> dict[str, Expand | None]:
    """Return what expands each annotation of the data model; None leaves a value as it is."""
    table: dict[str, Expand | None] = {name: codec.encode for name, codec in CODECS.items()}
    sites: dict[int, dict[str, Any]] = {}

    def site(place: Site) -> dict[str, Any]:
        known = sites.get(id(place))
        if known is None:
            known = {name: _listed(getattr(place, name)) for name in SITE_FIELDS}
            sites[id(place)] = known
        return known

    for kind in CLASSES:
        one: Expand = site if kind is Site else _object(kind, table)
        name = kind.__name__
        table[name] = one
        table[f"{name} | None"] = optional(Codec(one, one)).encode
        table[f"tuple[{name}, ...]"] = sequence(Codec(one, one)).encode
    return table


def _object(kind: type, table: dict[str, Expand | None]) -> Expand:
    parts = [(field.name, table[str(field.type)]) for field in dataclasses.fields(kind)]

    def expand_one(item: Any) -> dict[str, Any]:
        return {name: getattr(item, name) if out is None else out(getattr(item, name)) for name, out in parts}

    return expand_one


def _value(table: dict[str, Expand | None], field: dataclasses.Field[Any], record: Record) -> Any:
    out = table[str(field.type)]
    value = getattr(record, field.name)
    return value if out is None else out(value)


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
