"""Paths as the user writes them: existing files, neighbours, shown names."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

MOST_NEIGHBOURS = 1000


def is_file(path: str) -> bool:
    """Return True if a text names a file; a long literal or a NUL does not."""
    try:
        return os.path.isfile(path)
    except (OSError, ValueError):
        return False


def is_record(path: str | Path) -> bool:
    """Return True if a name is that of a saved record."""
    return Path(path).suffix.lower() == ".dyn"


def beside(path: str, suffixes: Collection[str]) -> list[str]:
    """Return the files in the folder of `path` with one of these suffixes."""
    folder = os.path.dirname(path)
    try:
        names = sorted(os.listdir(folder or "."))
    except (OSError, ValueError):
        return []
    return [os.path.join(folder, name) for name in names if Path(name).suffix in suffixes][:MOST_NEIGHBOURS]


def display(filename: str, names: dict[str, str] | None = None) -> str:
    """Return the shown name of a file: as given, relative to the folder, or as is."""
    if names and filename in names:
        return names[filename]
    try:
        return Path(filename).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return filename
