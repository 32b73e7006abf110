"""A `Record` to a file and back: strict JSON, compact, the same bytes for the same record, and no code in it.

A file is one object: `format`, `schema`, `fields` (the column names of each class), `all_sites` (every site once; ops
and decisions name one by its place in that list), and one list of rows for each tuple of the record.
Above 64 KiB it is gzipped.
"""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Any

from dyncli import errors
from dyncli.records.codec import Codec, Malformed, sequence
from dyncli.records.model import SCHEMA, Record, Site
from dyncli.records.rows import SITE_ROW, codecs, layout
from dyncli.records.validate import check

FORMAT = "dyncli-record"
ALL_SITES = "all_sites"
MAX_BYTES = 1 << 30
COMPRESS_ABOVE = 64 * 1024
_GZIP = b"\x1f\x8b"
_RENAMED = {"Atom": "Condition", "atoms": "conditions", "atom": "condition"}


def load(path: str | os.PathLike[str]) -> Record:
    """Return the record in the file at `path`; raises RecordUnreadable or RecordNewer when there is none."""
    name = os.fspath(path)
    try:
        if os.path.getsize(path) > MAX_BYTES:
            raise errors.RecordUnreadable(name, f"it is larger than {MAX_BYTES >> 20} MiB")
        data = Path(path).read_bytes()
    except OSError as error:
        raise errors.RecordUnreadable(name, str(error.strerror or error).lower()) from None
    return parse(data, name)


def dump(record: Record) -> bytes:
    """Return the bytes of a file that holds `record`."""
    text = json.dumps(_Writer().document(record), separators=(",", ":"), allow_nan=False)
    data = (text + "\n").encode("ascii")
    if len(data) <= COMPRESS_ABOVE:
        return data
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def parse(data: bytes, name: str = "record") -> Record:
    """Return the record in `data`; `name` is what error messages call the file."""
    text = _inflate(data, name) if data[:2] == _GZIP else data
    try:
        document = json.loads(text.decode("utf-8"), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        if error.pos >= len(error.doc.rstrip()) or (error.doc[:1] == "{" and not error.doc.rstrip().endswith("}")):
            raise errors.RecordUnreadable(name, "it is cut short") from None
        raise errors.RecordUnreadable(name, f"it is not JSON (line {error.lineno}, column {error.colno})") from None
    except UnicodeDecodeError:
        raise errors.RecordUnreadable(name, "it is not text") from None
    except RecursionError:
        raise errors.RecordUnreadable(name, "it is nested too deeply") from None
    except ValueError as error:
        raise errors.RecordUnreadable(name, str(error)) from None
    return _build(document, name)


def _build(document: Any, name: str) -> Record:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise errors.RecordUnreadable(name, f'it has no `"format": "{FORMAT}"`')
    schema = document.get("schema")
    if type(schema) is not int or schema < 1:
        raise errors.RecordUnreadable(name, "it has no schema version")
    if schema > SCHEMA:
        raise errors.RecordNewer(name, schema, SCHEMA)
    try:
        record = _Reader(_from_first_schema(document) if schema == 1 else document).record()
        check(record)
    except Malformed as error:
        raise errors.RecordUnreadable(name, str(error)) from None
    return record


def _from_first_schema(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document of schema 1 with the names of schema 2: its conditions were called atoms."""
    columns = document.get("fields")
    if not isinstance(columns, dict):
        return document | {"schema": SCHEMA}
    renamed = {_RENAMED.get(kind, kind): names for kind, names in columns.items()}
    for kind in ("Decision", "Sensitivity"):
        names = renamed.get(kind)
        if isinstance(names, list):
            renamed[kind] = [_RENAMED.get(name, name) if type(name) is str else name for name in names]
    return document | {"schema": SCHEMA, "fields": renamed}


def _inflate(data: bytes, name: str) -> bytes:
    unpacker = zlib.decompressobj(31)
    try:
        text = unpacker.decompress(data, MAX_BYTES)
    except zlib.error:
        raise errors.RecordUnreadable(name, "its compressed data are damaged") from None
    if unpacker.unconsumed_tail:
        raise errors.RecordUnreadable(name, f"it unpacks to more than {MAX_BYTES >> 20} MiB")
    if not unpacker.eof:
        raise errors.RecordUnreadable(name, "it is cut short")
    return text


def _no_constant(word: str) -> Any:
    raise ValueError(f"it holds `{word}`, which JSON does not have")


class _Writer:
    """Turns one record into plain lists; `sites` grows as sites are met."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self._by_identity: dict[int, int] = {}
        self._by_value: dict[Site, int] = {}

    def place(self, site: Site) -> int:
        """Return the place of `site` in the list of sites, adding it if it is new."""
        place = self._by_identity.get(id(site))
        if place is None:
            place = self._by_value.setdefault(site, len(self.sites))
            if place == len(self.sites):
                self.sites.append(site)
            self._by_identity[id(site)] = place
        return place

    def document(self, record: Record) -> dict[str, Any]:
        """Return the whole file as one JSON object."""
        columns = layout()
        table = codecs(self.place, self.sites.__getitem__, columns)
        body = {
            name: _written(table[annotation], getattr(record, name))
            for name, annotation in Record.__annotations__.items()
            if name != "schema"
        }
        every_site = [_written(table[SITE_ROW], site) for site in self.sites]
        head = {"format": FORMAT, "schema": record.schema, "fields": columns, ALL_SITES: every_site}
        return head | body


class _Reader:
    """Turns the object of one file into a record."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.every_site: tuple[Site, ...] = ()

    def find(self, place: Any) -> Site:
        """Return the site at `place` in the file's list of sites."""
        if type(place) is not int or not 0 <= place < len(self.every_site):
            raise Malformed(f"there is no site {place!r}"[:60])
        return self.every_site[place]

    def record(self) -> Record:
        """Return the record, or raise Malformed with the place of the first fault."""
        table = codecs(id, self.find, self.document.get("fields"))
        self.every_site = _read(sequence(table[SITE_ROW]), self.document.get(ALL_SITES), ALL_SITES)
        values: dict[str, Any] = {}
        for name, annotation in Record.__annotations__.items():
            if name in self.document:
                values[name] = _read(table[annotation], self.document[name], name)
            elif name not in Record._field_defaults:
                raise Malformed(f"it has no `{name}`")
        return Record(**values)


def _read(codec: Codec, value: Any, where: str) -> Any:
    """Return `value` decoded; an error says where in the file it stands."""
    try:
        return codec.decode(value)
    except Malformed as error:
        raise Malformed(f"`{where}` {error}") from None


def _written(codec: Codec, value: Any) -> Any:
    return value if codec.encode is None else codec.encode(value)
