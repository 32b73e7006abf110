"""Report of a compiled function, for `explain()`: recorded, replayed, refused."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

KEPT = 100


@dataclass(frozen=True, slots=True)
class GuardFailure:
    """A guard that did not hold: what it is about, the value recorded, the value seen, the user's line."""

    guard: str
    expected: str
    seen: str
    line: str

    def __str__(self) -> str:
        return f"{self.guard}: expected {self.expected}, saw {self.seen}\n      at {self.line}"


@dataclass(frozen=True, slots=True)
class PathReport:
    """One recorded path: the arguments it fits, the decisions on the way as (line, outcome), its ops and replays."""

    arguments: tuple[str, ...]
    decisions: tuple[tuple[str, str], ...]
    steps: int
    hits: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Result of `explain()`; its text has everything."""

    name: str
    paths: tuple[PathReport, ...]
    failures: tuple[GuardFailure, ...]
    refused: tuple[tuple[str, str, int], ...]
    hits: int
    recordings: int
    eager: int

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {_count(len(self.paths), 'path')} recorded, {_count(self.hits, 'replay')}, "
            f"{_count(self.recordings, 'recording')}, {_count(self.eager, 'ordinary call')}"
        ]
        for number, path in enumerate(self.paths, 1):
            lines.append(f"  path {number}: {_count(path.steps, 'step')}, {_count(path.hits, 'replay')}")
            lines += [f"    {text}" for text in path.arguments]
            shown = path.decisions[:20]
            lines += [f"    {outcome} at {line}" for line, outcome in shown]
            if len(shown) < len(path.decisions):
                lines.append(f"    and {_count(len(path.decisions) - len(shown), 'decision')} more")
        if self.failures:
            lines.append("  guards that failed, newest last:")
            lines += [f"    {each}" for each in self.failures]
        if self.refused:
            lines.append("  not recorded:")
            lines += [f"    {reason}, {_count(count, 'time')}\n      at {line}" for reason, line, count in self.refused]
        return "\n".join(lines)

    __repr__ = __str__


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@dataclass(slots=True)
class Log:
    """Bounded log of the calls of a compiled function."""

    failures: deque[GuardFailure] = field(default_factory=lambda: deque(maxlen=KEPT))
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    recordings: int = 0
    eager: int = 0

    def failed(self, guard: str, expected: Any, seen: Any, line: str) -> None:
        """Record a guard that did not hold."""
        self.failures.append(GuardFailure(guard, _text(expected), _text(seen), line))

    def refuse(self, reason: str, line: str) -> None:
        """Record a call that could not be recorded."""
        if len(self.refused) < KEPT or (reason, line) in self.refused:
            self.refused[reason, line] += 1


class Shown(str):
    """A text that stands for a value as it is, without quotes."""

    __slots__ = ()


def _text(value: Any) -> str:
    """Return the value in at most 80 characters; what is no plain value by its type.

    >>> from dyncore.capture.guards import MISSING
    >>> _text((1, "a")), _text(Shown("a > 1")), _text(int), _text(MISSING), _text(range(2)), len(_text("a" * 90))
    ("(1, 'a')", 'a > 1', 'int', 'nothing', 'another range', 80)
    """
    if isinstance(value, Shown) or value is None or isinstance(value, (bool, int, float, complex, str, tuple, list)):
        text = str(value) if isinstance(value, Shown) else repr(value)
    elif type(value).__name__ == "missing":
        text = "nothing"
    else:
        text = value.__name__ if isinstance(value, type) else f"another {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."
