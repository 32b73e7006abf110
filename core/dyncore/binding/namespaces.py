"""Functions of `linalg`, `fft` and `masked`: `linalg.inv` is the op `linalg_inv`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import missing_name, starred

from .lazy import MODULE_OF

__capture__ = "replayed"


def op_named(family: str, name: str, other: Mapping[str, str]) -> Any:
    """Return the function `name` of a family.  Raises AttributeError naming the nearest there is."""
    if name == "__all__":
        return starred(f"torch.{family}")
    found = TABLE.get(other.get(name, f"{family}_{name}"))
    if found is None or name.startswith("_"):
        import sys

        raise missing_name(f"torch.{family}", name, sys.modules[f"dyncore.{family}"])
    return found.entry


def names_in(family: str, other: Mapping[str, str]) -> list[str]:
    """Return the names of a family's functions."""
    length = len(family) + 1
    return sorted([name[length:] for name in {*TABLE, *MODULE_OF} if name.startswith(family + "_")] + list(other))
