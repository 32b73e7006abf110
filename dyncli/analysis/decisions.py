"""The decisions of a run as rows: loops folded, what decided, the arm taken and the arms left, the nearest margin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dyncli.analysis.conditions import because
from dyncli.analysis.pattern import pattern, repeats
from dyncli.analysis.values import counted
from dyncli.records.model import Decision, Record, Scope, Site

MOST_ROWS = 60
MOST_TRIPS = 3  # different counts of a loop that are told apart
#: What a test reads as where it is not the word of its kind.
WORDS = {"comp": "", "compif": "if", "ifexp": "if", "guard": "case if", "try": "", "and": "", "or": "", "implicit": ""}
#: From what is nearest to a tensor to what is furthest.
ORIGINS = ("tensor", "scalar", "scalar~", "shape", "rng", "rng~", "python")


class DecisionRow(NamedTuple):
    """One line of the decision table: one decision, or all those at one place that belong together.

    margin: the one nearest to flipping.  nesting: how many loops of the same function stand around it.
    """

    decisions: tuple[Decision, ...]
    because: str
    took: str
    left: str
    margin: float | None
    nesting: int = 0

    @property
    def first(self) -> Decision:
        """The earliest of the row's decisions."""
        return self.decisions[0]

    @property
    def origin(self) -> str:
        """Strongest origin of all decisions."""
        return strongest_origin(self.decisions)

    @property
    def depth(self) -> int:
        """Number of functions on the stack."""
        return max((len(decision.call_path) for decision in self.decisions), default=0)

    @property
    def forced(self) -> bool:
        """True if any of them was forced."""
        return any(decision.forced for decision in self.decisions)


def strongest_origin(decisions: Iterable[Decision]) -> str:
    """Return the origin nearest to a tensor; the first step of a loop often tests only what the loop began with."""
    origins = {decision.origin for decision in decisions}
    return next((origin for origin in ORIGINS if origin in origins), "python")


def decision_rows(record: Record, fold: bool = True, most: int = MOST_ROWS) -> list[DecisionRow]:
    """Return the rows in the order their first decision was made.

    fold: gather the steps of a loop into one row for each test; past `most` rows, gather calls and recursion too.
    """
    decisions = record.decisions
    if not fold:
        return [_row((decision,), _nesting(decision)) for decision in decisions]
    places = scope_places(record.scopes)
    groups = _grouped(decisions, [(_place(places, decision), decision.site.id) for decision in decisions])
    if len(groups) > most:
        return folded_by_site(decisions)
    return [_row(group, _nesting(group[0])) for group in groups]


def folded_by_site(decisions: Sequence[Decision]) -> list[DecisionRow]:
    """Return one row for each test, whatever calls and loops it was made in."""
    groups = _grouped(decisions, [(decision.site.id, decision.phase) for decision in decisions])
    return [_row(group, _nesting(group[0])) for group in groups]


class Place(NamedTuple):
    """Place in the program: calls and loops count, iterations do not.

    Equal numbers are equal places.
    outside: the place around the innermost loop step, and `loop` that loop's site, where there is one.
    """

    number: int
    outside: int | None = None
    loop: str | None = None


def scope_places(scopes: Sequence[Scope]) -> list[Place]:
    """Return the place of each scope; an arm is no place of its own."""
    known: dict[object, Place] = {}
    places: list[Place] = []
    nowhere = Place(-1)
    for scope in scopes:
        above = places[scope.parent] if scope.parent is not None else nowhere
        if scope.kind == "arm":
            places.append(above)
            continue
        site = scope.site.id if scope.site is not None else ""
        step = scope.kind == "iteration"
        key = above.number, scope.kind, "" if step else scope.name, site
        place = known.get(key)
        if place is None:
            place = Place(len(known), above.number, site) if step else Place(len(known))
            known[key] = place
        places.append(place)
    return places or [Place(0)]


def kind_and_text(site: Site) -> tuple[str, str]:
    """Return the word a test starts with and the rest of it, as they read in the source."""
    word = WORDS.get(site.kind, site.kind)
    text = site.text.strip()
    if word and (text == word or text.startswith(word + " ")):
        text = text[len(word) :].lstrip()
    return word, text.removesuffix(":")


def outcome_symbol(decision: Decision, short: bool = False) -> str:
    """Return an outcome as patterns show it: True or False (T or F), trips of a loop, otherwise the arm.

    A test that raised has no outcome, so its arm stands there: `raise`.  So does that of `and` and `or`, whose outcome
    is that of the left operand alone.
    """
    if decision.trips is not None:
        return f"{decision.trips:,} {'trip' if decision.trips == 1 else 'trips'}" if not short else str(decision.trips)
    if isinstance(decision.outcome, bool) and decision.arm != "raise" and decision.site.kind not in ("and", "or"):
        return str(decision.outcome)[0] if short else str(decision.outcome)
    return decision.arm


def arms_left(decisions: Sequence[Decision]) -> tuple[str, ...]:
    """Return the arms of the site that none of these decisions took."""
    taken = {decision.arm for decision in decisions}
    if decisions[0].trips is not None:
        return ()
    return tuple(arm for arm in decisions[0].site.arms if arm not in taken)


def _place(places: list[Place], decision: Decision) -> tuple[int, str]:
    """Return the place of a decision; a loop's own test belongs outside the loop, whichever step it was made in."""
    place = places[decision.scope] if decision.scope < len(places) else Place(0)
    outside = place.outside if place.loop == decision.site.id else None
    return (place.number if outside is None else outside, decision.phase)


def _grouped(decisions: Sequence[Decision], keys: Iterable[object]) -> list[tuple[Decision, ...]]:
    groups: dict[object, list[Decision]] = {}
    for decision, key in zip(decisions, keys, strict=True):
        groups.setdefault(key, []).append(decision)
    return [tuple(group) for group in groups.values()]


def _row(group: tuple[Decision, ...], nesting: int) -> DecisionRow:
    margins = [decision.margin for decision in group if decision.margin is not None]
    nearest = min(margins, key=lambda margin: (margin != margin, abs(margin)), default=None)
    if group[0].trips is None:
        took = group[0].arm if len(group) == 1 else pattern([outcome_symbol(decision) for decision in group])
    else:
        took = (group[0].exit or "exhausted") if len(group) == 1 else _trips_taken(group)
    return DecisionRow(group, because(group), took, ", ".join(arms_left(group)), nearest, nesting)


def _trips_taken(group: Sequence[Decision]) -> str:
    """Return how often a loop went round how many times: in order if regular, else how often each if few."""
    symbols = [outcome_symbol(decision) for decision in group]
    if len(repeats(symbols)) <= MOST_TRIPS:
        return pattern(symbols)
    counts = Counter(symbols)
    if len(counts) > MOST_TRIPS:
        return f"{len(group):,} times"
    return ", ".join(f"{symbol} {counted(times, 'time')}" for symbol, times in counts.items())


def _nesting(decision: Decision) -> int:
    own = bool(decision.iterations) and decision.iterations[-1][0] == decision.site.line
    return len(decision.iterations) - own
