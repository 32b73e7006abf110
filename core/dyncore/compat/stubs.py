"""Modules that are made from `stub_table.py`: importing one works, and its names do what their row says.

A name without a row is PyTorch's and not here: a class or function that raises when it is used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from dyncore.errors.explain import missing_name
from dyncore.errors.pytorch_names import of_pytorch

from .stub_rows import Row, not_here, refused
from .stub_table import ERRORS, OPEN, TABLE

__capture__ = "replayed"


class Stub(ModuleType):
    """A module of the table; its names are made when first asked for."""

    def __init__(self, title: str) -> None:
        super().__init__("dyncore" + title.removeprefix("torch"), f"`{title}`, as `stub_table.py` says.")
        self.__dict__.update(__path__=[], _title=title, _makers=_makers(title), torch=sys.modules["dyncore"])

    def __getattr__(self, name: str) -> Any:
        title, makers = self._title, self._makers
        if name in makers:
            made = makers[name](title, name)
        elif name.startswith("__"):
            raise AttributeError(name)
        elif _is_listed(f"{title}.{name}"):
            return import_module(f"{self.__name__}.{name}")
        elif (known := of_pytorch(title)) and name not in known:
            raise missing_name(title, name, self)
        else:
            made = refused(title, name, _error_of(title, name))
        self.__dict__[name] = made
        return made

    def __dir__(self) -> list[str]:
        return sorted({*self._makers, *of_pytorch(self._title)})


def _rows(title: str) -> tuple[Row, ...]:
    """Return the row of the table for a module, or for the nearest module that it is part of."""
    inner = title.removeprefix("torch.")
    while inner not in TABLE and inner:
        inner = inner.rpartition(".")[0]
    return TABLE.get(inner, ())


def _makers(title: str) -> dict[str, Callable[[str, str], Any]]:
    return {name: make for names, make in _rows(title) for name in names.split()}


def _error_of(title: str, name: str) -> Callable[[], Exception]:
    for start, error in ERRORS.items():
        if f"{title}.".startswith(f"torch.{start}."):
            return error
    return lambda: not_here(f"{title}.{name}")


def is_stub(title: str) -> bool:
    """Return whether `title` can be imported: PyTorch has it, or may have it below a module of `OPEN`."""
    return _is_listed(title) or any(title.startswith(f"torch.{each}.") or title == f"torch.{each}" for each in OPEN)


def _is_listed(title: str) -> bool:
    return title.removeprefix("torch.") in TABLE or title in of_pytorch("modules")
