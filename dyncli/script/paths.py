"""Paths as the user writes them: whether one is there, what stands beside it, how it is shown."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

MOST_NEIGHBOURS = 1000


def is_file(path: str) -> bool:
    """Whether a text names a file; a long literal or one with a NUL in it does not."""
    try:
        return os.path.isfile(path)
    except (OSError, ValueError):
        return False


def is_record(path: str | Path) -> bool:
    """Whether a name is that of a saved record."""
    return Path(path).suffix.lower() == ".dyn"


def beside(path: str, suffixes: Collection[str]) -> list[str]:
    """The files in the folder of `path` with one of these suffixes, for a suggestion."""
    folder = os.path.dirname(path)
    try:
        names = sorted(os.listdir(folder or "."))
    except (OSError, ValueError):
        return []
    return [os.path.join(folder, name) for name in names if Path(name).suffix in suffixes][:MOST_NEIGHBOURS]


def display(filename: str, names: dict[str, str] | None = None) -> str:
    """A file as it is shown: by its given name, relative to the working folder, or as it is."""
    if names and filename in names:
        return names[filename]
    try:
        return Path(filename).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return filename
