"""The tables beside Python's bytecode: what handles exceptions where, and where in the source instructions stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: Begins an entry that stands nowhere, and one that stands in the line before it, at no column.
_NOWHERE, _SAME_LINE = 0x80 | 15 << 3, 0x80 | 13 << 3
#: The entries that go on to another line by their kind, and those that say first how far it is.
_OTHER_LINES, _LINE_FIRST = (11, 12), (13, 14)
_LONGEST = 8  # instructions in one entry of a line table


class Guarded(NamedTuple):
    """From which instruction to which an exception goes to a handler, and the depth the stack then gets."""

    start: int
    end: int
    target: int
    depth: int
    lasti: bool

    def moved(self, begin: int, count: int) -> Guarded:
        """The same after `count` instructions were put in before the instruction `begin`."""
        start, end, target = (place + count if place >= begin else place for place in self[:3])
        return self._replace(start=start, end=end, target=target)


def guarded_by(table: bytes) -> list[Guarded]:
    """The entries of an exception table."""
    found: list[Guarded] = []
    numbers = _numbers(table)
    for start in numbers:
        length, target, depth = next(numbers), next(numbers), next(numbers)
        found.append(Guarded(start, start + length, target, depth >> 1, bool(depth & 1)))
    return found


def table_of(guarded: Iterable[Guarded]) -> bytes:
    """The exception table with these entries."""
    table = bytearray()
    for start, end, target, depth, lasti in guarded:
        first = len(table)
        for number in (start, end - start, target, depth << 1 | lasti):
            for shift in (24, 18, 12, 6):
                if number >> shift:
                    table.append(number >> shift & 63 | 64)
            table.append(number & 63)
        table[first] |= 128
    return bytes(table)


def _numbers(table: bytes) -> Iterator[int]:
    number = 0
    for byte in table:
        number = number << 6 | byte & 63
        if not byte & 64:
            yield number
            number = 0


def with_gap(table: bytes, begin: int | None, count: int, same_line: bool = False) -> bytes:
    """A line table after `count` instructions that stand nowhere were put in before the instruction `begin`.

    begin: None for the end.  same_line: whether they stand in the line of the instruction before instead.
    """
    at = start = 0 if begin is not None else len(table)
    passed = 0
    while begin is not None and passed < begin:
        start = at
        passed += (table[at] & 7) + 1
        at += 1
        while at < len(table) and not table[at] & 128:
            at += 1
    kind = bytes((_SAME_LINE, 0)) if same_line else bytes((_NOWHERE,))
    lengths = (min(_LONGEST, count - done) - 1 for done in range(0, count, _LONGEST))
    gap = b"".join(bytes((kind[0] | length,)) + kind[1:] for length in lengths)
    if begin is None or passed == begin:
        return table[:at] + gap + table[at:]
    entry, after = table[start:at], passed - begin
    first = bytes((entry[0] - after,)) + entry[1:]
    return table[:start] + first + gap + _again(entry, after) + table[at:]


def _again(entry: bytes, count: int) -> bytes:
    """The entry of a line table for the last `count` instructions of one, after that of the first."""
    kind, places = entry[0] >> 3 & 15, entry[1:]
    if kind in _OTHER_LINES:
        kind = 10
    elif kind in _LINE_FIRST:
        while places[0] & 64:
            places = places[1:]
        places = bytes(1) + places[1:]
    return bytes((128 | kind << 3 | count - 1,)) + places
