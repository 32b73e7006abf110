"""Which ops ran while nothing was recorded for backward."""

from __future__ import annotations

from collections.abc import Iterable

Span = tuple[int, int]


def unrecorded(modes: Iterable[int], ops: int) -> tuple[Span, ...]:
    """Return (first, one after the last) of the ops of each `no_grad`, given `EventLog.grad_modes`.

    >>> unrecorded([~2, 5, ~5, 5, ~8], 9)
    ((2, 5), (8, 9))
    """
    found: list[Span] = []
    begun: int | None = None
    for at in (*modes, ops):
        if at < 0:
            begun = ~at if begun is None else begun
        elif begun is not None:
            if begun < at:
                found.append((begun, at))
            begun = None
    return tuple(found)
