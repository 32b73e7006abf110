"""Code that a script makes of a text by `exec` or `eval`: it gets probes as a file does, where that changes nothing.

A text is left as it is, for Python alone, where it is no valid code, very long, one of very many, or would run without
the builtins that the probes are.  Each text is read once, as a file `<string>` of its own.
What `compile` makes of a text is known again where it is run.
"""

from __future__ import annotations
import __future__

import sys
from collections.abc import Mapping, Sequence
from importlib.util import decode_source
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from dyncli.instrument.transform import Program, instrument_text
from dyncli.records.text import unwarned

LONGEST = 100_000  # characters of a text
MOST = 100  # texts
NAME = "<string>"  # as Python calls them
_FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})


class Text(NamedTuple):
    """A text that is made into code as `mode` says.

    path: the name of its file.  flags: the features from `__future__` of the code that makes it.
    """

    text: str
    path: str
    mode: str
    flags: int


class Maker:
    """Puts probes into the texts of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.texts: dict[int, tuple[str, str]] = {}  # by the identity of a code object: its file's name, and the text
        self._known: dict[Text, CodeType | str | None] = {}
        self._compiled: dict[CodeType, Text] = {}

    def probe(self, plain: Any, point: int, activation: int, function: Any, *given: Any) -> tuple[Any, ...]:
        """Return what `function` is to be called with instead of `given`.

        plain: the probe that reports code without any.
        """
        flags = sys._getframe(2).f_code.co_flags & _FUTURE
        if function is compile:
            self._remember(flags, *given)
        mode = "exec" if function is exec else "eval" if function is eval else None
        if mode is None:
            return given
        source, *spaces = given
        text = self._compiled.get(source) if type(source) is CodeType else Text(_decoded(source), NAME, mode, flags)
        if text is None or type(text.text) is not str or len(text.text) > LONGEST or not _has_probes(spaces):
            return plain(point, activation, function, *given)
        if text not in self._known:
            self._known[text] = self._made(text) if len(self._known) < MOST else None
        code = self._known[text]
        if code is None:
            return plain(point, activation, function, *given)
        return (source if type(code) is str else code), *spaces

    def _remember(self, flags: int, text: Any, path: Any = None, mode: Any = None, *more: Any) -> None:
        """Record what `compile` is about to make."""
        text = _decoded(text)
        plainly = type(text) is type(path) is str and mode in ("exec", "eval") and not more
        if not plainly or len(text) > LONGEST or len(self._compiled) >= MOST:
            return
        try:
            with unwarned():  # the script's own `compile` gives them
                code = compile(text, path, mode, flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return  # Python says so itself
        self._compiled[code] = Text(text, path, mode, flags)

    def _made(self, text: Text) -> CodeType | str:
        count = sum(name.startswith("<string") for name in self.program.sources)
        name = NAME if not count else f"<string {count + 1}>"
        try:
            code = instrument_text(text.text, text.path, name, text.mode, text.flags, self.program)
            self._note(code, (name, self.program.sources[name]))
            return code
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return text.text  # Python says so itself

    def _note(self, code: CodeType, text: tuple[str, str]) -> None:
        self.texts[id(code)] = text
        for each in code.co_consts:
            if type(each) is CodeType:
                self._note(each, text)


def _decoded(source: Any) -> Any:
    """Decode source in bytes; return anything else, and what cannot be decoded, unchanged."""
    if type(source) is not bytes:
        return source
    try:
        return decode_source(source)
    except (SyntaxError, ValueError):
        return source


def _has_probes(spaces: Sequence[Any]) -> bool:
    """Return whether code that runs in these namespaces finds the probes among its builtins."""
    if not spaces or spaces[0] is None:
        return True
    if type(spaces[0]) is not dict:
        return False
    names = spaces[0].get("__builtins__")
    if names is None:
        return "__builtins__" not in spaces[0]
    if isinstance(names, ModuleType):
        names = vars(names)
    return isinstance(names, Mapping) and "@at" in names
