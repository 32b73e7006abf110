"""A long run of outcomes as a short pattern: `True x6, False`, `(T, T, F) x3`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

LONGEST_PERIOD = 12
MOST_PARTS = 6
MOST_RUNS = 9
MOST_INSIDE = 4  # runs of a block that repeats

Part = tuple[tuple[str, ...], int]


def pattern(symbols: Sequence[str]) -> str:
    """Return `symbols` with repeats folded; of an irregular run, its counts.

    >>> pattern(["True"] * 6 + ["False"]), pattern(list("TTF") * 3)
    ('True x6, False', '(T x2, F) x3')
    """
    parts = repeats(symbols)
    if len(parts) <= MOST_PARTS and all(len(_runs(block)) <= MOST_INSIDE for block, _ in parts):
        return ", ".join(map(_text, parts))
    return f"{shares(symbols)}, mixed"


def letters(symbols: Sequence[str]) -> str:
    """Return single letters with repeats folded.

    >>> letters("TTFTTFTTF"), letters("TTTTF"), letters("AAAABAAAAAAAAB")
    ('T T F x3', 'T x4, F', 'A x4, B, A x8, B')
    """
    ways = [
        parts for parts, most in ((_runs(symbols), MOST_RUNS), (repeats(symbols), MOST_PARTS)) if len(parts) <= most
    ]
    if not ways:
        return f"{shares(symbols)}, mixed"
    texts = [", ".join(" ".join(block) + (f" x{times:,}" if times > 1 else "") for block, times in way) for way in ways]
    return min(texts, key=len)


def repeats(symbols: Sequence[str]) -> list[Part]:
    """Return `symbols` as (block, how often in a row), each time taking the block that covers most."""
    parts: list[Part] = []
    start, end = 0, len(symbols)
    while start < end:
        period, covered = 1, 1
        for size in range(1, min(LONGEST_PERIOD, (end - start) // 2) + 1):
            at = start + size
            while at < end and symbols[at] == symbols[at - size]:
                at += 1
            length = (at - start) // size * size
            if length >= 2 * size and length > covered:
                period, covered = size, length
        parts.append((tuple(symbols[start : start + period]), covered // period))
        start += covered
    return parts


def _runs(symbols: Sequence[str]) -> list[Part]:
    """Return `symbols` as runs of one and the same."""
    return [((symbol,), sum(1 for _ in run)) for symbol, run in groupby(symbols)]


def shares(symbols: Sequence[str]) -> str:
    """Return how often each symbol occurs: `T 12, F 30`."""
    counts: dict[str, int] = {}
    for symbol in symbols:
        counts[symbol] = counts.get(symbol, 0) + 1
    return ", ".join(f"{symbol} {count:,}" for symbol, count in counts.items())


def _text(part: Part) -> str:
    block, times = part
    if len(block) == 1:
        return block[0] if times == 1 else f"{block[0]} x{times:,}"
    return f"({', '.join(map(_text, _runs(block)))}) x{times:,}"
