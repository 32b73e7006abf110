"""What is heard while a script is loaded, and what was decided then; no op of then is part of the run."""

from __future__ import annotations

import sys
from itertools import takewhile
from typing import Any

from dyncli.analysis.loading import LOAD
from dyncli.instrument.runtime.operands import PLAIN
from dyncli.recording.engine import Listener, Tensor
from dyncli.recording.events.callbacks import user_frame
from dyncli.records.model import Decision, Scope

BEFORE = -1  # the number of every tensor that is tested then: no op of the run made it

MOST_ESCAPES = 100_000

_getframe = sys._getframe


class Early(Listener):
    """The listener of loading.  log: the decision log; escapes: as of an event log."""

    def __init__(self, log: list[Any]) -> None:
        self.log = log
        self.escapes: list[tuple[int, str, Any, int, Any, int]] = []

    def escape(self, tensor: Tensor, how: str, value: Any) -> None:
        if len(self.escapes) >= MOST_ESCAPES:
            return
        frame = user_frame(_getframe(2))
        kept = value if value.__class__ in PLAIN else None
        self.escapes.append((BEFORE, how, kept, len(self.log), frame.f_code, frame.f_lasti))


def apart(
    decisions: tuple[Decision, ...], scopes: tuple[Scope, ...]
) -> tuple[tuple[Decision, ...], tuple[Decision, ...], tuple[Scope, ...]]:
    """The decisions of loading, which come first, those of the run, each numbered from 0, and the scopes.

    Nothing of the run is under a decision of loading.
    """
    count = sum(1 for _ in takewhile(lambda decision: decision.phase == LOAD, decisions))
    if not count:
        return (), decisions, scopes

    def moved(number: int | None) -> int | None:
        return None if number is None or number < count else number - count

    loading = tuple(
        decision._replace(until=None if decision.until is None else min(decision.until, count))
        for decision in decisions[:count]
    )
    run = tuple(
        decision._replace(seq=number, under=moved(decision.under), until=moved(decision.until))
        for number, decision in enumerate(decisions[count:])
    )
    return loading, run, tuple(scope._replace(decision=moved(scope.decision)) for scope in scopes)
