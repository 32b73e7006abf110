"""The models and samples that come with dyncli: beside the package in a checkout, inside it when installed."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parents[1]
SAMPLE_SUFFIXES = (".json", ".jsonl", ".npz", ".npy", ".csv", ".safetensors")


class Bundled(NamedTuple):
    """A bundled model: its name is its file's; sample holds the inputs it runs on when none are given."""

    name: str
    path: Path
    sample: Path | None

    @property
    def display(self) -> str:
        """Path as it is shown, the same in a checkout and in an installation."""
        return f"models/{self.path.name}"


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


def find(name: str) -> Bundled | None:
    """Return the bundled model of that name, or None."""
    return next((model for model in models() if model.name == name), None)


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
