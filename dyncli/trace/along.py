"""A tape that keeps what came back along each edge of the graph, so that a picture can write it there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from dyncli.trace.summary import statistics
from dyncli.trace.tape import Tape
from dyncore.events import SMALL
from dyncore.outer import Outer
from dyncore.partial import Partial


class Along(Tape):
    """A Tape that notes what each backward node got and what it handed on: small arrays, of larger ones statistics."""

    hands_all = True

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        """Notes the node with both."""
        nodes = self.open[-1].nodes
        for edge, piece in ((node.e0, result),) if node.single else result or ():
            if edge is not None and (what := _kept(piece)) is not None:
                nodes.pieces.extend((node.rank, edge.node.rank, edge.index, what))
        if grad.__class__ is Partial:
            for place, part in grad.grads.items():
                if (what := _kept(part)) is not None:
                    nodes.parts.extend((node.rank, place, what))
        nodes.note(node.rank, _kept(grad), started, ended)


def _kept(gradient: Any) -> Any:
    """A copy of a small gradient, the statistics of a larger one; None of one that has parts."""
    if gradient.__class__ is Outer:
        if gradient.lefts is not None:
            return None
        left, right = np.atleast_2d(gradient.left), np.atleast_2d(gradient.right)
        gradient = left.T @ right
    array = gradient if isinstance(gradient, (ndarray, np.generic)) else getattr(gradient, "_array", None)
    if array is None or array.dtype.kind not in "fc":
        return None
    return np.array(array) if array.size <= SMALL else statistics(array)
