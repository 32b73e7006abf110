"""Lines of JSON that say themselves whether they are whole: each begins with the checksum of the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, Any

from dyncli import errors
from dyncli.records.digest import blake2b

LONGEST_LINE = 1 << 28
CHECKSUM = 16  # digits, then a blank

_text = json.JSONEncoder(separators=(",", ":")).encode


def sealed(value: Any) -> bytes:
    """A value as a line."""
    return sealed_text(_text(value).encode("ascii"))


def sealed_text(text: bytes) -> bytes:
    """A text of JSON as a line."""
    return b"%b %b\n" % (checksum(text), text)


def checksum(text: bytes) -> bytes:
    """What a line begins with."""
    return blake2b(text, digest_size=CHECKSUM // 2).hexdigest().encode()


def unsealed(file: IO[bytes], path: str) -> Iterator[tuple[Any, int]]:
    """(value, where the line ends) of each whole line; the last may be damaged.  Raises JournalUnreadable."""
    end, number, damaged = 0, 0, 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        digits, _, text = line.removesuffix(b"\n").partition(b" ")
        if not line.endswith(b"\n") or checksum(text) != digits:
            damaged = damaged or number
            continue
        if damaged:
            raise errors.JournalUnreadable(path, f"line {damaged} is damaged")
        end += len(line)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise errors.JournalUnreadable(path, f"line {number} is no JSON") from None
        yield value, end
    if damaged and damaged < number:
        raise errors.JournalUnreadable(path, f"line {damaged} is damaged")
