"""Instructions put in between others: everything else stays where it is and comes to where it came to."""

import dis
import random
import sysconfig
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

from dyncli.load.instrument.inserting import with_inserted
from dyncli.load.instrument.instructions import NOP

APART = ("EXTENDED_ARG", "NOP")


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and all within."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes_in(each)


def told(code: CodeType) -> list[object]:
    """What is done where in the source, and to which instruction each jump goes; what does nothing is left out."""
    rows = [each for each in dis.get_instructions(code) if each.opname not in APART]
    offsets = [each.offset for each in rows]
    return [
        (each.opname, each.positions, bisect_left(offsets, each.argval) if each.opcode in dis.hasjrel else each.argval)
        for each in rows
    ]


@pytest.mark.slow
def test_what_was_there_is_there() -> None:
    """A few or many instructions at random places in the code of Python's own library."""
    chance, library = random.Random(5), Path(sysconfig.get_path("stdlib"))
    seen = 0
    for name in ("contextlib.py", "dataclasses.py", "argparse.py", "enum.py"):
        source = (library / name).read_text(encoding="utf-8")
        for code in codes_in(compile(source, name, "exec", dont_inherit=True)):
            rows = list(dis.get_instructions(code))
            starts = [each.offset // 2 for before, each in zip([None, *rows], rows)
                      if before is None or before.opname != "EXTENDED_ARG"]  # fmt: skip
            added = {chance.choice(starts): bytes((NOP, 0)) * chance.choice((1, 9, 300)) for _ in range(3)}
            assert told(code) == told(with_inserted(code, added))
            seen += 1
    assert seen > 300
