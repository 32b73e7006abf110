"""A run for speedscope: three sampled profiles over the same stacks: time forward, time backward, bytes held.

A stack is the calls, modules, loops and arms around an op, its line, and the op; the steps of a loop are alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from dyncli.analysis.timeline import Timeline, stack
from dyncli.analysis.values import counted
from dyncli.records.model import Op, Record
from dyncli.records.text import one_line
from dyncli.version import __version__

MOST_BYTES = 19_000_000
SCHEMA = "https://www.speedscope.app/file-format-schema.json"

Sample = tuple[tuple[int, ...], int]


class _Frames:
    """The frames of all profiles, each once."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.frames: list[dict[str, object]] = []
        self.places: dict[tuple[object, ...], int] = {}
        self.scopes: dict[int, tuple[int, ...]] = {}

    def of(self, op: Op) -> tuple[int, ...]:
        """Return the stack of an op, outermost first."""
        around = self.scopes.get(op.scope)
        if around is None:
            around = self.scopes[op.scope] = tuple(
                self._place(
                    name,
                    scope.site.file if scope is not None and scope.site is not None else None,
                    scope.site.line if scope is not None and scope.site is not None else None,
                )
                for name, scope in stack(self.record, op)
            )
        return (*around, self._place(f"{op.name}: {op.site.text}", op.site.file, op.site.line))

    def _place(self, name: str, file: str | None, line: int | None) -> int:
        key = (name, file, line)
        if key not in self.places:
            self.places[key] = len(self.frames)
            frame: dict[str, object] = {"name": one_line(name, 100) or "?"}
            if file is not None:
                frame["file"] = one_line(file, 100)
            if line is not None:
                frame["line"] = line
            self.frames.append(frame)
        return self.places[key]


def render(record: Record, most_bytes: int = MOST_BYTES) -> Timeline:
    """Return the file, with what was left out to keep it under `most_bytes`."""
    frames = _Frames(record)
    stacks = [frames.of(op) for op in record.ops]
    backward = [ran for each in record.backwards for ran in zip(each.nodes, each.nodes_elapsed_ns, strict=True)] or [
        (op.seq, op.backward_ns) for op in reversed(record.ops) if op.backward_ns is not None
    ]
    profiles = {
        ("forward", "nanoseconds"): [(stacks[op.seq], op.elapsed_ns) for op in record.ops],
        ("backward", "nanoseconds"): [(stacks[seq], elapsed) for seq, elapsed in backward],
        ("held for backward", "bytes"): [(stacks[op.seq], op.saved_bytes) for op in record.ops if op.saved_bytes],
    }
    text = _file(record, frames, profiles)
    if len(text) <= most_bytes:
        return Timeline(text)
    gathered = {key: _gathered(samples) for key, samples in profiles.items()}
    note = f"{counted(len(record.ops), 'op')}: ops of one line were gathered, out of order, to keep the file small"
    return Timeline(_file(record, frames, gathered), note)


def _gathered(samples: Iterable[Sample]) -> list[Sample]:
    sums: dict[tuple[int, ...], int] = {}
    for where, weight in samples:
        sums[where] = sums.get(where, 0) + weight
    return list(sums.items())


def _file(record: Record, frames: _Frames, profiles: dict[tuple[str, str], list[Sample]]) -> str:
    name = one_line(f"{record.model}:{record.entry}" if record.entry else record.model, 100)
    document = {
        "$schema": SCHEMA,
        "shared": {"frames": frames.frames},
        "profiles": [
            {
                "type": "sampled",
                "name": words,
                "unit": unit,
                "startValue": 0,
                "endValue": sum(max(weight, 0) for _, weight in samples),
                "samples": [list(where) for where, _ in samples],
                "weights": [max(weight, 0) for _, weight in samples],
            }
            for (words, unit), samples in profiles.items()
        ],
        "name": name,
        "activeProfileIndex": 0,
        "exporter": f"dyncli@{__version__}",
    }
    return json.dumps(document, separators=(",", ":")) + "\n"
