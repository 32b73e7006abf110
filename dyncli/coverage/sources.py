"""A source of inputs: a file, the files of a folder, or standard input."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from dyncli.coverage.chunks import Chunk
from dyncli.script.readers import READERS

Ranges = Sequence[tuple[int, int]]
STDIN = "standard input"


class Reader(Protocol):
    """The reader of one source.  fraction: how much of it was read, None if that is not known."""

    name: str

    def take(self, most: int) -> Chunk | None:
        """Return the next inputs, at most `most`; None when there are no more."""

    def close(self) -> None:
        """Close the source."""

    @property
    def fraction(self) -> float | None: ...


def visible_files(folder: str) -> list[str]:
    """Return the files of a folder by name, without hidden ones and other folders."""
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if not name.startswith(".")]
    return list(filter(os.path.isfile, paths))


def folder_files(folder: str) -> list[str]:
    """Return the files of a folder that are one input each, by name."""
    kinds = READERS.keys() - {".jsonl"}
    return [path for path in visible_files(folder) if Path(path).suffix.lower() in kinds]
