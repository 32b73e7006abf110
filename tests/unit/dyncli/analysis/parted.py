"""How two runs part, in short."""

from collections.abc import Callable

from dyncli.analysis.diff import Diff
from dyncli.records.model import Decision, Record

Recorded = Callable[..., Record]


def told(found: Diff) -> tuple[object, ...]:
    """How two runs part: kind, then line and way of each."""
    if found.parting is None:
        return ()
    ways = [
        None if number is None else way(record.decisions[number])
        for record, number in ((found.a, found.parting.a), (found.b, found.parting.b))
    ]
    return (found.parting.kind, *ways)


def way(decision: Decision) -> tuple[object, ...]:
    """Line and arm, or trips, of a decision, and its steps if it is in a loop."""
    taken = decision.arm if decision.trips is None else decision.trips
    steps = tuple(index for _, index in decision.iterations)
    steps += () if decision.iteration is None else (decision.iteration,)
    return (decision.site.line, taken, *([steps] if steps else []))
