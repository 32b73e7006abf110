"""Writes `core/dyncore/binding/lazy_names.txt`, what each ops module defines: `python -m tests.tools.list_rare_ops`."""

from __future__ import annotations

import importlib
import textwrap
from pathlib import Path

import dyncore
from dyncore.dispatch.registry import TABLE, Op

TARGET = Path(dyncore.__file__).parent / "binding" / "lazy_names.txt"
HEAD = """# Names of rare ops by the module of ops, and where each is bound besides the table.
# f: a function, m: a method, F and M: the same of its in-place form.  Written by `python -m tests.tools.list_rare_ops`.
"""


def places(op: Op) -> str:
    """The letters for where an op is found."""
    found = ("f" if op.function else "") + ("m" if op.method else "")
    return found + (("F" if op.function else "") + "M" if op.inplace else "")


def listed(module: str) -> str:
    """The entries of a module's ops, aliases too, sorted."""
    home = importlib.import_module(f"dyncore.ops.{module}").__name__
    entries = {
        f"{name}/{places(op)}" if places(op) else name for name, op in TABLE.items() if op.forward.__module__ == home
    }
    return " ".join(sorted(entries))


def text(modules: list[str]) -> str:
    """The whole file."""
    parts = ["\n".join([f"[{module}]", *textwrap.wrap(listed(module), 118)]) for module in sorted(modules)]
    return HEAD + "\n".join(parts) + "\n"


if __name__ == "__main__":
    from dyncore.binding.lazy import NAMES

    TARGET.write_text(text(list(NAMES)))
