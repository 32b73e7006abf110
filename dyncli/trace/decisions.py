"""The decision log of one run: loading a script with probes, and the log replayed into decisions and scopes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from dyncli.load.execute import execute_plain
from dyncli.record.model import Decision, Scope, Site, Source


@dataclass(frozen=True, slots=True)
class Decided:
    """What the log says.  op_scopes, op_under: for each op of the tape, its scope and its controlling decision."""

    decisions: tuple[Decision, ...]
    scopes: tuple[Scope, ...]
    sites: tuple[Site, ...]
    sources: tuple[Source, ...]
    signature: str
    op_scopes: list[int]
    op_under: list[int | None]


class Decisions:
    """The log of one run."""

    def __init__(self, force: tuple[str, ...] = ()) -> None:
        self.log: list[Any] = []
        self.module: ModuleType | None = None

    def execute(self, path: Path, display: str, name: str) -> ModuleType:
        self.module = execute_plain(path, display, name)
        return self.module

    def watched(self, run: Callable[[], ModuleType]) -> ModuleType:
        return run()

    @contextmanager
    def recording(self) -> Iterator[None]:
        yield

    def replayed(self, tape: Any, assembly: Any) -> Decided:
        count = len(tape.ops)
        return Decided((), (Scope(0, None, "root", ""),), (), (), "", [0] * count, [None] * count)
