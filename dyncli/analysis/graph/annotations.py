"""Annotations of a drawing: bad values, exceptions, loop ends, backwards."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from dyncli.analysis.first_bad import first_bad
from dyncli.analysis.graph.frame import Frame
from dyncli.analysis.values import place_text, site_place, stats_of
from dyncli.records.model import Record, Site, TensorSummary
from dyncli.records.text import one_line


def born_bad(record: Record) -> Iterator[tuple[int, str]]:
    """Yield the op that made the first NaN or Inf, or the first in a gradient, of a run that ended with one.

    Of large tensors only `dyncli trace` keeps enough to tell; then it may have been there before.
    """
    ends = {item.tensor for item in record.outputs}
    ends |= {each.value for backward in record.backwards for each in backward.gradients if each.role != "intermediate"}
    seen = {word for end in ends if end is not None for word in _bad_words(record.tensors[end])}
    if not seen and record.failure is None:
        return
    found = first_bad(record)
    if any(bad.kind == "NaN" for bad in found) and (record.failure is not None or "NaN" in seen):
        seen = {"NaN", "Inf"}
    done: set[int] = set()
    for bad in found:
        if bad.kind in seen and bad.op is not None:
            known = all(stats_of(record.tensors[number]) is not None for number in bad.made_of)
            where = " in a gradient" if bad.is_gradient else ""
            if bad.op not in done:
                yield bad.op, f"{f'first {bad.kind}' if known else f'{bad.kind} by here'}{where} (op {bad.op})"
            done.add(bad.op)


def _bad_words(tensor: TensorSummary) -> Iterator[str]:
    stats = stats_of(tensor)
    if stats is not None:
        yield from (word for count, word in ((stats.nan, "NaN"), (stats.inf, "Inf")) if count)


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


LONGEST = 64
_FOLDERS = re.compile(r"\S*[/\\]")
LineSpan = tuple[int, int]


def raised_in(record: Record, site: Site | None, span: LineSpan | None) -> str:
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


def _taken(site: Site, arm: str) -> LineSpan | None:
    return dict(zip(site.arms, site.arm_lines, strict=False)).get(arm)


def stopped(record: Record) -> list[str]:
    """Return what ended a run outside of any op, where no op is drawn in red."""
    failure = record.failure
    if failure is None or failure.op is not None:
        return []
    words = one_line(f"{failure.type}: {failure.message}" if failure.message else failure.type, 90)
    notes = [note.partition(": ")[0] for note in failure.notes if not note.startswith("hint")]
    where = [one_line(_FOLDERS.sub("", words), 70) for words in notes]
    if not failure.frames:
        return [words, *where[:2]]
    last = failure.frames[-1]
    return [f"{words} ({place_text(last.file, last.line, record.model)})", *where[:2]]


def passes(record: Record) -> list[str]:
    """Return how often a run called `backward` and where, if more than once; of each leaf the last is drawn."""
    sites = [one.site for one in record.backwards if one.by == "backward"]
    if len(sites) < 2:
        return []
    places = list(dict.fromkeys(site_place(site, record.model) for site in sites if site is not None))
    where = f" at {places[0]}" if len(places) == 1 else ""
    return [f"backward(){where} ran {len(sites):,} times: inputs and parameters have the last gradient"]
