"""What the `else` of a `for` did: it runs where the loop ran out, and is passed over where a `break` left it."""

from __future__ import annotations

import re
from collections.abc import Container

from dyncli.record.model import Record, Site

_ELSE = re.compile(r"(\s*)else\s*:")


def after_loop(record: Record, site: Site | None, drawn: Container[int | None]) -> str:
    """Return whether the `else` of a loop ran, of one come to several times how often; nothing if it has none.

    drawn: the loops that stand in one box.
    """
    if site is None or site.kind != "for" or not _has_else(record, site):
        return ""
    rounds = [one for one in record.decisions if one.site.id == site.id and one.seq in drawn]
    ran = sum(one.exit == "exhausted" for one in rounds)
    if ran == 0:
        return "else passed over"
    return "ran out, then else" if ran == len(rounds) else f"then else, {ran:,} of {len(rounds):,} times"


def _has_else(record: Record, site: Site) -> bool:
    text = next((source.text for source in record.sources if source.file == site.file), "")
    lines = text.splitlines()
    body = site.arm_lines[0] if site.arm_lines else None
    if body is None or not 0 < site.line <= len(lines):
        return False
    indent = len(lines[site.line - 1]) - len(lines[site.line - 1].lstrip())
    for line in lines[body[1] :]:
        if line.strip() and not line.lstrip().startswith("#"):
            found = _ELSE.match(line)
            return found is not None and len(found[1]) == indent
    return False
