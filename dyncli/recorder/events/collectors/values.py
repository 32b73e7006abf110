"""Collectors of small values and of times."""

from __future__ import annotations

from dyncli.recorder.engine import SMALL, few
from dyncli.recorder.events.collectors import Collector, Retention
from dyncli.recorder.events.rows import Rows


class Values(Collector):
    """Keeps the elements of results and gradients of at most `SMALL` elements."""

    def refine(self, retention: Retention) -> Retention:
        """Let small arrays be written into the tables as they are."""
        return retention._replace(
            rows=Rows,
            keeps_values=True,
            result_elements=SMALL,
            gradient=few,
            is_direct=True,
            skips_nodes=False,
        )


class Times(Collector):
    """Keeps when each op began and ended."""

    def refine(self, retention: Retention) -> Retention:
        """Switch the clock on."""
        return retention._replace(keeps_times=True)
