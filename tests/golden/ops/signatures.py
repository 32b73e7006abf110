"""Defaults of the parameters of functions and methods, one line each, also where PyTorch keeps them in C++."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("signatures.txt")


def lines() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the function's name below `torch`, and its defaults in PyTorch as `plain` says them."""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        name, _, defaults = line.partition(" ")
        yield name, ast.literal_eval(defaults)


def defaults(name: str, torch: Any) -> dict[str, Any]:
    """Return the defaults in our own signature."""
    parameters = inspect.signature(attrgetter(name)(torch)).parameters.values()
    return {each.name: plain(each.default) for each in parameters if each.default is not each.empty}


def plain(value: Any) -> Any:
    """Return one number for a tuple of equal ones, and None for an empty one."""
    if isinstance(value, (list, tuple)):
        return (value[0] if len(set(value)) == 1 else tuple(value)) if value else None
    return value
