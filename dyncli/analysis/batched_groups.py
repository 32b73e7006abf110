"""Groups of equal calls that `torch.batched` computes together, as reports name them."""

from __future__ import annotations

from typing import NamedTuple


class BatchedGroup(NamedTuple):
    """The groups of one op that began at one line.

    runs: how often the op ran for a group.  calls: for how many calls.  most: for how many at once.
    together: whether it ran for all calls as one; else its calls ran one by one.
    """

    file: str
    line: int
    source: str
    op: str
    runs: int
    calls: int
    most: int
    together: bool
