"""Runs a layout program over DOT text, within limits: the system's `dot`, otherwise `graphviz-pure`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from dyncli.errors import LayoutFailed, LayoutMissing, LayoutTooSlow
from dyncli.query.graph import Graph, GraphOptions, build
from dyncli.record.model import Record
from dyncli.views import dot

SECONDS = 20.0
MEMORY_BYTES = 4 << 30
FEWER = 60

Drawn = TypeVar("Drawn", str, bytes)


def fitted(record: Record, options: GraphOptions, draw: Callable[[Graph], Drawn]) -> Drawn:
    """Return the picture of a run; one that takes too long to lay out is folded further and tried once more."""
    try:
        return draw(build(record, options))
    except LayoutTooSlow:
        fewer = options._replace(max_nodes=min(options.max_nodes, FEWER), expand=())
        return draw(build(record, fewer))


def picture(graph: Graph, format: str, dpi: int | None = None) -> bytes:
    """Return a graph drawn in `format`."""
    return layout(dot.drawn(graph), format, dpi=dpi)


def layout(source: str, format: str, seconds: float = SECONDS, dpi: int | None = None) -> bytes:
    """Return DOT text drawn in `format` (`svg`, `png`, `pdf`).

    Raises LayoutMissing, LayoutFailed or LayoutTooSlow.
    """
    program = find_program(format)
    if program is None:
        raise LayoutMissing(format)
    command = [program, "-Kdot", f"-T{format}", *([f"-Gdpi={dpi}"] if dpi else [])]
    limit = None if sys.platform == "win32" else _limit_memory
    try:
        done = subprocess.run(command, input=source.encode(), capture_output=True, timeout=seconds, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        raise LayoutTooSlow(seconds) from None
    except OSError as error:
        raise LayoutFailed(program, str(error)) from None
    if done.returncode != 0 or not done.stdout:
        why = done.stderr.decode(errors="replace").strip()[:200]
        raise LayoutFailed(program, why or f"exit code {done.returncode}")
    drawn: bytes = done.stdout
    return drawn


def find_program(format: str) -> str | None:
    """Return the program that can draw `format`, or None; `graphviz-pure` writes no pdf."""
    return shutil.which("dot") or (None if format == "pdf" else _pure())


def _pure() -> str | None:
    """Return the `graphviz-pure` that was installed with this Python, whether or not its folder is on the PATH."""
    name = "graphviz-pure.exe" if os.name == "nt" else "graphviz-pure"
    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    return next((found for folder in folders if (found := shutil.which(name, path=folder))), None) or shutil.which(name)


def _limit_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
