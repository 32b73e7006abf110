"""The whole record as strict JSON with named fields, as `--json` prints it."""

from __future__ import annotations

import json
from typing import NamedTuple

from dyncli.records.expanded import expand
from dyncli.records.model import Record

#: Past so many ops JSON is written on one line: indenting 100,000 of them takes Python's encoder eight seconds.
LARGE = 1000


class JsonOptions(NamedTuple):
    """indent: spaces for each level, or None for one line."""

    indent: int | None = 2


def render(record: Record, options: object = None) -> str:
    """Return `record` as JSON text: ASCII, no NaN, a newline at the end."""
    indent = options.indent if isinstance(options, JsonOptions) else None if len(record.ops) > LARGE else 2
    return json.dumps(expand(record), indent=indent, allow_nan=False) + "\n"
