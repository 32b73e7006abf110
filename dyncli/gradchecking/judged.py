"""What was found along one line, and how closely it was looked at."""

from __future__ import annotations

from typing import Any, NamedTuple

from dyncli.gradchecking.function_at_point import Near
from dyncli.gradchecking.runaway import Runaway


class Tolerance(NamedTuple):
    """rtol, atol, eps: as the user gave them, None for what follows from the estimated error.

    scales: for each row the size of its derivatives, which tells a zero from a small one.
    """

    scales: Any
    rtol: float | None = None
    atol: float | None = None
    eps: float | None = None


class Judged(NamedTuple):
    """What was found along one line.

    verdict: right, wrong, kink, jump, nan or not_measurable.  row: the one that decided it.
    suspect: the derivative of the point's own piece differs from the analytic one as well.  flip: see `Evaluation`.
    """

    verdict: str
    row: int
    analytic: float
    numeric: float
    error: float
    estimated: float
    left: float | None = None
    right: float | None = None
    jump: float | None = None
    suspect: bool = False
    flip: tuple[bool, int] | None = None
    near: Near | None = None
    failure: str | None = None
    ratio: float = 0.0


def said(error: BaseException | None) -> str | None:
    """What an exception of the model's says, as one line."""
    if error is None:
        return None
    if isinstance(error, Runaway):
        return "does not come to an end"
    first = (str(error).splitlines() or [""])[0]
    return f"raises {type(error).__name__}: {first}" if first else f"raises {type(error).__name__}"
