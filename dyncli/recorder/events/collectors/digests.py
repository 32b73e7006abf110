"""The collector of what two runs are compared by: digests, statistics, and elements as far as there is room."""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from dyncli.recorder.engine import SMALL, MetaArray
from dyncli.recorder.events.collectors import Collector, Retention
from dyncli.recorder.events.rows import Rows
from dyncli.recorder.events.summary import Measured, digest_of, statistics

MOST_ELEMENTS = 1024  # of one array that are kept
MOST_OF_RUN = 200_000  # elements that are kept of a run in all: some 3 MB of a saved record


class Digests(Collector):
    """Keeps digest and statistics of all that ops return, and of the gradients that come back to them.

    The norm alone would not tell `x` from `-x`, nor all statistics together `x` from `x.flip(0)`.
    """

    def __init__(self) -> None:
        self.elements_left = MOST_OF_RUN

    def refine(self, retention: Retention) -> Retention:
        """Let every result and gradient be looked at when it is made."""
        return retention._replace(
            rows=Rows,
            keeps_values=True,
            result_elements=-1,
            summarize=self.result,
            large=self.measured,
            gradient=self.gradient,
            is_direct=False,
            skips_nodes=False,
        )

    def result(self, array: Any, args: Any) -> Any:
        """Return a copy of a small array, and shape, dtype and `Measured` of a larger one."""
        if array.size <= SMALL or array.__class__ is MetaArray:
            return array.copy() if array.__class__ is ndarray else array
        return array.shape, array.dtype, self.measured(array)

    def gradient(self, gradient: Any) -> Any:
        """Return a small gradient as it is, and `Measured` of a larger one; None if it has no array."""
        got = gradient if gradient.__class__ is ndarray else getattr(gradient, "_array", gradient)
        if got.__class__ is ndarray and got.size > SMALL:
            return self.measured(got)
        return None if getattr(got, "size", None) is None else got

    def measured(self, array: Any) -> Measured:
        """Return digest and statistics of an array, with a copy while there is room."""
        kept = None
        if array.size <= min(MOST_ELEMENTS, self.elements_left):
            self.elements_left -= array.size
            kept = array.copy()
        return Measured(statistics(array), digest_of(array), kept)
