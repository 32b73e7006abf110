"""Outputs, gradients and named tensors as rows, and what a tensor is called."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from dyncli.records.model import Backward, Gradient, Output, Record, TensorSummary, Value
from dyncli.records.text import one_line

ROLE_ORDER = {"input": 0, "parameter": 1, "buffer": 2}


class TensorRow(NamedTuple):
    """One named value: a tensor, a plain value, or the reason why there is none."""

    name: str
    tensor: TensorSummary | None
    value: Value = None
    reason: str | None = None
    role: str = ""
    gradient: Gradient | None = None


def value_rows(record: Record, values: Sequence[Output]) -> list[TensorRow]:
    """Return a row for each input or output."""
    return [
        TensorRow(one_line(item.name, 60), None if item.tensor is None else record.tensors[item.tensor], item.value)
        for item in values
    ]


def gradient_rows(record: Record, backward: Backward) -> list[TensorRow]:
    """Return a row for each gradient of one backward: inputs first, then parameters, then the rest.

    Where none of these has a gradient there is a row for each variable on the way, or one that says why there is none.
    """
    named = [gradient for gradient in backward.gradients if gradient.role != "intermediate"]
    named = named or [
        gradient
        for gradient in backward.gradients
        if gradient.tensor != backward.root and record.tensors[gradient.tensor].name is not None
    ]
    if not named:
        return [TensorRow("", None, reason="what got a gradient has no name any more")] if backward.gradients else []
    ordered = sorted(named, key=lambda gradient: ROLE_ORDER.get(gradient.role, 3))
    return [
        TensorRow(
            one_line(gradient.name, 60),
            None if gradient.value is None else record.tensors[gradient.value],
            reason=one_line(gradient.reason or "no reason recorded") if gradient.value is None else None,
            role=gradient.role,
            gradient=gradient,
        )
        for gradient in ordered
    ]


def shown_rows(record: Record, names: Sequence[str]) -> list[TensorRow]:
    """Return a row for every tensor whose name fits one of `names` (`*` and `?` stand for anything)."""
    rows: list[TensorRow] = []
    for wanted in names:
        found = [tensor for tensor in record.tensors if tensor.name is not None and fnmatchcase(tensor.name, wanted)]
        rows += [TensorRow(one_line(tensor.name or "", 60), tensor, role=tensor.role) for tensor in found]
        if not found:
            rows.append(TensorRow(one_line(wanted, 60), None, reason="no recorded tensor has this name"))
    return rows


def labels(record: Record) -> list[str]:
    """Return what each tensor is called: its name, or the number of the op that made it (`#3`, `#3.1`), or `?`."""
    words: list[str] = []
    for tensor in record.tensors:
        if tensor.role == "written" and tensor.shares is not None:
            words.append(words[tensor.shares])
        elif tensor.name:
            words.append(one_line(tensor.name, 40))
        elif tensor.op is not None:
            outputs = record.ops[tensor.op].outputs
            words.append(f"#{tensor.op}" if len(outputs) == 1 else f"#{tensor.op}.{_index(outputs, tensor.id)}")
        else:
            words.append(tensor.role)
    return words


def _index(outputs: tuple[int, ...], number: int) -> int:
    return outputs.index(number) if number in outputs else 0


def seeds(record: Record) -> dict[int, str]:
    """Return what each tensor that a backward began at was seeded with, by its number.

    The backward that follows the entry begins at every output that requires grad; what others than the first began with
    is told where it was ones.
    """
    found: dict[int, str] = {}
    for backward in record.backwards:
        if backward.root is None:
            continue
        if backward.site is None:
            ones = backward.seed in ("1", "ones")
            for output in record.outputs:
                if output.tensor is not None and record.tensors[output.tensor].requires_grad:
                    shape = record.tensors[output.tensor].shape
                    found[output.tensor] = ("ones" if shape else "1") if ones else "given"
        found[backward.root] = backward.seed
    return found
