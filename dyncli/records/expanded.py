"""A record with every field named, for other programs: the contract of `--json`.

Sites stand where they are used.  A number that is not finite is the string `NaN`, `Infinity` or `-Infinity`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from dyncli.records.codec import CODECS, Codec, optional, sequence
from dyncli.records.model import Record, Site
from dyncli.records.rows import CLASSES

Expand = Callable[[Any], Any]
#: Past so many ops JSON is written on one line: to indent 100,000 of them takes Python's encoder eight seconds.
INDENTED_OPS = 1000
SITE_FIELDS = ("id", "file", "line", "col", "end_line", "end_col", "kind", "text", "function", "arms")


def expand(record: Record) -> dict[str, Any]:
    """Return the whole record as dicts and lists that strict JSON can hold."""
    table = _table()
    expanded: dict[str, Any] = _object(Record, table)(record)
    whole_site = _object(Site, table)
    expanded["sites"] = [whole_site(site) for site in record.sites]
    head = {key: expanded.pop(key) for key in ("schema", "model", "entry", "case", "status")}
    return head | expanded


def json_text(document: Any, ops: int, indent: int | None = 2) -> str:
    """Return strict JSON in ASCII with a newline at its end; one line where many ops would take long to indent."""
    return json.dumps(document, indent=indent if ops <= INDENTED_OPS else None, allow_nan=False) + "\n"


def _table() -> dict[Any, Expand | None]:
    """Return what expands each annotation of the data model; None leaves a value as it is."""
    table: dict[Any, Expand | None] = {name: codec.encode for name, codec in CODECS.items()}
    sites: dict[int, dict[str, Any]] = {}

    def site(place: Site) -> dict[str, Any]:
        known = sites.get(id(place))
        if known is None:
            known = {name: _listed(getattr(place, name)) for name in SITE_FIELDS}
            sites[id(place)] = known
        return known

    for kind in CLASSES:
        one: Expand = site if kind is Site else _object(kind, table)
        table[kind] = one
        table[kind | None] = optional(Codec(one, one)).encode
        many = sequence(Codec(one, one)).encode
        table[tuple[kind, ...]] = table[Sequence[kind]] = many  # type: ignore[valid-type]
    return table


def _object(kind: Any, table: dict[Any, Expand | None]) -> Expand:
    parts = [(name, table[annotation]) for name, annotation in kind.__annotations__.items()]

    def expand_one(item: Any) -> dict[str, Any]:
        return {name: getattr(item, name) if out is None else out(getattr(item, name)) for name, out in parts}

    return expand_one


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
