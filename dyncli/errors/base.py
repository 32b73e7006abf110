"""Base class of all errors, and functions for the text of their messages."""

from __future__ import annotations

import sys
from collections.abc import Iterable


class DyncliError(Exception):
    """An error with an exit code; `detail` are the lines below the message, `hint` the way out if there is one."""

    exit_code = 2

    def __init__(self, message: str, *, hint: str | None, detail: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.detail = tuple(detail)

    @property
    def __notes__(self) -> list[str]:  # type: ignore[override]
        """The lines below the message, and the hint, which Python prints below a traceback."""
        return [*self.detail, *([f"hint: {self.hint}"] if self.hint else [])]

    def report(self) -> str:
        """Return the whole error as it is printed, without the word `error:`."""
        lines = [self.message, *(f"  {line}" for line in self.detail)]
        if self.hint:
            lines += ["", f"hint: {self.hint}"]
        return "\n".join(lines)


def nearest(word: str, words: Iterable[str]) -> str | None:
    """Return the one of `words` that `word` was probably meant to be, or None.

    >>> nearest("peicewise", ["newton", "piecewise"])
    'piecewise'
    >>> nearest(".sgv", [".gv", ".svg"])  # letters that changed places
    '.svg'
    """
    from difflib import get_close_matches  # 2 ms that only an error costs

    lower = {candidate.lower(): candidate for candidate in words}
    swapped = [candidate for candidate in lower if sorted(candidate) == sorted(word.lower())]
    close = swapped or get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return lower[close[0]] if close else None


def did_you_mean(word: str, words: Iterable[str], otherwise: str | None = None) -> str | None:
    """Return a hint that names the nearest of `words`, or `otherwise`."""
    near = nearest(word, words)
    return f"did you mean `{near}`?" if near else otherwise


def listing(words: Iterable[str]) -> str:
    """Return backticked words with commas.

    >>> listing(["a", "b"])
    '`a`, `b`'
    """
    return ", ".join(f"`{word}`" for word in words)


def shown(text: str, most: int = 60) -> str:
    """Return a text short enough for a message.

    >>> shown("abcdefgh", 6)
    'abc...'
    """
    return text if len(text) <= most else text[: most - 3] + "..."


def notes(error: BaseException) -> list[str]:
    """Return the notes of a script's exception.

    A missing module or a misspelled attribute gets a hint among them.
    """
    found = [str(note) for note in getattr(error, "__notes__", ())]
    if isinstance(error, ModuleNotFoundError) and error.name:
        has_hint = any(note.startswith("hint: ") for note in found)
        return found if has_hint else [*found, f"hint: {_instead_of(error.name)}"]
    if isinstance(error, ImportError) and error.name in sys.modules:
        wanted = str(error).partition("'")[2].partition("'")[0]  # Python 3.11 says it nowhere else
        near = did_you_mean(wanted, vars(sys.modules[error.name]))
        return [*found, f"hint: {near}"] if near else found
    if found or not isinstance(error, AttributeError) or not error.name or error.name.startswith("_"):
        return found
    try:
        names = [each for each in dir(error.obj) if not each.startswith("_")]
    except Exception:  # the object is the script's, and so is its `__dir__`
        return found
    near = did_you_mean(error.name, names) if error.obj is not None else None
    return [f"hint: {near}"] if near else found


def _instead_of(module: str) -> str:
    package = module.partition(".")[0]
    if package in ("torch", "dyncore"):
        return f"dyncore has no `{module.removeprefix(f'{package}.')}`"
    return f"install `{package}` into the Python that dyncli runs in, or put `{package}.py` beside the script"


def parted(notes: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the hints among notes, and the other notes.

    >>> parted(["it is so", "hint: do that"])
    (['do that'], ['it is so'])
    """
    hints, others = [], []
    for note in notes:
        if note.startswith("hint: "):
            hints.append(note.removeprefix("hint: "))
        else:
            others.append(note)
    return hints, others


def first_line(error: BaseException) -> str:
    """Return the error's text, or why there is none.

    A `__str__` that raises is the user's too.
    """
    try:
        return str(error)
    except Exception as inner:
        return f"(its message cannot be shown: {type(inner).__name__})"


def reason(error: OSError) -> str:
    """Return why the system refused, without the file's name."""
    return error.strerror or str(error)


def root(name: str) -> str:
    """Return the parameter that a leaf's name starts with.

    >>> root("tree.left.value")
    'tree'
    """
    return name.partition(".")[0]
