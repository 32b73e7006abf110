"""The options of a check."""

from __future__ import annotations

from typing import NamedTuple


class Settings(NamedTuple):
    """model, inputs, case, entry, seed, timeout, arguments: as for a run.

    wrt: names of inputs and parameters; all that require grad if empty.  cotangent: as `--grad-output` of a run.
    fast: random directions for every input.  directions: how many.  order: 1 or 2.
    rtol, atol: instead of what follows from the estimated error.  eps: the first step.  jobs: processes.
    """

    model: str
    inputs: tuple[str, ...] = ()
    case: str | None = None
    entry: str | None = None
    seed: int = 0
    timeout: float | None = None
    wrt: tuple[str, ...] = ()
    cotangent: tuple[str, ...] = ()
    fast: bool = False
    directions: int = 3
    order: int = 1
    rtol: float | None = None
    atol: float | None = None
    eps: float | None = None
    locate: bool = False
    jobs: int = 1
    arguments: tuple[str, ...] = ()
