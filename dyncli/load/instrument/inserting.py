"""Instructions put in between others: jumps across them still come to where they came to."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from types import CodeType
from typing import NamedTuple

from dyncli.load.instrument.instructions import BACK, EXTENDED, JUMPS
from dyncli.load.instrument.tables import guarded_by, table_of, with_gap


class Jump(NamedTuple):
    """An instruction that jumps: its number, that of the first that extends its argument, where it counts from."""

    at: int
    first: int
    end: int
    target: int


def with_inserted(code: CodeType, added: Mapping[int, bytes], same_line: bool = True) -> CodeType:
    """`code` with instructions before those of these numbers, in whose lines they stand, or nowhere."""
    raw = code.co_code
    every = list(jumps(raw))
    counts = {place: len(instructions) // 2 for place, instructions in added.items()}
    grown = True
    while grown:
        grown = False
        places = sorted(counts)
        sums = [0, *accumulate(counts[place] for place in places)]
        arguments = []
        for jump in every:
            end, target = (unit + sums[bisect_left(places, unit)] for unit in (jump.end, jump.target))
            arguments.append(abs(target - end))
            extended = jump.at - jump.first + counts.get(jump.first, 0) - len(added.get(jump.first, b"")) // 2
            more = (arguments[-1].bit_length() - 1) // 8 - extended
            if more > 0:
                counts[jump.first] = counts.get(jump.first, 0) + more
                grown = True
    found = bytearray()
    for before, place in zip([0, *places], [*places, len(raw) // 2]):
        found += raw[2 * before : 2 * place]
        own = added.get(place, b"")
        found += own + bytes(2 * counts.get(place, 0) - len(own))
    for jump, argument in zip(every, arguments):
        at = 2 * (jump.at + sums[bisect_right(places, jump.at)])
        found[at + 1] = argument & 255
        while argument > 255:
            at, argument = at - 2, argument >> 8
            found[at], found[at + 1] = EXTENDED, argument & 255
    lines, guarded = code.co_linetable, guarded_by(code.co_exceptiontable)
    for place in reversed(places):
        lines = with_gap(lines, place, counts[place], same_line)
        guarded = [each.moved(place, counts[place]) for each in guarded]
    return code.replace(co_code=bytes(found), co_linetable=lines, co_exceptiontable=table_of(guarded))


def jumps(raw: bytes) -> Iterator[Jump]:
    """Every instruction that jumps."""
    argument = first = 0
    for at in range(0, len(raw), 2):
        operation = raw[at]
        argument = argument << 8 | raw[at + 1]
        if operation == EXTENDED:
            continue
        if operation in JUMPS:
            end = at // 2 + 1
            while 2 * end < len(raw) and not raw[2 * end]:
                end += 1
            yield Jump(at // 2, first, end, end + (-argument if operation in BACK else argument))
        argument, first = 0, at // 2 + 1
