"""The ways on from each decision: where the arm taken begins, and what stood in the arm that was left."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from dyncli.analysis.decisions import shown_kind
from dyncli.analysis.graph.causes import Rest
from dyncli.analysis.graph.labels import arm_word
from dyncli.analysis.graph.slots import Slot, Slots
from dyncli.records.model import Record, Site
from dyncli.records.text import printable

MOST_LINES = 6
#: Of more arms left by one decision than this the names are told in one box.
MOST_LEFT = 2
MOST_COLUMNS = 48


class Way(NamedTuple):
    """One arm of a drawn decision.

    target: the slot it leads to, if something is drawn there.  source: the arm's own lines, where nothing is.
    times: how often it was taken, 0 for an arm left.
    """

    decision: int
    arm: str
    word: str
    times: int
    target: int | None
    source: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None


def ways(record: Record, slots: Slots) -> Iterator[Way]:
    """Yield the ways of every drawn decision that leads somewhere."""
    first_under: dict[int, int] = {}
    over = _drawn_above(record, slots)
    for op in record.ops:
        if op.under is not None and (above := over[op.under]) is not None:
            first_under.setdefault(above, slots.op_slot[op.seq])
    for decision in record.decisions:
        above = over[decision.under] if decision.under is not None else None
        if above is not None and slots.decision_slot[decision.seq] >= 0:
            first_under.setdefault(above, slots.decision_slot[decision.seq])
    first_in = _first_in_frames(slots)
    taken = {(decision.site.id, decision.arm) for decision in record.decisions if decision.trips != 0}
    rest = Rest(record)
    for slot in slots.slots:
        if slot.kind == "decision":
            found = [
                way
                for way in (*_of_slot(record, slots, slot, first_under, first_in), *_rest(record, slot, rest, taken))
                if way.times or not (_in_kind(slots, slot) and (slot.site.id if slot.site else "", way.arm) in taken)
            ]
            yield from _together(found)


def _together(ways: list[Way]) -> Iterator[Way]:
    """Yield the ways of one decision, those left as one where there are many: the cases of a `match` by name."""
    left = [way for way in ways if not way.times]
    if len(left) <= MOST_LEFT:
        yield from ways
        return
    yield from (way for way in ways if way.times)
    words = tuple(way.word for way in left[:MOST_LINES])
    more = (f"… {len(left) - len(words)} more",) if len(left) > len(words) else ()
    spans = [way.lines for way in left if way.lines is not None]
    lines = (min(span[0] for span in spans), max(span[1] for span in spans))
    yield left[0]._replace(word=f"{len(left)} others", source=(*words, *more), lines=lines)


def _drawn_above(record: Record, slots: Slots) -> list[int | None]:
    """Return for each decision the nearest that is drawn: itself, or what a loop without a diamond ran under."""
    nearest: list[int | None] = []
    for decision in record.decisions:
        if slots.decision_slot[decision.seq] >= 0:
            nearest.append(decision.seq)
        else:
            above = decision.under
            nearest.append(nearest[above] if above is not None and above < decision.seq else None)
    return nearest


def _in_kind(slots: Slots, slot: Slot) -> bool:
    """Return whether a slot stands among iterations of one shape: the arm left here is drawn where others took it."""
    at: int | None = slot.frame
    while at is not None:
        frame = slots.frames.frames[at]
        if frame.kind == "kind":
            return True
        at = frame.parent
    return False


def _of_slot(
    record: Record, slots: Slots, slot: Slot, first_under: dict[int, int], first_in: dict[int, int]
) -> Iterator[Way]:
    decisions = [record.decisions[seq] for seq in slot.decisions]
    site = decisions[0].site
    around = slots.frames.frames[slot.frame]
    taken: dict[str, list[int]] = {}
    for decision in decisions:
        arm = decision.arm if decision.trips != 0 else ""
        taken.setdefault(arm, []).append(decision.seq)
    for arm in dict.fromkeys((*site.arms, *filter(None, taken))):
        known = arm in site.arms and site.arm_lines and not shown_kind(site).is_inline
        span = site.arm_lines[site.arms.index(arm)] if known else None
        word = arm_word(decisions[0], arm)
        if arm not in taken:
            if span is not None:
                yield Way(slot.number, arm, word, 0, None, source_lines(record, site, span), span)
            continue
        frame = slots.frames.arm_frame(around, site, arm)
        target = first_in.get(frame.number) if frame is not None else None
        if target is None:
            target = next((first_under[seq] for seq in taken[arm] if seq in first_under), None)
        if target is None and site.kind == "while" and span is not None:
            target = _first_on(slots, site, span)
        if target is not None and target != slot.number:
            yield Way(slot.number, arm, word, len(taken[arm]), target, (), span)
        elif span is not None and target is None:
            yield Way(slot.number, arm, word, len(taken[arm]), None, source_lines(record, site, span), span)


def _rest(record: Record, slot: Slot, rest: Rest, taken: set[tuple[str, str]]) -> Iterator[Way]:
    """Yield the arm that is what follows an `if` which left each time: nothing of that ran."""
    site = slot.site
    if site is None or len(site.arm_lines) != 2 or site.arm_lines[1] is not None or (site.id, site.arms[1]) in taken:
        return
    span = rest.after(site)
    if span is not None:
        word = arm_word(record.decisions[slot.decisions[0]], site.arms[1])
        yield Way(slot.number, site.arms[1], word, 0, None, source_lines(record, site, span), span)


def _first_in_frames(slots: Slots) -> dict[int, int]:
    """Return the earliest op or decision drawn in each frame or in one inside it."""
    frames = slots.frames.frames
    first: dict[int, int] = {}
    for slot in sorted(slots.slots, key=lambda slot: slot.time):
        if slot.kind not in ("op", "module", "decision", "fold"):
            continue
        at: int | None = slot.frame
        while at is not None and at not in first:
            first[at] = slot.number
            at = frames[at].parent
    return first


def _first_on(slots: Slots, site: Site, span: tuple[int, int]) -> int | None:
    """Return the earliest op or decision drawn of these lines: the `else` of a `while` runs outside of the loop."""
    drawn = [slot for slot in slots.slots if slot.kind in ("op", "decision")]
    lines = range(span[0], span[1] + 1)
    found = [slot for slot in drawn if slot.site and slot.site.file == site.file and slot.site.line in lines]
    return min(found, key=lambda slot: slot.time).number if found else None


def source_lines(record: Record, site: Site, span: tuple[int, int]) -> tuple[str, ...]:
    """Return the lines of a file from first to last, without their common indent, cut to what a small box holds."""
    text = next((source.text for source in record.sources if source.file == site.file), "")
    lines = text.splitlines()[max(span[0] - 1, 0) : max(span[1], 0)]
    plain = [printable(line) for line in textwrap.dedent("\n".join(line.expandtabs(4) for line in lines)).split("\n")]
    kept = [line if len(line) <= MOST_COLUMNS else line[: MOST_COLUMNS - 1] + "…" for line in plain if line.strip()]
    more = len(kept) - MOST_LINES
    return tuple(kept) if more <= 0 else (*kept[: MOST_LINES - 1], f"… {more + 1} more")
