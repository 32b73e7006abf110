"""The whole record as strict JSON with named fields, as `--json` prints it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from dyncli.record.expanded import expand
from dyncli.record.model import Record


@dataclass(frozen=True, slots=True)
class JsonOptions:
    """indent: spaces for each level, or None for one line."""

    indent: int | None = 2


def render(record: Record, options: object = None) -> str:
    """Return `record` as JSON text: ASCII, no NaN, a newline at the end."""
    indent = options.indent if isinstance(options, JsonOptions) else 2
    return json.dumps(expand(record), indent=indent, allow_nan=False) + "\n"
