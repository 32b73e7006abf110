"""Where a run that the script itself ended did so: the innermost arm taken that has the line in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dyncli.query.graph.frames import Frame
from dyncli.query.places import place_text
from dyncli.record.model import Record, Site
from dyncli.record.text import one_line

LONGEST = 64
_FOLDERS = re.compile(r"\S*[/\\]")
Span = tuple[int, int]


def raised_in(record: Record, site: Site | None, span: Span | None) -> str:
    """Return what ended the run, if these lines of the site's file did; an op that failed is drawn in red itself."""
    failure = record.failure
    if failure is None or failure.op is not None or not failure.frames or site is None or span is None:
        return ""
    last = failure.frames[-1]
    inside = last.file == site.file and span[0] <= last.line <= span[1]
    return one_line(f"{failure.type}: {failure.message}", LONGEST) if inside else ""


def raising_frame(record: Record, frames: Sequence[Frame]) -> int | None:
    """Return the frame of the innermost arm that ended the run, where ops ran in it as well."""
    if record.failure is None or record.failure.op is not None:
        return None
    last = next((d for d in reversed(record.decisions) if raised_in(record, d.site, _taken(d.site, d.arm))), None)
    if last is None:
        return None
    found = [f for f in frames if f.kind == "arm" and f.site is not None and last.seq in f.arms]
    return next((frame.number for frame in found if frame.name == last.arm), None)


def _taken(site: Site, arm: str) -> Span | None:
    return dict(zip(site.arms, site.arm_lines, strict=False)).get(arm)


def stopped(record: Record) -> list[str]:
    """Return what ended a run outside of any op, where no op is drawn in red."""
    failure = record.failure
    if failure is None or failure.op is not None:
        return []
    words = one_line(f"{failure.type}: {failure.message}" if failure.message else failure.type, 90)
    told = [note.partition(": ")[0] for note in failure.notes if not note.startswith("hint")]
    where = [one_line(_FOLDERS.sub("", words), 70) for words in told]
    if not failure.frames:
        return [words, *where[:2]]
    last = failure.frames[-1]
    return [f"{words} ({place_text(last.file, last.line, record.model)})", *where[:2]]
