"""Where a tested value came from: a tensor, a number that left one, a shape, chance, or Python alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dyncli.load.instrument.program import Program
from dyncli.load.seen import Seen
from dyncli.trace.activations import Draft, RawAtom

#: From weakest to strongest.
ORIGINS = ("python", "rng", "shape", "scalar~", "scalar", "tensor")


@dataclass(frozen=True, slots=True)
class Origin:
    """One of `ORIGINS`, and the op that produced the value."""

    name: str
    op: int | None = None


class Provenance:
    """Tells the origin of what was tested in one run."""

    def __init__(self, program: Program, op_of: Callable[[int], int | None] = lambda trace: None) -> None:
        self.program = program
        self.op_of = op_of

    def of_atom(self, draft: Draft, raw: RawAtom) -> Origin:
        """The origin of one comparison or truth test."""
        text = draft.construct.atoms[raw.index]
        if text.op not in ("is", "is not"):
            traces = [side.trace for side in (raw.left, raw.right) if type(side) is Seen and side.trace is not None]
            if raw.verdict is not None and raw.verdict.result is not None:
                traces.insert(0, raw.verdict.result)
            if traces:
                return Origin("tensor", self.op_of(traces[0]))
        return Origin("python")

    def of_loop(self, draft: Draft) -> Origin:
        """The origin of how often a loop runs."""
        return Origin("python")
