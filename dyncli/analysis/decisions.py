"""The decisions of a run as rows, and which of them a report shows.

A row is one decision, or all those of a loop at one place: what decided (`x.sum() = 2.0 > 0`), the arm taken and the
arms left, and the margin nearest to flipping.  A long report begins with decisions on tensors and what left them, then
shapes, chance, and those that shape the graph.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from dyncli.analysis.pattern import pattern, repeats, shares
from dyncli.analysis.values import counted, number, spread, value_text
from dyncli.records.model import Condition, Decision, Record, Scope, Site, Value
from dyncli.records.text import expression, one_line

MOST_ROWS = 60
MOST_TRIPS = 3  # different counts of a loop that are told apart


class ShownKind(NamedTuple):
    """Words and place of a kind of decision in reports.

    word: stands before the text of a test.  is_statement: the test is all that its line decides, so that the line
    beside it says enough.  is_inline: it stands inside an expression, and its arms have no lines of their own.
    """

    word: str
    is_statement: bool = False
    is_inline: bool = False


#: By `Site.kind`.
KINDS = {
    "if": ShownKind("if", is_statement=True),
    "elif": ShownKind("elif", is_statement=True),
    "while": ShownKind("while", is_statement=True),
    "for": ShownKind("for", is_statement=True),
    "comp": ShownKind(""),
    "ifexp": ShownKind("if", is_inline=True),
    "and": ShownKind("", is_inline=True),
    "or": ShownKind("", is_inline=True),
    "assert": ShownKind("assert", is_statement=True),
    "compif": ShownKind("if", is_inline=True),
    "match": ShownKind("match", is_statement=True),
    "guard": ShownKind("case if", is_statement=True, is_inline=True),
    "try": ShownKind("", is_statement=True),
}
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
    def moved_by(self) -> set[str]:
        """The sites of the tests that probably set the plain values by which a loop was left."""
        return {site for decision in self.decisions for site in decision.moved_by or ()}

    @property
    def depth(self) -> int:
        """Number of functions on the stack."""
        return max((len(decision.call_path) for decision in self.decisions), default=0)

    def arm_counts(self, *, short: bool = False) -> str:
        """Return in words how often each arm was taken; short: `T 30, F 2`."""
        return shares([outcome_symbol(decision, short) for decision in self.decisions])

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


def shown_kind(site: Site) -> ShownKind:
    """Return how the decisions of a site are shown: those of a kind that only a later version knows by its name."""
    return KINDS.get(site.kind) or ShownKind(site.kind)


def kind_and_text(site: Site) -> tuple[str, str]:
    """Return the word a test starts with and the rest of it, as they read in the source."""
    word = shown_kind(site).word
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
    place = places[decision.scope]
    outside = place.outside if place.loop == decision.site.id else None
    return (place.number if outside is None else outside, decision.phase)


def _grouped(decisions: Sequence[Decision], keys: Iterable[object]) -> list[tuple[Decision, ...]]:
    groups: dict[object, list[Decision]] = {}
    for decision, key in zip(decisions, keys, strict=True):
        groups.setdefault(key, []).append(decision)
    return [tuple(group) for group in groups.values()]


def _row(group: tuple[Decision, ...], nesting: int) -> DecisionRow:
    origin = strongest_origin(group)
    margins = [each.margin for each in group if each.origin == origin and each.margin is not None]
    nearest = min(margins, key=lambda margin: (margin != margin, abs(margin)), default=None)
    if group[0].trips is None:
        took = group[0].arm if len(group) == 1 else pattern([outcome_symbol(decision) for decision in group])
    else:
        took = (group[0].exit or "exhausted") if len(group) == 1 else trips_taken(group)
    return DecisionRow(group, because(group), took, ", ".join(arms_left(group)), nearest, nesting)


def trips_taken(group: Sequence[Decision]) -> str:
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


LONGEST_SOURCE = 400


def because(decisions: Sequence[Decision], names: bool = True, point: bool = True, digits: int = 4) -> str:
    """Return the values that decided: of one decision, or the first and the last of several at one site.

    Where those two are alike and one between is not, or came out otherwise, that stands between them.
    Without names a guard as `last is not None` stands after what it guards.

    names: write `error = 0.5` where the source is not the value itself.  point: write `2.0` where a float is whole.
    digits: how many significant ones of a float.
    """
    first, last = decisions[0], decisions[-1]
    if first.trips is not None:
        return trips_text(decisions)
    if not first.conditions and first.exception:
        return " … ".join(dict.fromkeys(one_line(d.exception or "", 40) for d in (first, last)))
    if any(one.text != other.text for one, other in zip(first.conditions, last.conditions)):
        return " … ".join(filter(None, (_single(first, names, point, digits), _single(last, names, point, digits))))
    longest = _furthest(decisions)
    words = ", ".join(
        _condition(_at(decisions, longest, place), names, point, _has_outcome(decisions, longest, place), digits)
        for place in sorted(range(len(longest)), key=lambda place: not names and longest[place].op in ("is", "is not"))
    )
    return f"not {words}" if not names and _negated(first) else words


def _negated(decision: Decision) -> bool:
    """Return whether the one truth that decided is the opposite of the test's own: `not mask.any()`."""
    if len(decision.conditions) != 1 or not decision.site.text.startswith("not "):
        return False
    (condition,) = decision.conditions
    return condition.text != decision.site.text and (condition.op is not None or isinstance(condition.value, bool))


def trips_text(decisions: Sequence[Decision]) -> str:
    """Return how often loops went round, and how they ended if not by running out."""
    trips = sorted({decision.trips or 0 for decision in decisions})
    exits = sorted({decision.exit for decision in decisions if decision.exit not in (None, "exhausted")}, key=str)
    span = f"{trips[0]:,}" if len(trips) == 1 else f"{trips[0]:,} to {trips[-1]:,}"
    return f"{span} {'trip' if trips == [1] else 'trips'}" + "".join(f", {one_line(str(exit), 20)}" for exit in exits)


def _single(decision: Decision, names: bool, point: bool, digits: int) -> str:
    return ", ".join(
        _condition([condition], names, point, _has_outcome([decision], decision.conditions, place), digits)
        for place, condition in enumerate(decision.conditions)
    )


def _has_outcome(decisions: Sequence[Decision], conditions: Sequence[Condition], place: int) -> bool:
    """Return whether to say how a truth of several came out: not where it raised."""
    return len(conditions) > 1 and not any(d.exception and place == len(d.conditions) - 1 for d in decisions)


def _furthest(decisions: Sequence[Decision]) -> tuple[Condition, ...]:
    """Return the truths of the decision that came furthest in its test, of those that began as the first did."""
    first = decisions[0].conditions
    if not first:
        return first
    alike = (d.conditions for d in decisions if d.conditions and d.conditions[0].text == first[0].text)
    return max(alike, key=len)


def _at(decisions: Sequence[Decision], longest: Sequence[Condition], place: int) -> list[Condition]:
    """Return the truth at a place of a test, of those that came so far in it."""
    text = longest[place].text
    return [d.conditions[place] for d in decisions if len(d.conditions) > place and d.conditions[place].text == text]


def _condition(conditions: Sequence[Condition], names: bool, point: bool, with_outcome: bool, digits: int) -> str:
    outcome = f" {conditions[0].outcome}" if with_outcome and len({each.outcome for each in conditions}) == 1 else ""
    last = conditions[-1]
    conditions, is_whole = _telling(conditions)
    compared = [each for each in conditions if each.op is not None]  # a flag holds none yet where a loop begins
    if last.op is None or len({each.source for each in compared}) > 1:
        values = [each.value if each.compared is None else each.outcome for each in conditions]
        return _named(last.text, values, names, point, digits, is_whole) + outcome
    left, right = sides(last.source)
    lhs = _named(left, [each.lhs for each in compared], names, point, digits, is_whole)
    rhs = _named(right, [each.rhs for each in compared], names, point, digits, is_whole)
    return f"{lhs} {one_line(last.op, 12)} {rhs}{outcome}"


def _telling(conditions: Sequence[Condition]) -> tuple[Sequence[Condition], bool]:
    """Return the truths to be written, and whether each is: of ends that are alike also the first that is not."""
    first, last = conditions[0], conditions[-1]
    other = next((each for each in conditions if each.outcome != first.outcome), None)
    if other is None or last.outcome != first.outcome:
        return conditions, False
    return [first, other, last], True


def _named(source: str, values: Sequence[Value], names: bool, point: bool, digits: int, is_whole: bool) -> str:
    def write(value: Value) -> str:
        return operand(value, point, digits)

    texts = [text for text, _ in groupby(map(write, values))] if is_whole else spread(values, write, _same)
    span = " … ".join(texts)
    return span if not names or not source or _is_literal(source) else f"{one_line(source, 40)} = {span}"


def _same(one: Value, other: Value) -> bool:
    return one.__class__ is other.__class__ and one == other


def operand(value: Value, point: bool = True, digits: int = 4) -> str:
    """Return one deciding value: numbers with their point, short sequences whole."""
    if value is None or isinstance(value, (bool, int, float)):
        return number(value, digits, point)
    return value_text(value, 40)


@lru_cache(maxsize=4096)
def sides(text: str) -> tuple[str, str]:
    """Return the source of both sides of a single comparison, empty where `text` is none."""
    tree = _parsed(text)
    if not isinstance(tree, ast.Compare) or len(tree.comparators) != 1:
        return "", ""
    return _source(tree.left), _source(tree.comparators[0])


@lru_cache(maxsize=4096)
def _is_literal(source: str) -> bool:
    tree = _parsed(source)
    if isinstance(tree, ast.UnaryOp):
        tree = tree.operand
    return isinstance(tree, ast.Constant)


def _parsed(text: str) -> ast.expr | None:
    if len(text) > LONGEST_SOURCE:
        return None
    try:
        return expression(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _source(node: ast.expr) -> str:
    return ast.unparse(node)


MOST_IN_ORDER = 12  # rows of a table that is shown as it is, in the order of the run
FEW = 200  # decisions of a run, past which the rows of loops overlap and their numbers say nothing
MOST_RELEVANT = 10  # of a longer one, from the most relevant on
MOST_SHAPING = 4  # tests of Python values that chose between ops of the graph, or by which loops were left
MOST_LEAVING = 2  # tests of Python values by which loops were left
MOST_FUNCTIONS = 4  # that are named with what they decided on Python values
#: What can be asked for, with the origins it stands for.
ON = {
    "tensor": ("tensor",),
    "scalar": ("scalar", "scalar~"),
    "shape": ("shape",),
    "rng": ("rng", "rng~"),
    "python": ("python",),
}
RANK = {"tensor": 0, "scalar": 0, "scalar~": 0, "shape": 1, "rng": 2, "rng~": 2, "python": 3}


class Selection(NamedTuple):
    """The decisions that were asked for: on what (`tensor`, ...), in which functions, at which line."""

    on: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    line: int | None = None

    @property
    def is_given(self) -> bool:
        """Return whether anything was asked for."""
        return bool(self.on or self.functions) or self.line is not None

    def holds(self, decision: Decision) -> bool:
        """Return whether a decision is among them."""
        return self.holds_place(decision.site, decision.origin)

    def holds_place(self, site: Site, origin: str) -> bool:
        """Return whether what is decided at a place, on something of an origin, is among them."""
        origins = [origin for word in self.on for origin in ON[word]]
        named = (site.function, site.function.rpartition(".")[2])
        return (
            (not origins or origin in origins)
            and (not self.functions or any(name in self.functions for name in named))
            and (self.line is None or site.line == self.line)
        )


class Relevant(NamedTuple):
    """The rows to show, and a line on those that are not.  by_site: whether each row is a test in all its calls."""

    rows: list[DecisionRow]
    hidden: str = ""
    by_site: bool = False


def relevant(record: Record, selection: Selection, full: bool = False, room: int = MOST_IN_ORDER) -> Relevant:
    """Return the rows of a record's decisions that a reader wants first, or those that were asked for.

    room: the rows that there is room for.
    """
    most = min(MOST_RELEVANT, room)
    asked = record.decisions
    if selection.is_given:
        asked = tuple(decision for decision in asked if selection.holds(decision))
    if full:
        return Relevant(decision_rows(record._replace(decisions=asked), fold=False))
    if selection.is_given:
        return _cut(record, sorted(folded_by_site(asked), key=_rank), most)
    asked = tuple(decision for decision in asked if not is_main_guard(decision))
    plain = [decision for decision in asked if decision.origin == "python"]
    if len(asked) <= FEW or len(plain) == len(asked):
        rows = decision_rows(record._replace(decisions=asked))
        if len(rows) <= min(MOST_IN_ORDER, room):
            return Relevant(rows)
    sites = {decision.site.id for decision in asked if decision.origin != "python"}
    rows = folded_by_site([decision for decision in asked if decision.site.id in sites])
    rows = sorted((row for row in rows if row.origin != "python"), key=_rank)
    shown = {decision.seq for row in rows for decision in row.decisions}
    plain = [decision for decision in plain if decision.seq not in shown]
    leaving = _leaving(record, plain)
    shown = {decision.seq for row in leaving for decision in row.decisions}
    rest = [decision for decision in plain if decision.seq not in shown]
    shaping = _shaping(record, rest, MOST_SHAPING - len(leaving))
    last = [*leaving, *shaping]
    shown |= {decision.seq for row in shaping for decision in row.decisions}
    idle = _idle(record, rows)
    rows = [row for row in rows if row.first.seq not in idle]
    folded = sorted([*(decision for decision in plain if decision.seq not in shown), *idle.values()], key=_seq)
    hidden = _on_python(folded, more=bool(last), on="python,rng" if idle else "python")
    return _cut(record, rows, most, hidden, last)


def _leaving(record: Record, decisions: Sequence[Decision]) -> list[DecisionRow]:
    """Return the tests on Python values by which loops with ops were left, those that tests on data led to first."""
    sites = {decision.site.id for decision in decisions if decision.moved_by is not None}
    if not sites:
        return []
    working = _loops_with_ops(record)
    rows = folded_by_site([decision for decision in decisions if decision.site.id in sites])
    found = [row for row in rows if any(working(each) for each in row.decisions if each.moved_by is not None)]
    return sorted(found, key=lambda row: (not row.moved_by, row.first.seq))[:MOST_LEAVING]


def _loops_with_ops(record: Record) -> Callable[[Decision], bool]:
    """Return a test of whether ops ran in the innermost loop around a decision."""
    scopes = record.scopes

    def around(inner: int | None) -> Iterator[Scope]:
        while inner is not None:
            yield scopes[inner]
            inner = scopes[inner].parent

    def loop(step: Scope) -> object:
        return step.parent, step.site

    busy: dict[int, Scope] = {}
    for inner in {op.scope for op in record.ops}:
        for scope in around(inner):
            if scope.id in busy:
                break
            busy[scope.id] = scope
    working = {loop(scope) for scope in busy.values() if scope.kind == "iteration"}

    def is_working(decision: Decision) -> bool:
        step = next((scope for scope in around(decision.scope) if scope.kind == "iteration"), None)
        return step is not None and loop(step) in working

    return is_working


def _seq(decision: Decision) -> int:
    return decision.seq


def _idle(record: Record, rows: Sequence[DecisionRow]) -> dict[int, Decision]:
    """Return the decisions, by number, that chance probably made in functions without ops: words of made-up data."""
    working = {(op.site.file, op.site.function) for op in record.ops}
    counts = controlled_ops(record)
    idle = (
        row.decisions
        for row in rows
        if row.origin == "rng~"
        and (row.first.site.file, row.first.site.function) not in working
        and not any(counts[decision.seq] for decision in row.decisions)
    )
    return {decision.seq: decision for decisions in idle for decision in decisions}


def is_main_guard(decision: Decision) -> bool:
    """Return whether a decision is that of `if __name__ == "__main__"`."""
    return is_main(decision.site)


def is_main(site: Site) -> bool:
    """Return whether a site is the test of `if __name__ == "__main__"`."""
    return "__name__" in site.text and "__main__" in site.text


def _rank(row: DecisionRow) -> tuple[int, bool, bool, int]:
    """Put tests on data first, of these the ones that went more than one way, in the order of the run.

    Of those that went one way, what is only inferred to be data comes last: `for c in set(labels.tolist())`.
    """
    steady = _is_steady(row)
    return RANK.get(row.origin, 3), steady, steady and row.origin == "scalar~", row.first.seq


def _is_steady(row: DecisionRow) -> bool:
    """Return whether a test went the same way every time."""
    return len({(decision.arm, decision.trips) for decision in row.decisions}) == 1


def _shaping(record: Record, decisions: Sequence[Decision], most: int) -> list[DecisionRow]:
    """Return the tests that went more than one way, with ops of the graph right under them.

    They are what makes the graph of a tree differ from that of another.
    """
    graded = {op.under for op in record.ops if op.grad_fn is not None}
    chosen = [row for row in folded_by_site(decisions) if any(each.seq in graded for each in row.decisions)]
    chosen = [row for row in chosen if len({(each.arm, each.trips) for each in row.decisions}) > 1]
    if len(chosen) <= most:
        return sorted(chosen, key=_rank)
    counts = controlled_ops(record)
    largest = sorted(chosen, key=lambda row: -sum(counts[each.seq] for each in outermost(record, row.decisions)))
    return sorted(largest[:most], key=_rank)


def _cut(
    record: Record, rows: list[DecisionRow], most: int, hidden: str = "", last: Sequence[DecisionRow] = ()
) -> Relevant:
    """Return the most relevant rows, those that stand last in any case, and a word on the others."""
    most -= len(last)
    more = len(rows) - most
    words = [f"{counted(more, 'more test')}: `--full`"] if more > 0 else []
    words += [hidden] if hidden else []
    if more > 0:
        counts = controlled_ops(record)
        chosen = set(map(id, sorted(rows, key=lambda row: _worth(row, counts))[:most]))
        rows = [row for row in rows if id(row) in chosen]
    return Relevant([*rows, *last], " · ".join(words), by_site=True)


def _worth(row: DecisionRow, counts: Sequence[int]) -> tuple[bool | int, ...]:
    """Put first, of too many tests, those on data itself and those that ops ran under, then what is only inferred.

    Of the latter, loops over a few plain values come last, as those over a parser's stack.
    """
    rank, steady, *_ = _rank(row)
    inferred = row.origin == "scalar~"
    idle = inferred and not any(counts[each.seq] for each in row.decisions)
    return rank, idle, steady, inferred, row.first.trips is not None


def _on_python(decisions: Sequence[Decision], more: bool, on: str) -> str:
    """Return how much was decided on Python values, and in which functions most of it."""
    if not decisions:
        return ""
    times: dict[str, int] = {}
    for decision in decisions:
        name = decision.site.function or "<module>"
        times[name] = times.get(name, 0) + 1
    most = sorted(times.items(), key=lambda item: -item[1])[:MOST_FUNCTIONS]
    names = ", ".join(f"{name} {count:,}" for name, count in most) + (", …" if len(times) > len(most) else "")
    count = f"{len(decisions):,} more" if more else f"{len(decisions):,}"
    return f"{count} on Python values in {counted(len(times), 'function')} ({names}): `--on {on}`"


def outermost(record: Record, decisions: Sequence[Decision]) -> list[Decision]:
    """Return those of one test that ran under no other of them, as in recursion."""
    own = {decision.seq for decision in decisions}
    inside: set[int] = set()
    for decision in record.decisions:
        if decision.under in own or decision.under in inside:
            inside.add(decision.seq)
    return [decision for decision in decisions if decision.seq not in inside]


def controlled_ops(record: Record) -> list[int]:
    """Return how many ops ran under each decision, by its number, those under decisions below it included."""
    counts = [0] * len(record.decisions)
    for op in record.ops:
        if op.under is not None:
            counts[op.under] += 1
    for decision in reversed(record.decisions):
        under = decision.under
        if under is not None:
            counts[under] += counts[decision.seq]
    return counts
