"""The defaults that tests without PyTorch compare with are PyTorch's; `--accept` writes them."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import pytest

import dyncore
from tests.golden.ops.signatures import FILE, defaults, plain

torch = pytest.importorskip("torch")

SPACES = {"": "", "Tensor.": "", "nn.functional.": "", "linalg.": "linalg_", "special.": "special_", "fft.": "fft_"}
# Two ways to say one default, or what is only asked of other devices.
OTHERWISE = {
    "compute_mode",
    "memory_format",
    "dtype",
    "layout",
    "device",
    "pin_memory",
    "generator",
    "stream",
    "dx",
    "backend",
}
PLAIN = (type(None), bool, int, float, str, tuple)


def test_defaults_of_every_line_are_pytorchs(accept: bool) -> None:
    """Those of the functions both have, of parameters both have."""
    found = "".join(f"{name} {known}\n" for name, known in signatures() if known)
    if accept:
        FILE.write_text(found, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == found


def signatures() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (name, PyTorch's defaults): those in Python, else those on which all overloads agree that have them."""
    schemas: dict[str, list[Any]] = {}
    for schema in torch._C._jit_get_all_schemas():
        schemas.setdefault(schema.name, []).append(schema)
    for space, prefix in SPACES.items():
        for name in sorted(dir(attrgetter(space[:-1])(torch) if space else torch)):
            try:
                ours = defaults(space + name, dyncore)
            except (AttributeError, ImportError, TypeError, ValueError):
                continue
            try:
                known = defaults(space + name, torch)
            except ValueError:
                known = agreed(schemas.get(f"aten::{prefix}{name}", []), ours)
            both = known.keys() & ours.keys() - OTHERWISE
            yield space + name, {key: value for key, value in known.items() if key in both and type(value) in PLAIN}


def agreed(overloads: list[Any], ours: dict[str, Any]) -> dict[str, Any]:
    """Return the defaults of parameters that have but one; of a reduction its word, where ours has one."""
    known: dict[str, set[Any]] = {}
    for each in (argument for schema in overloads for argument in schema.arguments if argument.has_default_value()):
        word = "mean" if each.name == "reduction" and isinstance(ours.get("reduction"), str) else None
        known.setdefault(each.name, set()).add(word or plain(each.default_value))
    return {name: values.pop() for name, values in known.items() if len(values) == 1}
