"""Two runs laid beside each other: which op and which decision of one belongs to which of the other.

A place is a frame or a loop step, named by how it was come to: the module, the function and which call of it, the loop
and which step.  An arm is no place of its own, because code after an early return stands in one.  Within two places
that belong together, the first op of a site belongs to the first op of that site, and so on.  So unequal trip counts
leave steps over, and recursion that goes deeper leaves frames over; the rest belongs together.  Linear in the ops.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dyncli.analysis.diff.model import Pair
from dyncli.analysis.diff.sites import Keys
from dyncli.records.model import Record, Scope, Site

Key = tuple[object, ...]
KeyOf = Callable[[Site], object]


@dataclass(slots=True)
class Place:
    """Events of one frame or one loop step: ops, decisions, steps and calls by key."""

    items: dict[Key, list[int]] = field(default_factory=dict)

    def add(self, key: Key, number: int) -> None:
        """Add what comes next under `key`."""
        known = self.items.get(key)
        if known is None:
            self.items[key] = [number]
        else:
            known.append(number)


@dataclass(slots=True)
class Side:
    """The places of one run.  arms: for each place that is a call, the arms it was made under."""

    places: list[Place]
    arms: list[int]


def aligned(a: Record, b: Record, keys: Keys) -> tuple[list[Pair], list[Pair]]:
    """Return (decisions, ops) as pairs in the order they ran; what only one run has is paired with None."""
    known_arms: dict[Key, int] = {}
    first = _side(a, keys.a, str, known_arms)
    second = _side(b, keys.b, keys.function_b, known_arms)
    decisions: dict[int, int] = {}
    ops: dict[int, int] = {}
    _entry(first, second)
    waiting = [(0, 0)]
    while waiting:
        here, there = (first.places[waiting[-1][0]], second.places[waiting.pop()[1]])
        for key, numbers in here.items.items():
            others = there.items.get(key)
            if others is None:
                continue
            if key[0] == "op":
                ops.update(zip(numbers, others))
            elif key[0] == "decision":
                decisions.update(zip(numbers, others))
            elif key[0] == "call":
                waiting += _calls(numbers, others, first.arms, second.arms)
            else:
                waiting += zip(numbers, others)
    return _merged(decisions, len(a.decisions), len(b.decisions)), _merged(ops, len(a.ops), len(b.ops))


def _side(record: Record, key_of: KeyOf, name_of: Callable[[str], str], known_arms: dict[Key, int]) -> Side:
    places = [Place()]
    arms = [0]
    at: list[int] = []  # the place of each scope
    under: list[int] = []  # the arms between a scope and its place
    for scope in record.scopes or (Scope(0, None, "root", ""),):
        if scope.parent is None:
            at.append(0)
            under.append(0)
            continue
        above, path = at[scope.parent], under[scope.parent]
        if scope.kind == "arm":
            key = (path, key_of(scope.site) if scope.site is not None else None, scope.name)
            at.append(above)
            under.append(known_arms.setdefault(key, len(known_arms) + 1))
            continue
        place = len(places)
        if scope.kind == "iteration":
            places[above].add(("step", key_of(scope.site) if scope.site is not None else None, scope.index), place)
        else:
            places[above].add(("call", scope.kind, name_of(scope.name)), place)
        places.append(Place())
        arms.append(path)
        at.append(place)
        under.append(0)
    for decision in record.decisions:
        place = at[decision.scope]
        places[place].add(("decision", key_of(decision.site), decision.phase, decision.iteration), decision.seq)
    for op in record.ops:
        places[at[op.scope]].add(("op", key_of(op.site), op.name, op.phase), op.seq)
    return Side(places, arms)


def _entry(a: Side, b: Side) -> None:
    """Bring the two entries together, whatever they are called; one that the other only calls belongs to that call."""
    calls = [[key for key in side.places[0].items if key[:2] == ("call", "call")] for side in (a, b)]
    if not len(calls[0]) == len(calls[1]) == 1 or calls[0] == calls[1]:
        return
    (here,), (there,) = calls
    tops = a.places[0].items, b.places[0].items
    called_b = b.places[tops[1][there][0]].items.get(here)
    called_a = a.places[tops[0][here][0]].items.get(there)
    if called_b is not None:
        tops[1][here] = called_b[:1]
    elif called_a is not None:
        tops[0][there] = called_a[:1]
    else:
        tops[1][here] = tops[1].pop(there)


def _calls(a: Sequence[int], b: Sequence[int], arms_a: Sequence[int], arms_b: Sequence[int]) -> list[tuple[int, int]]:
    """Pair the calls of one function: first those made under the same arms, then what is left, in order."""
    if len(a) == len(b) == 1:
        return [(a[0], b[0])]
    by_arms: dict[int, list[int]] = defaultdict(list)
    for number in reversed(b):
        by_arms[arms_b[number]].append(number)
    pairs = [(number, by_arms[arms_a[number]].pop()) for number in a if by_arms[arms_a[number]]]
    taken_a, taken_b = {x for x, _ in pairs}, {y for _, y in pairs}
    left = zip((x for x in a if x not in taken_a), (y for y in b if y not in taken_b))
    return [*pairs, *left]


def _merged(partner: dict[int, int], count_a: int, count_b: int) -> list[Pair]:
    """Return the pairs in the order of the first run, what only the second has before what it came before."""
    taken = set(partner.values())
    merged: list[Pair] = []
    at = 0
    for number in range(count_a):
        other = partner.get(number)
        if other is not None:
            while at < other:
                if at not in taken:
                    merged.append(Pair(None, at))
                at += 1
            at = max(at, other + 1)
        merged.append(Pair(number, other))
    merged += [Pair(None, number) for number in range(at, count_b) if number not in taken]
    return merged
