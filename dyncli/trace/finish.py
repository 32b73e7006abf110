"""Drafts into decisions: values, margins and origins are worked out once, at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dyncli.load.seen import PLAIN, Seen
from dyncli.record.model import Atom, Decision, Value
from dyncli.trace.activations import Draft, RawAtom
from dyncli.trace.margins import atom_margin, formula_margin
from dyncli.trace.provenance import Origin, Provenance, strongest_of

LONGEST_TEXT = 200
LARGEST_BITS = 1024


def finished(drafts: Sequence[Draft], provenance: Provenance) -> tuple[Decision, ...]:
    """The decisions of a run; a draft's number is its decision's."""
    return tuple(_decision(draft, provenance) for draft in drafts)


def _decision(draft: Draft, provenance: Provenance) -> Decision:
    construct = draft.construct
    assert construct.site is not None
    pairs = [_atom(draft, raw, provenance) for raw in draft.atoms]
    atoms = tuple(atom for atom, _ in pairs)
    origins = [origin for _, origin in pairs]
    if draft.trips is not None:
        origins.append(provenance.of_loop(draft))
    strongest = origins[0] if len(origins) == 1 else strongest_of(origins)
    assert draft.scope.number is not None
    return Decision(
        seq=draft.number,
        site=construct.site,
        arm=draft.arm,
        outcome=draft.outcome,
        origin=strongest.name,
        iteration=draft.iteration,
        trips=draft.trips,
        exit=draft.exit,
        iterations=draft.scope.iterations,
        call_path=draft.call_path,
        recursion=draft.recursion,
        under=draft.scope.under,
        atoms=atoms,
        margin=_margin(draft, atoms),
        predicate_op=strongest.op,
        exception=draft.exception,
        phase=draft.phase,
        forced=draft.forced,
        scope=draft.scope.number,
    )


def _margin(draft: Draft, atoms: tuple[Atom, ...]) -> float | None:
    """The margin of a whole test."""
    construct = draft.construct
    if draft.exception is not None or construct.kind == "match":
        return None
    if construct.formula == 0:  # one atom alone
        return atoms[0].margin
    margins: list[float | None] = [None] * len(construct.atoms)
    outcomes: list[bool | None] = [None] * len(construct.atoms)
    for raw, atom in zip(draft.atoms, atoms):
        margins[raw.index], outcomes[raw.index] = atom.margin, atom.outcome
    return formula_margin(construct.formula, margins, outcomes)


def _atom(draft: Draft, raw: RawAtom, provenance: Provenance) -> tuple[Atom, Origin]:
    text = draft.construct.atoms[raw.index]
    left, right = value_of(raw.left), value_of(raw.right)
    origin = provenance.of_atom(draft, raw)
    bare = text.op is None
    is_test = draft.construct.kind != "match"
    atom = Atom(
        text=text.text,
        op=text.op,
        lhs=None if bare else left,
        rhs=None if bare else right,
        value=left if bare else None,
        outcome=raw.outcome,
        margin=atom_margin(text.op, left, right) if is_test and _is_evaluated(raw) else None,
        origin=origin.name,
        predicate_op=origin.op,
    )
    return atom, origin


def _is_evaluated(raw: RawAtom) -> bool:
    return raw.verdict is None or raw.verdict.exception is None


def value_of(operand: Any) -> Value:
    """What a record keeps of an operand; overlong text and numbers are cut short."""
    if type(operand) is Seen:
        return operand.value  # type: ignore[no-any-return]
    if type(operand) is str and len(operand) > LONGEST_TEXT:
        return operand[: LONGEST_TEXT - 1] + "…"
    if type(operand) is int and operand.bit_length() > LARGEST_BITS:
        return {"type": "int", "bits": operand.bit_length()}
    return operand if type(operand) in PLAIN else None
