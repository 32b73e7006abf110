"""Place in the user's source, from a code object and an instruction offset."""

from __future__ import annotations

import atexit
import linecache
import sys
from types import CodeType, FrameType
from typing import Any, NamedTuple

MOST_CODES = 16  # code objects whose positions are kept: Python finds one by reading all that stand before it
_positions: dict[int, tuple[CodeType, list[Any]]] = {}


class Place(NamedTuple):
    """A span of source; columns count UTF-8 bytes from 0, and are None where Python does not know them."""

    file: str
    line: int
    col: int | None
    end_line: int | None
    end_col: int | None
    function: str

    @property
    def source(self) -> str:
        """The first line of the span, stripped; empty when the source is gone."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        text = self.source
        return f"{self.file}:{self.line}" + (f": `{text}`" if text else "")


def place(code: CodeType, lasti: int) -> Place:
    """Return the span of the instruction at offset `lasti` of `code`."""
    known = _positions.get(id(code))
    if known is None:
        if len(_positions) >= MOST_CODES:
            _positions.clear()
        known = _positions[id(code)] = code, list(code.co_positions())
    table = known[1]
    return spanned(code, table[lasti // 2] if lasti // 2 < len(table) else (None,) * 4)


def spanned(code: CodeType, position: tuple[int | None, int | None, int | None, int | None]) -> Place:
    """Return the span of an instruction of `code` whose `co_positions()` are these."""
    line, end_line, col, end_col = position
    return Place(code.co_filename, line or code.co_firstlineno, col, end_line, end_col, code.co_qualname)


MOST_MODULES = 16  # modules of the user that are kept, as a dictionary is sooner found than a name
users: dict[int, dict[str, Any]] = {}  # globals of the user's modules, by identity
atexit.register(users.clear)  # the functions of ops hold it: what a script leaves is dropped at the end all the same


def is_engine(names: dict[str, Any]) -> bool:
    """Return whether code with these globals is the engine's, or marked as part of it by `__dyncore__`.

    A module of this package gets the mark when it is first asked about.
    """
    if "__dyncore__" in names:
        return True
    if id(names) in users:
        return False
    if str(names.get("__name__")).partition(".")[0] == "dyncore":
        names["__dyncore__"] = True
        return True
    if len(users) >= MOST_MODULES:
        users.clear()
    users[id(names)] = names
    return False


def caller_frame(depth: int = 1) -> FrameType:
    """Return the innermost frame outside this package."""
    frame = sys._getframe(depth)
    while id(names := frame.f_globals) not in users and is_engine(names) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def caller_line(depth: int = 1) -> tuple[CodeType, int]:
    """Code and instruction that run in the innermost frame that is not this package's."""
    frame = caller_frame(depth + 1)
    return frame.f_code, frame.f_lasti


def calling(frame: FrameType) -> tuple[FrameType, CodeType]:
    """Return the innermost frame outside this package from `frame` on, and its code.

    An entry stores that code: a frame of the same code is the user's again.
    """
    while id(names := frame.f_globals) not in users and ("__dyncore__" in names or is_engine(names)):
        frame = frame.f_back  # type: ignore[assignment]
    return frame, frame.f_code


def caller_place() -> Place:
    """Return the line outside this package that is running now."""
    frame = caller_frame(2)
    return place(frame.f_code, frame.f_lasti)
