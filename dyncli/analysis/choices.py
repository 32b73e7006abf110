"""Choices by index as rows: one for each place in the source, with what was picked how often and how closely."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import prod
from typing import NamedTuple

from dyncli.analysis.values import number, place_text, short_file, short_place
from dyncli.records.model import Choice, Record, Site
from dyncli.records.text import one_line

WIDEST_USE = 28  # letters of what was indexed
WIDEST_WORD = 20  # letters of one of several
MOST_MODULES = 4  # that have a row each at one place
MOST_IN_ORDER = 8  # picks that are listed one by one
MOST_INDEXES = 8  # indexes whose counts are listed
BRACKETS = ("getitem", "index_put_")
_OF_TORCH = re.compile(r"(?:torch|F|nn)\.(?:\w+\.)*(?=\w+\()")
_METHOD = re.compile(r"\.(\w+)\([^()]*\)$")
_COMPARED = re.compile(r" (?:[<>]=?|[!=]=) [^<>!]+$")
ORDERING = ("sort", "argsort")
ORIGIN = {"index": "tensor", "mask": "tensor", "sample": "rng"}


class ChoiceRow(NamedTuple):
    """One line of the table of choices.

    picked: the indexes in order, or how often each was picked.  margin: the least, or the probabilities of a sample.
    use: what was read, written or run by it.  module: the one it was made in, where several made it.
    """

    choices: tuple[Choice, ...]
    site: Site
    picked: str
    margin: str
    use: str
    module: str = ""

    @property
    def origin(self) -> str:
        """`tensor`, or `rng` of a sample."""
        return ORIGIN[self.choices[0].kind]


def choice_rows(record: Record) -> list[ChoiceRow]:
    """Return the rows in the order of the first choice at each place."""
    places: dict[tuple[object, ...], dict[str, list[Choice]]] = {}
    for choice in record.choices:
        op = record.ops[choice.op]
        site = op.site  # Python repeats the code of a `while` test below the loop, where its ops have other ids
        modules = places.setdefault((site.file, site.line, site.col, site.end_line, site.end_col, choice.kind), {})
        modules.setdefault(_module(record, op.scope), []).append(choice)
    rows: list[ChoiceRow] = []
    for modules in places.values():
        if 1 < len(modules) <= MOST_MODULES:
            rows += (_row(record, group, name) for name, group in modules.items())
        else:
            group = [choice for choices in modules.values() for choice in choices]
            rows.append(_row(record, sorted(group, key=lambda choice: choice.op), ""))
    return rows


def _module(record: Record, scope: int) -> str:
    """Return the name of the innermost module that a scope stands in."""
    at: int | None = scope
    while at is not None:
        if record.scopes[at].kind == "module":
            return record.scopes[at].name
        at = record.scopes[at].parent
    return ""


def _row(record: Record, group: list[Choice], module: str) -> ChoiceRow:
    site = record.ops[group[0].op].site
    return ChoiceRow(tuple(group), site, picked_text(record, group), _margin(group), _use(record, group, site), module)


def op_text(site: Site, width: int = 60) -> str:
    """Return the source of an op, without the names of PyTorch's modules.

    A longer one has its last method, or the little that it is compared with.
    """
    text = one_line(_OF_TORCH.sub("", site.text, count=1))
    compared = _COMPARED.search(text)
    if len(text) > width and compared is not None and compared[0].count("(") == compared[0].count(")"):
        if 3 * len(compared[0]) > width:
            return one_line(text, width)
        return f"{one_line(text[: compared.start()], width - len(compared[0]))}{compared[0]}"
    end = _METHOD.search(text)
    if len(text) <= width or end is None:
        return one_line(text, width)
    method = end[0] if len(end[0]) <= width // 2 else f".{end[1]}(…)"
    before, room = text[: end.start()], width - len(method)
    return f"{before}{method}" if len(before) <= room else f"{one_line(before, room - 1)} {method}"


def picked_text(record: Record, group: Sequence[Choice]) -> str:
    """Return what was picked at one place: indexes in order, how often each was, or how much of a mask was True."""
    return _masked(group) if group[0].kind == "mask" else _picked(record, group)


def _picked(record: Record, group: Sequence[Choice]) -> str:
    """Return the indexes that were picked in order, or how often each was."""
    total = sum(sum(choice.counts) or _size(record, choice) for choice in group)
    of = max(choice.of for choice in group)
    if total <= MOST_IN_ORDER:
        return f"{_in_order([index for choice in group for index in choice.picked])} (of {of:,})"
    if record.ops[group[0].op].name in ORDERING:
        if total == of:
            return f"{_in_order(group[0].picked[:MOST_IN_ORDER])}, … (of {of:,})"
        return f"{sum(_size(record, choice) // choice.of for choice in group):,} orders of {of:,}"
    load = load_of(group)
    if not load:
        return f"{total:,} (of {of:,})"
    return load_text(load)


def _size(record: Record, choice: Choice) -> int:
    """Return how many indexes were picked: those of the op's last result, as of `values, indices = x.topk(2)`."""
    return prod(record.tensors[record.ops[choice.op].outputs[-1]].shape)


def _in_order(indexes: Sequence[int]) -> str:
    """Return indexes in their order, those that follow each other alike counted.

    >>> _in_order([0, 2, 2, 2, 1])
    '0, 2 x3, 1'
    """
    runs = ((index, sum(1 for _ in run)) for index, run in groupby(indexes))
    return ", ".join(f"{index}" if times == 1 else f"{index} x{times}" for index, times in runs)


def load_of(group: Sequence[Choice]) -> list[int]:
    """Return how often each index was picked, by index; nothing where some were not counted."""
    if not all(choice.counts for choice in group):
        return []
    load = [0] * max(len(choice.counts) for choice in group)
    for choice in group:
        for index, times in enumerate(choice.counts):
            load[index] += times
    return load


def load_text(load: Sequence[int]) -> str:
    """Return how often each index was picked: all of few, else the most frequent.

    >>> load_text([3, 0, 12])
    '0: 3, 1: never, 2: 12'
    """
    if len(load) <= MOST_INDEXES:
        return ", ".join(f"{index}: {times:,}" if times else f"{index}: never" for index, times in enumerate(load))
    most = sorted(range(len(load)), key=lambda index: -load[index])[: MOST_INDEXES - 3]
    words = [f"{index}: {load[index]:,}" for index in most if load[index]]
    others = [times for index, times in enumerate(load) if index not in most and times]
    if others:
        words.append(f"{len(others):,} more: {sum(others):,}")
    never = load.count(0)
    return ", ".join([*words, *([f"never: {never:,} of {len(load):,}"] if never else [])])


def takes_all_or_none(group: Sequence[Choice]) -> bool:
    """Return whether masks at one place were True of all elements each time, or of none each time."""
    return any(all(choice.kind == "mask" and not choice.counts[value] for choice in group) for value in (0, 1))


def _masked(group: Sequence[Choice]) -> str:
    """Return how many elements of a mask were True."""
    texts = [f"{choice.counts[1]:,} of {choice.of:,}" for choice in group]
    if len(set(texts)) == 1:
        return texts[0]
    if len(group) <= MOST_IN_ORDER // 2:
        return ", ".join(texts)
    true = [choice.counts[1] for choice in group]
    of = sorted({choice.of for choice in group})
    if takes_all_or_none(group):
        return f"{'all' if true[-1] else 'none'} of {of[0]:,} to {of[-1]:,}"
    return f"{min(true):,} to {max(true):,} of {of[0]:,}" + (f" to {of[-1]:,}" if len(of) > 1 else "")


def _margin(group: Sequence[Choice]) -> str:
    """Return the least margin, or between what the probabilities of what was drawn lie."""
    likely = [each for choice in group for each in choice.probabilities]
    if likely:
        low, high = number(min(likely), 2), number(max(likely), 2)
        return f"p {low}" if low == high else f"p {low} to {high}"
    margins = [choice.margin for choice in group if choice.margin is not None]
    return number(min(margins)) if margins else ""


def _use(record: Record, group: Sequence[Choice], site: Site) -> str:
    """Return what was read, written or run by what was picked: a line with up to two of them, and how many others."""
    places: dict[tuple[str, int, str], None] = {}
    for choice in group:
        for use in sorted(choice.uses, key=lambda use: record.ops[use].name in ("any", "all")):
            op = record.ops[use]
            text = one_line(op.site.text, WIDEST_WORD) if op.name in BRACKETS else op.name
            places.setdefault((op.site.file, op.site.line, text))
    if any(choice.left is not None for choice in group):
        for line, text in _subscripts(record, site):
            places.setdefault((site.file, line, text))
    if not places:
        left = next((choice.left for choice in group if choice.left is not None), None)
        return "" if left is None else f"{short_place(left, record)}: {_end_of(left.text)}"
    (file, line, _) = next(iter(places))
    there = [text for other, at, text in places if (other, at) == (file, line)][:2]
    there = there if len(", ".join(there)) <= WIDEST_USE else there[:1]
    more = len(places) - len(there)
    place = place_text(short_file(file, record.model, record.sources), line, record.model)
    return f"{place}: {', '.join(there)}" + (f", {more:,} more" if more else "")


def _end_of(text: str) -> str:
    """Return the last call of a chain that is too long for a cell: `….item()`."""
    end = text.rfind(".") if len(text) > WIDEST_WORD else -1
    return one_line(text, WIDEST_WORD) if end < 0 else "…" + one_line(text[end:], WIDEST_WORD)


def _subscripts(record: Record, site: Site) -> Iterator[tuple[int, str]]:
    """Yield line and text of the subscripts of the source whose index is the value of the op at a site."""
    from dyncli.analysis.graph.causes import subscripts

    text = next((source.text for source in record.sources if source.file == site.file), "")
    for place in subscripts(text):
        if place.value == (site.line, site.col, site.end_line, site.end_col):
            yield place.itself[0], f"{place.name}[{place.written}]"
