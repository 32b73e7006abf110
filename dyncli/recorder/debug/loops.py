"""Which step of the innermost loop around a line is running now."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import FrameType

from dyncli.instrument.program import Program
from dyncli.instrument.runtime.probes import call_id_of
from dyncli.records.text import parse


class Loops:
    """The loops of a program, and how far each is.  steps: by call id and key, as `force.Forced` counts them."""

    def __init__(self, program: Program, steps: Mapping[tuple[int, int], int]) -> None:
        self.program, self.steps = program, steps
        self._lines: dict[str, list[tuple[int, int, int]]] = {}

    def iteration(self, frame: FrameType, file: str) -> int | None:
        """Return the iteration, from 0, of the innermost loop around a frame's line; None outside of loops."""
        line = frame.f_lineno
        around = [(first, last, head) for first, last, head in self._of(file) if first <= line <= last]
        if not around:
            return None
        head = max(around)[2]
        key = next(
            (
                key for key, construct in enumerate(self.program.constructs)
                if construct.kind in ("for", "while") and construct.line == head
                and self.program.functions[construct.function].file == file
            ),
            None,
        )  # fmt: skip
        if key is None:
            return None
        number = self.program.constructs[key].function
        module = self.program.functions[number].kind == "module"
        call_id = -1 - number if module else call_id_of(frame)
        return self.steps.get((call_id, key)) if call_id is not None else None

    def _of(self, file: str) -> list[tuple[int, int, int]]:
        """List (first line of the body, its last, the loop's own line) of each loop in a file."""
        if file not in self._lines:
            found = []
            for node in ast.walk(parse(self.program.sources.get(file, ""))):
                if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                    found.append((node.body[0].lineno, node.body[-1].end_lineno or node.lineno, node.lineno))
            self._lines[file] = found
        return self._lines[file]
