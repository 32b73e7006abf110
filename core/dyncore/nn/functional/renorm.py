"""Rows of an embedding shortened in place before the lookup."""

from __future__ import annotations

import numpy as np

from dyncore.graph import versions
from dyncore.tensors.tensor import Tensor, storage

__capture__ = "refused"


def shorten_rows(weight: Tensor, numbers: Tensor, max_norm: float, norm_type: float) -> None:
    """Scale the rows `numbers` of `weight` down to the norm `max_norm`."""
    table = storage(weight)
    rows = np.unique(numbers._array)
    size = np.linalg.norm(table[rows], norm_type, axis=-1)
    long = size > max_norm
    versions.before_write(table, silent=True)
    table[rows[long]] *= (max_norm / (size[long] + 1e-7))[:, None].astype(table.dtype)
    versions.bump(table)
