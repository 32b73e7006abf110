"""Order of decisions in a report: on tensors and what left them, shapes, chance, then those that shape the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dyncli.analysis.decisions import DecisionRow, decision_rows, folded_by_site
from dyncli.analysis.values import counted
from dyncli.records.model import Decision, Record, Site

SMALL = 12  # rows of a table that is shown as it is, in the order of the run
MOST_ROWS = 10  # of a longer one, from the most relevant on
MOST_SHAPING = 4  # tests of Python values that chose between ops of the graph
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
    """The rows to show, and a line on those that are not.  ops: how many each decision controls; None if not shown."""

    rows: list[DecisionRow]
    hidden: str = ""
    ops: list[int] | None = None


def relevant(record: Record, selection: Selection, full: bool = False) -> Relevant:
    """Return the rows of a record's decisions that a reader wants first, or those that were asked for."""
    asked = record.decisions
    if selection.is_given:
        asked = tuple(decision for decision in asked if selection.holds(decision))
    if full:
        return Relevant(decision_rows(record._replace(decisions=asked), fold=False))
    if selection.is_given:
        return _cut(record, sorted(folded_by_site(asked), key=_rank), "")
    asked = tuple(decision for decision in asked if not is_main_guard(decision))
    rows = decision_rows(record._replace(decisions=asked))
    if len(rows) <= SMALL:
        return Relevant(rows)
    plain = [decision for decision in asked if decision.origin == "python"]
    rows = sorted((row for row in folded_by_site(asked) if row.origin != "python"), key=_rank)
    shown = {decision.seq for row in rows for decision in row.decisions}
    plain = [decision for decision in plain if decision.seq not in shown]
    shaping = _shaping(record, plain)
    shown = {decision.seq for row in shaping for decision in row.decisions}
    hidden = _on_python([decision for decision in plain if decision.seq not in shown], more=bool(shaping))
    return _cut(record, rows, hidden, shaping)


def is_main_guard(decision: Decision) -> bool:
    """Return whether a decision is that of `if __name__ == "__main__"`."""
    return is_main(decision.site)


def is_main(site: Site) -> bool:
    """Return whether a site is the test of `if __name__ == "__main__"`."""
    return "__name__" in site.text and "__main__" in site.text


def _rank(row: DecisionRow) -> tuple[int, int]:
    return RANK.get(row.origin, 3), row.first.seq


def _shaping(record: Record, decisions: Sequence[Decision]) -> list[DecisionRow]:
    """Return the tests that went more than one way, with ops of the graph right under them.

    They are what makes the graph of a tree differ from that of another.
    """
    graded = {op.under for op in record.ops if op.grad_fn is not None}
    chosen = [row for row in folded_by_site(decisions) if any(each.seq in graded for each in row.decisions)]
    chosen = [row for row in chosen if len({(each.arm, each.trips) for each in row.decisions}) > 1]
    if len(chosen) <= MOST_SHAPING:
        return sorted(chosen, key=_rank)
    counts = controlled_ops(record)
    largest = sorted(chosen, key=lambda row: -sum(counts[each.seq] for each in outermost(record, row.decisions)))
    return sorted(largest[:MOST_SHAPING], key=_rank)


def _cut(record: Record, rows: list[DecisionRow], hidden: str, last: Sequence[DecisionRow] = ()) -> Relevant:
    """Return the most relevant rows, those that stand last in any case, and a word on the others."""
    most = MOST_ROWS - len(last)
    more = len(rows) - most
    words = [f"{counted(more, 'more test')}: `--full`"] if more > 0 else []
    words += [hidden] if hidden else []
    return Relevant([*rows[:most], *last], " · ".join(words), controlled_ops(record))


def _on_python(decisions: Sequence[Decision], more: bool = False) -> str:
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
    return f"{count} on Python values in {counted(len(times), 'function')} ({names}): `--on python`"


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
        if op.under is not None and op.under < len(counts):
            counts[op.under] += 1
    for decision in reversed(record.decisions):
        under = decision.under
        if under is not None and under < decision.seq and decision.seq < len(counts):
            counts[under] += counts[decision.seq]
    return counts
