"""The first decision at which two runs part, in the order in which things happened.

Both runs decide alike up to some test.  A `for` loop is decided step by step, though a record notes it once, where it
began: it parts where one run is given another item and the other is not, unless a test in an earlier step parted first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from dyncli.analysis.diff.model import Parting
from dyncli.analysis.diff.sites import Keys
from dyncli.records.model import Decision, Record

Both = tuple[Decision, Decision]


def parting(a: Record, b: Record, keys: Keys) -> Parting | None:
    """Return where two runs part, or None where every decision agrees."""
    kept = [list(record.decisions) for record in (a, b)]
    first = [each for each in kept[0] if keys.is_shared(keys.a(each.site))]
    second = [each for each in kept[1] if keys.is_shared(keys.b(each.site))]
    common = _common(first, second, keys)
    next_a = first[common] if common < len(first) else None
    next_b = second[common] if common < len(second) else None
    agreed = list(zip(first[:common], second[:common]))
    loop = _parted_loop(agreed, next_a, next_b)
    if loop is not None:
        return Parting(loop[0].seq, loop[1].seq, "arm")
    if next_a is not None and next_b is not None and keys.a(next_a.site) == keys.b(next_b.site):
        return Parting(next_a.seq, next_b.seq, "arm" if next_a.phase == next_b.phase else "elsewhere")
    case_a, case_b = _chosen(next_a, first), _chosen(next_b, second)
    if case_a and case_b and keys.a(case_a.site) == keys.b(case_b.site) and case_a.arm != case_b.arm:
        return Parting(case_a.seq, case_b.seq, "arm")
    own_a = _own(kept[0], first, common, keys.a, keys)
    own_b = _own(kept[1], second, common, keys.b, keys)
    if next_a is not None or next_b is not None:
        return Parting(_seq(own_a or next_a), _seq(own_b or next_b), "elsewhere")
    return _only(kept, keys)


def _chosen(decision: Decision | None, every: Sequence[Decision]) -> Decision | None:
    """Return the choice of a case that a decision is, or, as a guard, belongs to: it is made after its guards."""
    if decision is None or decision.site.kind == "match":
        return decision
    if decision.site.kind != "guard":
        return None
    after = (each for each in every if each.seq > decision.seq and each.site.kind == "match")
    return next((each for each in after if _is_around(each, decision)), None)


def _is_around(match: Decision, guard: Decision) -> bool:
    """Return True if a guard was evaluated for this choice.

    The choice is the next in the same call, of a match above the guard.
    """
    return (match.scope, match.site.file) == (guard.scope, guard.site.file) and match.site.line <= guard.site.line


def _common(a: Sequence[Decision], b: Sequence[Decision], keys: Keys) -> int:
    """Return how many decisions from the start went the same way."""
    count = 0
    for x, y in zip(a, b):
        same = x.phase == y.phase and keys.a(x.site) == keys.b(y.site)
        if not same or ((x.trips is None or y.trips is None) and x.arm != y.arm):
            break
        count += 1
    return count


def _seq(decision: Decision | None) -> int | None:
    return None if decision is None else decision.seq


def _own(every: list[Decision], shared: list[Decision], common: int, key_of: object, keys: Keys) -> Decision | None:
    """Return the first decision after the common ones that only this version of the script has."""
    after = shared[common - 1].seq if common else -1
    before = shared[common].seq if common < len(shared) else len(every) + after + 1
    between = (each for each in every if after < each.seq < before)
    return next((each for each in between if not keys.is_shared(key_of(each.site))), None)  # type: ignore[operator]


def _only(kept: list[list[Decision]], keys: Keys) -> Parting | None:
    """Return the earliest decision that only one version of the script has."""
    places: list[tuple[int, int] | None] = []
    for decisions, key_of in zip(kept, (keys.a, keys.b)):
        alone = next((n for n, each in enumerate(decisions) if not keys.is_shared(key_of(each.site))), None)
        places.append(None if alone is None else (alone, decisions[alone].seq))
    first, second = places
    if first is None and second is None:
        return None
    earliest = min(place[0] for place in places if place is not None)
    chosen = [place[1] if place is not None and place[0] == earliest else None for place in places]
    return Parting(chosen[0], chosen[1], "alone")


def _parted_loop(agreed: list[Both], next_a: Decision | None, next_b: Decision | None) -> Both | None:
    """Return the loop at whose end the runs parted before they came to `next_a` and `next_b`, if one did.

    A loop ends when the last decision in it has been made; of two that end together, the inner one ends first.
    """
    found: tuple[int, int] | None = None
    loop: Both | None = None
    for place, (x, y) in enumerate(agreed):
        if x.trips is None or y.trips is None or x.trips == y.trips:
            continue
        short, onward = (0, next_a) if x.trips < y.trips else (1, next_b)
        ended = (x, y)[short]
        if ended.exit != "exhausted" and (next_a is not None or next_b is not None):
            continue  # whoever left it early had a reason elsewhere
        until = ended.seq + 1 if ended.until is None else ended.until
        if onward is not None and until > onward.seq:
            continue
        end = _made_before(agreed, short, until)
        if found is None or (end, -place) < found:
            found, loop = (end, -place), (x, y)
    return loop


def _made_before(agreed: list[Both], side: int, until: int) -> int:
    """Return how many of the common decisions were made before the one numbered `until` of one side."""
    return bisect_left(agreed, until, key=lambda both: both[side].seq)
