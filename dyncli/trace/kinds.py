"""Which tape listens to a run: what is to be known of it afterwards says."""

from __future__ import annotations

from dyncli.trace.request import Request
from dyncli.trace.tape import Tape


def kind_of_tape(request: Request) -> type[Tape]:
    """The class of the tape; an outline notes the least."""
    if request.edges:
        from dyncli.trace.along import Along

        return Along
    if request.measure:
        from dyncli.trace.measure import Measure

        return Measure
    if request.watch:
        from dyncli.trace.watch import Watch

        return Watch
    if request.outline:
        from dyncli.trace.outline import Outline

        return Outline
    return Tape
