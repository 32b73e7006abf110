"""A tape that keeps what two runs are compared by: elements as far as there is room, else statistics and a digest."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy import ndarray

from dyncli.record.model import Stats
from dyncli.trace.summary import digest_of, statistics
from dyncli.trace.tape import Tape
from dyncore.events import SMALL

KEPT = 1024  # elements of one array that are kept
ROOM = 200_000  # elements that are kept of a run in all: some 3 MB of a saved record


class Measured(NamedTuple):
    """What is known of a larger array.  kept: a copy of it, or None."""

    stats: Stats
    digest: str
    kept: Any = None


class Measure(Tape):
    """A Tape that measures all that its ops give, and the gradients that come back to them.

    The norm alone would not tell `x` from `-x`, nor all statistics together `x` from `x.flip(0)`.
    """

    def __init__(self, log: list[Any], max_ops: int | None = None) -> None:
        self.room = ROOM
        super().__init__(log, max_ops)

    kept_for_now = -1

    def look(self, array: Any, args: Any) -> Any:
        """Gives a copy of a small array, and of a larger one shape, dtype and what it holds."""
        if array.size <= SMALL:
            return array.copy() if array.__class__ is ndarray else array
        return array.shape, array.dtype, self._measured(array)

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        """Notes the node with the gradient that came to it."""
        got = grad if grad.__class__ is ndarray else getattr(grad, "_array", grad)
        if got.__class__ is ndarray and got.size > SMALL:
            got = self._measured(got)
        elif getattr(got, "size", None) is None:
            got = None
        self.open[-1].nodes.note(node.rank, got, started, ended)

    def _measured(self, array: Any) -> Measured:
        kept = None
        if array.size <= min(KEPT, self.room):
            self.room -= array.size
            kept = array.copy()
        return Measured(statistics(array), digest_of(array), kept)
