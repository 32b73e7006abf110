"""Steps along the gradient of a margin: from an input to those that may flip a test, to first order or beyond."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dyncli.coverage.search.json_leaves import LARGEST, Path, at, neat, replaced
from dyncli.records.model import Record, Sensitivity

BEYOND = (1.01, 1.1, 1.5, 3.0, 8.0, 1.0)  # times the step that flips the test to first order
MOST_DECISIONS = 3  # of one site that are tried, the nearest first
EDGE = 1e-6  # how far a margin of zero is taken to be from flipping

Move = dict[str, Any]  # leaf -> what is added to its elements, flat


def steps(record: Record, site: str, value: Any) -> Iterator[Any]:
    """Yield inputs changed so that a decision at `site` may go the other way, the nearest first."""
    decisions: dict[int, list[Sensitivity]] = {}
    for one in record.sensitivities:
        if one.distance is not None and record.decisions[one.decision].site.id == site:
            decisions.setdefault(one.decision, []).append(one)
    nearest = sorted(decisions.items(), key=lambda item: (min(each.distance or 0.0 for each in item[1]), item[0]))
    for _, conditions in nearest[:MOST_DECISIONS]:
        for one in sorted(conditions, key=lambda each: each.distance or 0.0):
            move = _move(one, record)
            for factor in BEYOND:
                changed = _changed(value, move, factor)
                if changed is not None:
                    yield changed


def _move(one: Sensitivity, record: Record) -> Move:
    """Return the shortest move that brings a margin to zero, to first order, by what can be moved."""
    gradients = {
        reach.name: np.array(reach.gradient, dtype=np.float64) for reach in one.inputs if reach.gradient is not None
    }
    squared = sum(float(gradient @ gradient) for gradient in gradients.values())
    if not squared or one.margin is None or one.condition is None or not np.isfinite(squared):
        return {}
    is_true = record.decisions[one.decision].conditions[one.condition].outcome
    margin = one.margin or (EDGE if is_true else -EDGE)
    return {name: gradient * (-margin / squared) for name, gradient in gradients.items()}


def _changed(value: Any, move: Move, factor: float) -> Any:
    """Return `value` moved; None where no leaf of it is."""
    result = None
    for name, step in move.items():
        path = _path(value, name)
        if path is None:
            continue
        here = np.array(at(value, path), dtype=np.float64)
        if here.size != step.size:
            continue
        there = here + step.reshape(here.shape) * factor
        if np.isfinite(there).all() and (np.abs(there) < LARGEST).all():
            result = replaced(value if result is None else result, path, neat(there.tolist()))
    return result


def _path(value: Any, name: str) -> Path | None:
    """Return where the leaf of that name stands: `tree.left.value`, `xs.0`; None if nowhere, or if it is no number."""
    path: list[str | int] = []
    inner = value
    for word in name.split("."):
        step: str | int = int(word) if isinstance(inner, list) and word.isdigit() else word
        try:
            inner = inner[step]
        except (LookupError, TypeError):
            return None
        path.append(step)
    try:
        np.array(inner, dtype=np.float64)
    except (ValueError, TypeError):
        return None
    return tuple(path)
