"""The collector of gradients along every edge of the graph, which a picture can show on its arrows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from dyncli.recorder.engine import SMALL, Outer, Partial
from dyncli.recorder.events.collectors import Collector, Retention
from dyncli.recorder.events.rows import Nodes
from dyncli.recorder.events.summary import statistics


class Edges(Collector):
    """Keeps what each backward node got and returned: small arrays, and a summary of larger ones."""

    def __init__(self) -> None:
        self.large: Callable[[Any], Any] = statistics

    def refine(self, retention: Retention) -> Retention:
        """Let every node be reported by a call."""
        self.large = retention.large or statistics
        return retention._replace(gradient=self.kept, is_direct=False, skips_nodes=False)

    def node(self, nodes: Nodes, node: Any, gradient: Any, result: Any) -> None:
        """Keep the gradients that a node returns, and the parts of the one it got."""
        for edge, piece in ((node.e0, result),) if node.single else result or ():
            if edge is not None and (what := self.kept(piece)) is not None:
                nodes.along += (node.rank, edge.node.rank, edge.index, what)
        if gradient.__class__ is Partial:
            for place, part in gradient.grads.items():
                if (what := self.kept(part)) is not None:
                    nodes.parts += (node.rank, place, what)

    def kept(self, gradient: Any) -> Any:
        """Return a copy of a small gradient, a summary of a larger one, and None of one that has parts."""
        if gradient.__class__ is Outer:
            if gradient.lefts is not None:
                return None
            left, right = np.atleast_2d(gradient.left), np.atleast_2d(gradient.right)
            gradient = left.T @ right
        array = gradient if isinstance(gradient, (ndarray, np.generic)) else getattr(gradient, "_array", None)
        if array is None or array.dtype.kind not in "fc":
            return None
        return np.array(array) if array.size <= SMALL else self.large(array)
