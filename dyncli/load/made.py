"""Code that a script makes of a text by `exec` or `eval`: it gets probes as a file does, where that changes nothing.

A text is left as it is, for Python alone, where it is no valid code, very long, one of very many, or would run without
the builtins that the probes are.  Each text is read once, as a file `<string>` of its own.
"""

from __future__ import annotations
import __future__

import sys
from collections.abc import Mapping, Sequence
from types import CodeType, ModuleType
from typing import Any

from dyncli.load.instrument import Program, instrument_text

LONGEST = 100_000  # characters of a text
MOST = 100  # texts
NAME = "<string>"  # as Python calls them
_FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})


class Maker:
    """Puts probes into the texts of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.texts: dict[int, tuple[str, str]] = {}  # by the identity of a code object: its file's name, and the text
        self._known: dict[tuple[str, str, int], CodeType | str | None] = {}

    def probe(self, plain: Any, point: int, activation: int, function: Any, *given: Any) -> tuple[Any, ...]:
        """What `function` is to be called with instead of `given`.  plain: the probe that reports code without any."""
        mode = "exec" if function is exec else "eval" if function is eval else None
        if mode is None:
            return given
        text, *spaces = given
        if type(text) is not str or len(text) > LONGEST or not _has_probes(spaces):
            return plain(point, activation, function, *given)  # type: ignore[no-any-return]
        key = text, mode, sys._getframe(2).f_code.co_flags & _FUTURE
        if key not in self._known:
            self._known[key] = self._made(*key) if len(self._known) < MOST else None
        code = self._known[key]
        if code is None:
            return plain(point, activation, function, *given)  # type: ignore[no-any-return]
        return code, *spaces

    def _made(self, text: str, mode: str, flags: int) -> CodeType | str:
        count = sum(name.startswith("<string") for name in self.program.sources)
        name = NAME if not count else f"<string {count + 1}>"
        try:
            code = instrument_text(text, NAME, name, mode, flags, self.program)
            self._note(code, (name, self.program.sources[name]))
            return code
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return text  # Python says so itself

    def _note(self, code: CodeType, text: tuple[str, str]) -> None:
        self.texts[id(code)] = text
        for each in code.co_consts:
            if type(each) is CodeType:
                self._note(each, text)


def _has_probes(spaces: Sequence[Any]) -> bool:
    """Whether code that runs in these namespaces finds the probes among its builtins."""
    if not spaces or spaces[0] is None:
        return True
    if type(spaces[0]) is not dict:
        return False
    names = spaces[0].get("__builtins__")
    if names is None:
        return "__builtins__" not in spaces[0]
    if isinstance(names, ModuleType):
        names = vars(names)
    return isinstance(names, Mapping) and "_dy_at" in names
