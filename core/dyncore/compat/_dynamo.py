"""`torch._dynamo` and `torch._inductor` for scripts that set their switches: nothing here reads them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from .compiler import allow_in_graph as allow_in_graph
from .compiler import disable as disable
from .compiler import is_compiling as is_compiling
from .compiler import reset as reset

__dyncore__ = True

config: Any = SimpleNamespace()


def graph_break(msg: str = "") -> None:
    """Nothing."""


def mark_dynamic(*args: Any, **options: Any) -> None:
    """Nothing."""


mark_static = maybe_mark_dynamic = mark_dynamic
