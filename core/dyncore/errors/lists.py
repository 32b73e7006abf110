"""Lists beside the code, read when they are needed: names and numbers that scripts write or that are a table."""

from __future__ import annotations

import os


def lines_of(module: str, name: str) -> list[str]:
    """Return the lines of the file `name` beside the file of a module, without comments."""
    with open(os.path.join(os.path.dirname(module), name), encoding="utf-8") as file:
        return [line for line in file.read().splitlines() if line[:1] not in ("", "#")]


def sections(module: str, name: str) -> dict[str, list[str]]:
    """Return the words of such a file by the section they stand in, which a line `[title]` begins."""
    found: dict[str, list[str]] = {}
    for line in lines_of(module, name):
        if line[0] == "[":
            words = found.setdefault(line.strip("[]"), [])
        else:
            words += line.split()
    return found
