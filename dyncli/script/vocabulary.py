"""Words of a script and of what it may run, to find a name that nothing can have before anything runs."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

MOST_FILES = 200
MOST_FOLDERS = 200
LOOPS = ("for", "while")
ENGINE = "dyncore"
#: Parts of the engine whose names a picture may show: ops, and the attributes of modules.
NAMED = ("nn", "ops", "creation", "distributions", "optim", "mutation")
KNOWN = ("torch", "numpy", ENGINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_OP = re.compile(r"^def (\w+)", re.MULTILINE)
_NAME_OF = re.compile(r"^\s*(?:async )?(?:def|class) (\w+)|\b(?:self\.)?(\w+) = ", re.MULTILINE)


def unheard(words: Iterable[str], path: Path) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """Return the first of some names that occurs nowhere in a script, its folder or the engine.

    With it the names that the script defines, and those of ops.
    None where each occurs, is a line number, or where the script imports what is neither here nor known.
    """
    asked = [(word, first) for word in words if not word.isdecimal() and (first := _WORD.search(word))]
    files = _beside(path) if asked else None
    if files is None:
        return None
    texts = [_text(file) for file in (path, *files)]
    if not _is_closed(path, texts):
        return None
    engine = [*map(_text, _of_engine())]
    known = {word for text in (*texts, *engine) for word in _WORD.findall(text)}
    for word, first in asked:
        is_whole = {word[first.start() - 1 : first.start()], word[first.end() : first.end() + 1]}.isdisjoint("*?[]")
        if is_whole and first.group() not in known:
            ops = {name for text in engine for name in _OP.findall(text)}
            names = {name for match in _NAME_OF.findall(texts[0]) for name in match if name}
            return word, (*sorted(names), *LOOPS), tuple(sorted(ops))
    return None


def _beside(path: Path) -> list[Path] | None:
    """Return the other Python files in the folder of a script and below, None where there are too many to read."""
    found: list[Path] = []
    for count, (folder, folders, files) in enumerate(os.walk(path.parent)):
        folders[:] = [name for name in folders if not name.startswith((".", "_"))]
        found += [Path(folder) / name for name in files if name.endswith(".py")]
        if len(found) > MOST_FILES or count > MOST_FOLDERS:
            return None
    return [file for file in found if file != path]


def _is_closed(path: Path, texts: list[str]) -> bool:
    """Return whether a script and its folder import only the standard library, the engine, NumPy and each other."""
    here = {file.stem for file in path.parent.iterdir()}
    return all(
        name in here or name in KNOWN or name in sys.stdlib_module_names for text in texts for name in _imported(text)
    )


def _imported(text: str) -> Iterator[str]:
    for line in text.splitlines():
        match = re.match(r"\s*(?:from|import) +(\w+)", line)
        if match:
            yield match.group(1)


def _of_engine() -> Iterator[Path]:
    spec = importlib.util.find_spec(ENGINE)
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        for part in NAMED:
            yield from (Path(folder) / part).rglob("*.py")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
