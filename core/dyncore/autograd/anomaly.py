"""Anomaly mode: the first node that returns NaN stops the backward, with the line that made it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import with_notes
from ..graph import Node


def check(node: Node, result: Any) -> None:
    """Raises RuntimeError if `node` returned NaN in one of its gradients."""
    grads = [result] if node.single else [g for _, g in result]
    for number, grad in enumerate(grads):
        array = getattr(grad, "_array", grad)
        if isinstance(array, (np.ndarray, np.generic)) and array.dtype.kind in "fc" and np.isnan(array).any():
            raise with_notes(
                RuntimeError(f"Function '{node.name()}' returned nan values in its {number}th output."),
                f"the node was made at {node.place}",
            )
