"""Recursion limit of a script: as deep as alone, whatever runs below it.

Python's limit counts every frame of the process, so it is raised by those that are there already and by the one that a
probe takes, and a script that asks for the limit, or sets it, counts from its own outermost frame as it does alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: A probe is a call; on Python 3.11 what it calls counts besides.
PROBE = 1 if sys.version_info >= (3, 12) else 2
#: The frames between `counted` and the code whose depth is looked for: its own, and that of `contextlib`.
_OURS = 2


class Recursion:
    """Limit of one script, from its loading to its run; None until it is known."""

    def __init__(self) -> None:
        self.limit: int | None = None

    @contextmanager
    def counted(self, depth: int) -> Iterator[None]:
        """Run the block at `depth` of the script's own frames: 1 for its module."""
        real_get, real_set = sys.getrecursionlimit, sys.setrecursionlimit
        if hasattr(real_set, "below"):  # a script that runs another one
            yield
            return
        below = _depth(real_set) - _OURS + 1 - depth + PROBE
        before = real_get()
        real_set((before if self.limit is None else self.limit) + below)
        get, put = _shifted(real_get, real_set, below)
        sys.getrecursionlimit, sys.setrecursionlimit = get, put
        try:
            yield
        finally:
            self.limit = get()
            sys.getrecursionlimit, sys.setrecursionlimit = real_get, real_set
            real_set(before)


def _depth(real_set: Callable[[int], None]) -> int:
    """Return the depth of the caller, as Python counts.

    On Python 3.11 some calls of builtins count, too.
    """
    try:
        real_set(1)
    except RecursionError as error:  # it says at what depth one is too low
        return int(str(error).partition("at the recursion depth ")[2].partition(":")[0]) - 1
    return 1


def _shifted(
    real_get: Callable[[], int], real_set: Callable[[int], None], below: int
) -> tuple[Callable[[], int], Callable[[int], None]]:
    """Return Python's two functions for a script above `below` frames."""

    def getrecursionlimit() -> int:
        return real_get() - below

    def setrecursionlimit(limit: int, /) -> None:
        try:
            real_set(limit + below if type(limit) is int and limit > 0 else limit)
        except OverflowError:
            real_set(limit)

    for function in (getrecursionlimit, setrecursionlimit):
        real = real_get if function is getrecursionlimit else real_set
        function.__doc__, function.__qualname__, function.__module__ = real.__doc__, real.__name__, real.__module__
    setrecursionlimit.below = below  # type: ignore[attr-defined]
    return getrecursionlimit, setrecursionlimit
