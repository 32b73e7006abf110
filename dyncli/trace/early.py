"""What is heard while a script is loaded: values that leave tensors; no op of then is part of the run."""

from __future__ import annotations

import sys
from typing import Any

from dyncli.load.seen import PLAIN
from dyncli.trace.hearing import users_frame
from dyncore.events import Listener
from dyncore.tensor import Tensor

BEFORE = -1  # the number of every tensor that is tested then: no op of the run made it

MOST_ESCAPES = 100_000

_getframe = sys._getframe


class Early(Listener):
    """The listener of loading.  log: the decision log; escapes: as of a tape."""

    def __init__(self, log: list[Any]) -> None:
        self.log = log
        self.escapes: list[tuple[int, str, Any, int, Any, int]] = []

    def escape(self, tensor: Tensor, how: str, value: Any) -> None:
        if len(self.escapes) >= MOST_ESCAPES:
            return
        frame = users_frame(_getframe(2))
        kept = value if value.__class__ in PLAIN else None
        self.escapes.append((BEFORE, how, kept, len(self.log), frame.f_code, frame.f_lasti))
