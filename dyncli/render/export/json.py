"""The whole record as strict JSON with named fields, as `--json` prints it."""

from __future__ import annotations

from typing import NamedTuple

from dyncli.records.expanded import expand, json_text
from dyncli.records.model import Record


class JsonOptions(NamedTuple):
    """indent: spaces for each level, or None for one line."""

    indent: int | None = 2


def render(record: Record, options: object = None) -> str:
    """Return `record` as JSON text: ASCII, no NaN, a newline at the end."""
    if isinstance(options, JsonOptions):
        return json_text(expand(record), 0, options.indent)
    return json_text(expand(record), len(record.ops))
