"""Turn drafts into decisions at the end of a run: values, margins, origins, and the hash of the path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dyncli.instrument.program import ConditionText, Construct, Formula
from dyncli.instrument.runtime.condition_probes import PLAIN, RecordedOperand
from dyncli.recorder.provenance.call_frames import CallFrame, Draft, RawCondition, ScopeNode, Tested
from dyncli.recorder.provenance.provenance import PYTHON, Origin, Place, Provenance, Shape, strongest_of
from dyncli.records.digest import blake2b
from dyncli.records.model import Condition, Decision, Site, Value


def signature(decisions: Iterable[Decision]) -> str:
    """Hash site, arm and trips of the forward decisions to 16 hex digits, equal on every machine."""
    digest = blake2b(digest_size=8)
    for decision in decisions:
        if decision.phase == "forward":
            trips = "" if decision.trips is None else decision.trips
            digest.update(f"{decision.site.id} {decision.arm} {trips}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def condition_margin(op: str | None, left: Any, right: Any) -> float | None:
    """Compute one condition's signed distance from flipping; None where it has no meaning.

    >>> condition_margin(">", 2.0, 0), condition_margin("<", 3, 1)
    (2.0, -2.0)
    >>> condition_margin("==", 1, 1.5), condition_margin(None, -2, None)
    (-0.5, 2.0)
    """
    kind, other = type(left), type(right)
    if (kind is not int and kind is not float) or (op is not None and other is not int and other is not float):
        return None
    try:
        if op is None:
            return abs(float(left))
        difference: float = left - right
        if type(difference) is int:
            difference = float(difference)
    except OverflowError:
        return None
    if difference != difference and left == right:  # two equal infinities
        difference = 0.0
    if op == ">" or op == ">=":
        return difference
    if op == "<" or op == "<=":
        return 0.0 - difference
    if op == "==":
        return 0.0 - abs(difference)
    if op == "!=":
        return abs(difference)
    return None


def formula_margin(formula: Formula, margins: Mapping[int, float | None], outcomes: Mapping[int, bool]) -> float | None:
    """Combine the margins of a test: the least of an `and`, the greatest of an `or`, of what was evaluated.

    margins, outcomes: of the conditions that were evaluated, by index.
    """
    known = _combined(formula, margins, outcomes)
    return None if known is None else known[1]


def _combined(
    formula: Formula, margins: Mapping[int, float | None], outcomes: Mapping[int, bool]
) -> tuple[bool, float | None] | None:
    """Outcome and margin of a part of a test; None if it was not evaluated."""
    if formula is None:
        return None
    if isinstance(formula, int):
        return (outcomes[formula], margins[formula]) if formula in outcomes else None
    word, *parts = formula
    if word == "not":
        inner = _combined(parts[0], margins, outcomes)  # type: ignore[arg-type]
        if inner is None:
            return None
        return not inner[0], None if inner[1] is None else 0.0 - inner[1]
    decisive = word == "or"
    pick = max if decisive else min
    evaluated, result = False, None
    decided: tuple[bool, float | None] | None = None
    for part in parts:
        if type(part) is int:
            if part not in outcomes:
                continue
            outcome, margin = outcomes[part], margins[part]
        else:
            found = _combined(part, margins, outcomes)  # type: ignore[arg-type]
            if found is None:
                continue
            outcome, margin = found
        evaluated = True
        if outcome is decisive:  # it stopped here: what came before went the other way
            decided = outcome, margin
        elif margin is not None:
            if result is None or margin != margin:
                result = margin
            elif result == result:
                result = pick(result, margin)
    if decided is not None:
        return decided
    return (not decisive, result) if evaluated else None


LONGEST_TEXT = 200
LARGEST_BITS = 1024
_SMALL = 1 << 60


class Tests:
    """The tests of a run, equal ones as one tuple: most of a long run's are made again and again."""

    def __init__(self) -> None:
        self._known: dict[Any, tuple[Condition, ...]] = {}

    def shared(self, conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
        """Return the tuple that stands for its equals; the number 1 does not equal True here."""
        try:
            key = [(each[:2], _typed(each[2]), _typed(each[3]), _typed(each[4]), each[5:]) for each in conditions]
            return self._known.setdefault(tuple(key), conditions)
        except TypeError:  # an operand that cannot be hashed
            return conditions


def _typed(value: Value) -> Any:
    """Return what equals for operands of one type and value alone."""
    kind = type(value)
    if kind is str or value is None:
        return value
    if kind is dict:
        return (*value.items(),)  # type: ignore[union-attr]
    return kind, value if kind is int or kind is bool else repr(value)


_DATA = ("tensor", "scalar", "scalar~")
STEADY = 3  # runs of a loop, all equally long, after which its length is not taken for drawn


def finished(
    drafts: Sequence[Draft | Decision], provenance: Provenance, tests: Tests, leaving: Mapping[int, Construct]
) -> tuple[Decision, ...]:
    """Turn drafts into decisions; a draft's index is its decision's number.

    leaving: by number, the constructs of the decisions in whose arms loops were left.
    """
    decisions = [each if type(each) is Decision else _decision(each, provenance, tests) for each in drafts]  # type: ignore
    steady = _steady_loops(decisions)
    for decision in steady:
        decisions[decision.seq] = decision._replace(origin="python", predicate_op=None)
    ids: dict[Place, str] = {}
    taken: dict[Place, set[str]] = {}
    for decision in decisions if leaving else ():
        if decision.origin in _DATA:
            ids[_place(decision.site)] = decision.site.id
            taken.setdefault(_place(decision.site), set()).add(decision.arm)
    for number, construct in leaving.items():
        if decisions[number].origin == "python":
            movers = provenance.movers(construct, taken) if taken else ()
            decisions[number] = decisions[number]._replace(moved_by=tuple(sorted(ids[place] for place in movers)))
    return tuple(decisions)


def _place(site: Site) -> Place:
    return site.file, (site.line, site.col, site.end_line, site.end_col)


def _steady_loops(decisions: Sequence[Decision]) -> list[Decision]:
    """Return the loops that chance may be behind by the source alone, and that went equally often each time.

    One that the end of the run stopped might have gone as often.
    """
    loops: dict[str, list[Decision]] = {}
    for decision in decisions:
        if decision.origin == "rng~" and decision.trips is not None:
            loops.setdefault(decision.site.id, []).append(decision)
    ended = {site: [loop.trips for loop in each if loop.exit != "stopped"] for site, each in loops.items()}
    steady = [site for site, trips in ended.items() if len(trips) >= STEADY and len(set(trips)) == 1]
    return [loop for site in steady for loop in loops[site]]


def python_decision(
    number: int, construct: Construct, arm: str, outcome: bool, iteration: int | None, scope: ScopeNode,
    call_frame: CallFrame, tested: Tested, phase: str, tests: Tests,
) -> Decision:  # fmt: skip
    """Build the decision of a test with only Python behind it."""
    if construct.formula == 0:
        conditions: Any = (tested[0][1],)
        margin = conditions[0].margin
    else:
        conditions = tuple([condition for _, condition in tested])
        margin = _margin(construct, tested, conditions)
    conditions = tests.shared(conditions)
    row = (
        number, construct.site, arm, outcome, "python", iteration, None, None, scope.iterations,
        call_frame.path, call_frame.recursion, scope.under, conditions, margin, None, None, phase, False, scope.number,
        None, None,
    )  # fmt: skip
    return tuple.__new__(Decision, row)  # 10% of a replay: `Decision(...)` goes through a function of Python's


def python_condition(text: ConditionText, left: Any, right: Any, outcome: bool) -> Condition:
    """Build the condition of a comparison or truth test with only Python behind it."""
    op = text.op
    if type(left) is not float and (type(left) is not int or not -_SMALL < left < _SMALL):
        left = value_of(left)
    if op is None:
        return Condition(text.text, None, None, None, left, outcome, condition_margin(None, left, None), "python", None)
    if type(right) is not float and (type(right) is not int or not -_SMALL < right < _SMALL):
        right = value_of(right)
    margin = condition_margin(op, left, right)
    return tuple.__new__(Condition, (text.text, op, left, right, None, outcome, margin, "python", None, (), None))


def _decision(draft: Draft, provenance: Provenance, tests: Tests) -> Decision:
    construct, scope = draft.construct, draft.scope
    pairs = [_condition(draft, raw, provenance) for _, raw in draft.conditions]
    conditions = tests.shared(tuple([condition for condition, _ in pairs]))
    strongest = strongest_of([origin for _, origin in pairs])
    if draft.trips is not None:
        strongest = strongest_of([strongest, provenance.of_loop(draft)])
    has_margin = conditions and draft.exception is None and construct.kind != "match"
    row = (
        draft.number, construct.site, draft.arm, draft.outcome, strongest.name, draft.iteration, draft.trips,
        draft.exit, scope.iterations, draft.call_path, draft.recursion, scope.under, conditions,
        _margin(construct, draft.conditions, conditions) if has_margin else None, strongest.op, draft.exception,
        draft.phase, draft.forced, scope.number, draft.until, None,
    )  # fmt: skip
    return tuple.__new__(Decision, row)  # 10% of a replay: `Decision(...)` goes through a function of Python's


def _margin(construct: Construct, tested: Tested, conditions: tuple[Condition, ...]) -> float | None:
    """Compute the margin of a whole test."""
    if construct.formula == 0:  # one condition alone
        return conditions[0].margin
    margins: dict[int, float | None] = {}
    outcomes: dict[int, bool] = {}
    for (index, _), condition in zip(tested, conditions):
        margins[index], outcomes[index] = condition.margin, condition.outcome
    return formula_margin(construct.formula, margins, outcomes)


def _condition(draft: Draft, raw: RawCondition | Condition, provenance: Provenance) -> tuple[Condition, Origin]:
    if isinstance(raw, Condition):
        return raw, PYTHON
    construct, verdict = draft.construct, raw.verdict
    text, behind, compared = construct.conditions[raw.index], raw.behind, None
    op, left, right = text.op, raw.left, raw.right
    origin = provenance.of_condition(draft, raw)
    if behind is not None and origin.name == "python":
        origin = provenance.of_comparison(draft, behind)
    if behind is not None and origin.name != "python":
        op, left, right, compared = behind.text.op, behind.left, behind.right, behind.text.text
    left, right = value_of(left), value_of(right)
    margin = None
    is_alone = compared is None or (behind is not None and behind.alone)
    if is_alone and construct.kind != "match" and (verdict is None or verdict.exception is None):
        margin = condition_margin(op, left, right)
    if op is None:
        return Condition(text.text, None, None, None, left, raw.outcome, margin, *origin), origin
    return Condition(text.text, op, left, right, None, raw.outcome, margin, *origin, compared), origin


def value_of(operand: Any) -> Value:
    """Return what a record keeps of an operand; overlong text and numbers are cut short."""
    kind = type(operand)
    if kind is int:
        if operand.bit_length() <= LARGEST_BITS:
            return operand
        return {"type": "int", "bits": operand.bit_length()}
    if kind is float or operand is None:
        return operand
    if kind is RecordedOperand:
        value = operand.value
        return tuple(value) if type(value) is Shape else value
    if kind is str and len(operand) > LONGEST_TEXT:
        return operand[: LONGEST_TEXT - 1] + "…"
    return operand if kind in PLAIN else None
