"""Data model of a comparison of two runs."""

from __future__ import annotations

from typing import NamedTuple

from dyncli.analysis.changes import Change
from dyncli.analysis.diff.values import Tolerance
from dyncli.records.model import Record

EXACT = Tolerance()


class Pair(NamedTuple):
    """The numbers of an op, or of a decision, in both runs; None where a run has none that belongs to it."""

    a: int | None
    b: int | None


class Parting(NamedTuple):
    """The first decisions at which two runs part; None where a run has none.

    kind: `arm` if both came to one test and went different ways; `elsewhere` if the one came to another test than the
    other, or to none any more; `alone` if all that both scripts decide is decided alike, and one has a test more.
    """

    a: int | None
    b: int | None
    kind: str


class Counts(NamedTuple):
    """Numbers of pairs that are the same and that differ, and items of one run only.

    unknown: of the same, those whose elements were not kept, so that only statistics were compared, if anything.
    """

    same: int = 0
    differ: int = 0
    only_a: int = 0
    only_b: int = 0
    unknown: int = 0

    @property
    def unequal(self) -> int:
        """Number of those that are not the same in both."""
        return self.differ + self.only_a + self.only_b


class Flow(NamedTuple):
    """The gradient that came back to the result of an op in one backward pass, in both runs.

    ops: the pair of ops.  backward: which pass, from 0.  a, b: the tensors that hold it; None where none came back.
    """

    ops: Pair
    backward: int
    a: int | None
    b: int | None


class Diff(NamedTuple):
    """Two runs, and what differs between them.

    choices: those by index that picked otherwise, by their numbers.
    decisions, ops: in the order they ran; outputs, gradients, inputs: by name.  first_op: the first pair of ops whose
    values differ.  flows: as gradients flow, from the outputs back.
    counts: of `decisions`, `choices`, `ops`, `outputs`, `gradients` and `op_gradients`.
    same_end: whether both ended alike.  changed: whether they are runs of different versions of a script,
    share: how much of the smaller one is also in the other.
    """

    a: Record
    b: Record
    tolerance: Tolerance
    parting: Parting | None
    decisions: tuple[Pair, ...]
    ops: tuple[Pair, ...]
    outputs: tuple[Change, ...]
    gradients: tuple[Change, ...]
    flows: tuple[Flow, ...]
    inputs: tuple[Change, ...]
    counts: dict[str, Counts]
    same_end: bool
    choices: tuple[Pair, ...] = ()
    changed: bool = False
    share: float = 1.0

    @property
    def is_equal(self) -> bool:
        """True if nothing but the inputs differs."""
        return self.same_end and not any(counts.unequal for counts in self.counts.values())

    @property
    def first_op(self) -> Pair | None:
        """The first op that both runs have, with other values."""
        return next((pair for pair in self.ops if pair.a is not None and pair.b is not None), None)
