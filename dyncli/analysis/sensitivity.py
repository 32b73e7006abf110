"""Distances of the inputs from flipping each test, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dyncli.analysis.decisions import kind_and_text
from dyncli.analysis.values import number, site_text
from dyncli.records.model import Reach, Record, Sensitivity

SHOWN = 4  # elements of a change that is written out


class SensitivityRow(NamedTuple):
    """The nearest of several evaluations of one condition: `times` counts those that were folded into it.

    nearest: the change of all inputs together.  alone: of one element of each.  tried: what runs with them said.
    """

    one: Sensitivity
    line: str
    test: str
    times: int
    nearest: str
    alone: str
    tried: str


def sensitivity_rows(record: Record) -> list[SensitivityRow]:
    """Return one row for each condition of each site, in the order in which they were first evaluated."""
    groups: dict[tuple[str, int | None, bool], list[Sensitivity]] = {}
    for one in record.sensitivities:
        site = record.decisions[one.decision].site
        groups.setdefault((site.id, one.condition, one.distance is None), []).append(one)
    return [_row(record, group) for group in groups.values()]


def _row(record: Record, group: Sequence[Sensitivity]) -> SensitivityRow:
    one = min(group, key=lambda each: (each.distance is None, each.distance or 0.0))
    decision = record.decisions[one.decision]
    word, text = kind_and_text(decision.site)
    if one.condition is not None:
        text = decision.conditions[one.condition].text
    test = f"{word} {text}" if word and not one.condition else text
    nearest = ", ".join(_step(record, reach) for reach in one.inputs) if one.distance else "on the edge"
    alone = ", ".join(_alone(reach) for reach in one.inputs if reach.change is not None)
    return SensitivityRow(one, site_text(decision.site, record), test, len(group), nearest, alone, _tried(one))


def _step(record: Record, reach: Reach) -> str:
    if reach.step is None:
        return f"{reach.name}: {len(record.tensors[reach.tensor].shape)}-d, large"
    if len(reach.step) > SHOWN:
        length = sum(float(part or 0) ** 2 for part in reach.step) ** 0.5
        return f"{reach.name} by {number(length)}"
    shown = ", ".join(number(part) for part in reach.step)
    return f"{reach.name} {_signed(shown)}" if not record.tensors[reach.tensor].shape else f"{reach.name} + [{shown}]"


def _alone(reach: Reach) -> str:
    index = f"[{', '.join(map(str, reach.element))}]" if reach.element else ""
    mark = "" if reach.flips is None else " ✓" if reach.flips else " ✗"
    change = f" {_signed(number(reach.change))}" if reach.change else ""
    return f"{reach.name}{index}{change}{mark}"


def _signed(text: str) -> str:
    return f"- {text[1:]}" if text.startswith("-") else f"+ {text}"


def _tried(one: Sensitivity) -> str:
    if one.flips is None:
        return ""
    if one.flips:
        return f"flips: {one.becomes}"
    there = f"; flips at {number(one.factor)} times that" if one.factor is not None else ""
    return f"does not flip: {one.becomes}{there}"
