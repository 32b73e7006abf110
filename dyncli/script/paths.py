"""Paths as the user writes them: existing files, neighbours, shown names, and the bundled models and samples."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parents[1]
RECORD = ".dyn"  # the suffix of saved records
SAMPLE_SUFFIXES = (".json", ".jsonl", ".npz", ".npy", ".csv", ".safetensors")


class Bundled(NamedTuple):
    """A bundled model or PyTorch script.

    name: a model's is its file's, a script's its path.  sample: the inputs a model runs on when none are given.
    """

    name: str
    path: Path
    sample: Path | None

    @property
    def is_script(self) -> bool:
        """Return whether it is a script that runs by itself."""
        return self.name.endswith(".py")

    @property
    def display(self) -> str:
        """Path as it is shown, the same in a checkout and in an installation."""
        return self.name if self.is_script else f"models/{self.path.name}"


@cache
def folder(name: str) -> Path:
    """Return the folder of the bundled `models` or `samples`."""
    installed = PACKAGE / name
    return installed if installed.is_dir() else PACKAGE.parent / name


def models() -> tuple[Bundled, ...]:
    """Return every bundled model, by name."""
    return tuple(
        Bundled(path.stem, path, _sample(path.stem))
        for path in sorted(folder("models").glob("*.py"))
        if not path.stem.startswith("_")
    )


def scripts() -> tuple[Bundled, ...]:
    """Return the bundled PyTorch scripts, each by its path as in a checkout."""
    gallery = folder("samples") / "pytorch"
    return tuple(Bundled(f"samples/pytorch/{path.name}", path, None) for path in sorted(gallery.glob("*.py")))


def find(name: str) -> Bundled | None:
    """Return the bundled model of that name, or the bundled script of that path, or None."""
    known = scripts() if name.endswith(".py") else models()
    return next((each for each in known if each.name == name), None)


def docstring(path: Path) -> str:
    """Return the docstring of a script that is not run.

    Empty when it has none or is no Python.
    """
    try:
        return ast.get_docstring(ast.parse(path.read_bytes())) or ""
    except (OSError, SyntaxError, ValueError):
        return ""


def _sample(name: str) -> Path | None:
    candidates = (folder("samples") / (name + suffix) for suffix in SAMPLE_SUFFIXES)
    return next((path for path in candidates if path.is_file()), None)


MOST_NEIGHBOURS = 1000


def is_file(path: str) -> bool:
    """Return True if a text names a file; a long literal or a NUL does not."""
    try:
        return os.path.isfile(path)
    except (OSError, ValueError):
        return False


def is_record(path: str | Path) -> bool:
    """Return True if a name is that of a saved record."""
    return Path(path).suffix.lower() == RECORD


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
