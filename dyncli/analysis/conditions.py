"""Deciding values of a test, in words: `x.sum() = 2.0 > 0`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache

from dyncli.analysis.values import number, spread, value_text
from dyncli.records.model import Condition, Decision, Value
from dyncli.records.text import expression, one_line

LONGEST_SOURCE = 400


def because(decisions: Sequence[Decision], names: bool = True, point: bool = True, digits: int = 4) -> str:
    """Return the values that decided: of one decision, or the first and the last of several at one site.

    Where those two are alike and one between is not, that stands between them.

    names: write `error = 0.5` where the source is not the value itself.  point: write `2.0` where a float is whole.
    digits: how many significant ones of a float.
    """
    first, last = decisions[0], decisions[-1]
    if first.trips is not None:
        return trips_text(decisions)
    if not first.conditions and first.exception:
        return " … ".join(dict.fromkeys(one_line(d.exception or "", 40) for d in (first, last)))
    if [condition.text for condition in first.conditions] != [condition.text for condition in last.conditions]:
        return " … ".join(filter(None, (_single(first, names, point, digits), _single(last, names, point, digits))))
    words = ", ".join(
        _condition(_at(decisions, place), names, point, len(first.conditions) > 1, digits)
        for place in range(len(first.conditions))
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
        _condition([condition], names, point, len(decision.conditions) > 1, digits) for condition in decision.conditions
    )


def _at(decisions: Sequence[Decision], place: int) -> list[Condition]:
    """Return the truth at a place of a test, of those that came so far in it."""
    text = decisions[0].conditions[place].text
    return [d.conditions[place] for d in decisions if len(d.conditions) > place and d.conditions[place].text == text]


def _condition(conditions: Sequence[Condition], names: bool, point: bool, with_outcome: bool, digits: int) -> str:
    first, last = conditions[0], conditions[-1]
    outcome = f" {first.outcome}" if with_outcome and first.outcome == last.outcome else ""
    if first.op is None:
        return _named(first.text, [condition.value for condition in conditions], names, point, digits) + outcome
    left, right = sides(first.text)
    lhs = _named(left, [condition.lhs for condition in conditions], names, point, digits)
    rhs = _named(right, [condition.rhs for condition in conditions], names, point, digits)
    return f"{lhs} {one_line(first.op, 12)} {rhs}{outcome}"


def _named(source: str, values: Sequence[Value], names: bool, point: bool, digits: int) -> str:
    span = " … ".join(spread(values, lambda value: operand(value, point, digits), _same))
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
