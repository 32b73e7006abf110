"""The gradients a report shows: which backward passes, and the rows of each, folded where there are many."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from dyncli.analysis.values import (
    TensorRow,
    counted,
    gradient_rows,
    number,
    shape_text,
    site_place,
    statistics_text,
    stats_of,
    tensor_text,
)
from dyncli.records.model import Backward, Gradient, Op, Record, TensorSummary
from dyncli.records.text import one_line, printable

MOST_ROWS = 20  # of one backward, before its parameters are folded
MOST_MODULES = 12  # rows that they are folded to, where a path of modules allows it
MOST_ALL = 12  # rows of several backwards that are shown together
MOST_BACKWARDS = 3
MOST_PLACES = 3
WHOLE = 8  # elements that are listed
FEW_ROWS = 6  # that have room for more than a line each
MOST_REASONS = 3  # of leaves without a gradient, before these are folded into one row
MOST_PREFIXES = 2  # modules that are named where all of their leaves are alike
_PLACE = r"`[^`]*`|\d+"  # where a reason holds, which alike reasons differ in
FEW_ELEMENTS = 4  # that are listed on one line of more rows
MOST_NOTES = 2  # of gradients that are zero throughout
RELUS = frozenset(("relu", "relu_", "relu6"))
#: The gradient of one of their first two operands is the other times something.
PRODUCTS = frozenset(("mul", "multiply", "matmul", "mm", "bmm", "mv", "dot", "linear", "conv1d", "conv2d", "conv3d"))
#: The gradient of an operand is what came back, added up.
SUMS = frozenset(("add", "sub", "rsub"))
#: So is that of the third, which they add.
BIASED = frozenset(("linear", "conv1d", "conv2d", "conv3d"))


class GradientRow(NamedTuple):
    """One gradient in words, or those of several leaves; `reason` says why there is none, `note` what `.grad` holds."""

    name: str
    shape: str
    dtype: str
    values: str
    reason: str = ""
    note: str = ""


def shown_backwards(record: Record, full: bool = False) -> Sequence[Backward]:
    """Return the passes to show: of few all, or all `backward()`, else the last that a reader means by the gradient.

    That is the last `backward()` outside of any other; without any, the last `autograd.grad` that went back through
    other gradients, or the last of all.
    """
    backwards = record.backwards
    if full or len(backwards) <= 1:
        return backwards
    few = len(backwards) <= MOST_BACKWARDS
    if few and sum(len(gradient_rows(record, one)) for one in backwards) <= MOST_ALL:
        return [one for one in backwards if one.by == "backward"] or backwards
    outer = _outermost(backwards)
    meant = [one for one in outer if one.by == "backward"]
    meant = meant or [one for one in outer if any(record.ops[seq].phase == "backward" for seq in one.nodes)]
    return (meant or outer)[-1:]


def _outermost(backwards: Sequence[Backward]) -> list[Backward]:
    """Return the passes that did not run inside another."""
    found: list[Backward] = []
    ends = -1
    for one in sorted(backwards, key=lambda each: (each.started_ns, each.seq)):
        if one.started_ns >= ends or not one.started_ns:
            found.append(one)
            ends = one.started_ns + one.elapsed_ns
    return sorted(found, key=lambda each: each.seq)


def other_backwards(record: Record, shown: Sequence[Backward]) -> str:
    """Return the passes that are not shown in words: `2 x autograd.grad() at line 10`."""
    times: dict[str, int] = {}
    for one in record.backwards:
        if one not in shown:
            where = f" at {site_place(one.site, record.model)}" if one.site is not None else ""
            name = f"{call_text(one)}{where}"
            times[name] = times.get(name, 0) + 1
    words = [f"{count:,} x {name}" if count > 1 else name for name, count in times.items()]
    return ", ".join([*words[:MOST_PLACES], *([f"{len(words) - MOST_PLACES} more"] * (len(words) > MOST_PLACES))])


def call_text(backward: Backward) -> str:
    """Return the call that began a pass."""
    return "autograd.grad()" if backward.by == "grad" else "backward()"


def forgotten_zero_grad(record: Record) -> str | None:
    """Return a warning if gradients added up over several backwards while their leaves were updated in between."""
    last: dict[int, tuple[str, int]] = {}
    for backward in record.backwards:
        for gradient in backward.gradients:
            if gradient.is_updated:
                last[gradient.tensor] = gradient.name, gradient.passes
    if not last:
        return None
    name, passes = max(last.values(), key=lambda item: item[1])
    others = f" and of {len(last) - 1} more" if len(last) > 1 else ""
    return (
        f"`.grad` of {one_line(name, 40)}{others} adds up over {passes} backwards while it is updated in between: "
        "is `zero_grad()` missing?"
    )


def folded_rows(record: Record, backward: Backward, full: bool = False) -> list[GradientRow]:
    """Return the rows of one backward: equal names folded, and past `MOST_ROWS` rows the parameters of each module.

    Past `FEW_ROWS` rows those without a gradient follow the others, one for each reason.
    """
    rows = _of_this(record, backward, gradient_rows(record, backward))
    if full:
        return [_row(record, row, full=True) for row in rows]
    groups = _by_name(rows)
    short = len(groups) > FEW_ROWS
    missing = [row for row in rows if row.tensor is None] if short else []
    if missing:
        rows = [row for row in rows if row.tensor is not None]
        groups = _by_name(rows)
    if len(groups) > MOST_ROWS:
        groups = _by_module(rows)
    folded = [
        _row(record, group[0], short=short, backward=backward) if len(group) == 1 else _folded(name, group)
        for (name, _), group in groups.items()
    ]
    folded += _without(record, backward, missing, [row.name for row in rows])
    common = common_passes(backward) if short else 0
    if not common:
        return folded
    whole = f"accumulated over {common} backwards"
    return [
        row._replace(note="" if row.note == whole else row.note.replace(f" over {common}", "", 1)) for row in folded
    ]


def _by_name(rows: Sequence[TensorRow]) -> dict[tuple[str, str], list[TensorRow]]:
    """Return the rows by name and role; one without a name stands alone."""
    groups: dict[tuple[str, str], list[TensorRow]] = {}
    for place, row in enumerate(rows):
        groups.setdefault((row.name or str(place), row.role), []).append(row)
    return groups


def _without(record: Record, backward: Backward, rows: Sequence[TensorRow], others: Sequence[str]) -> list[GradientRow]:
    """Return the rows of leaves without a gradient, one for each of a few reasons, beside `others` that have one.

    Reasons that differ only in the place are one; leaves that one other backward came to last stand together.
    """
    kinds: dict[tuple[str, int], list[TensorRow]] = {}
    givers = _last_givers(backward, record.backwards if rows else ())
    given = [givers.get(row.gradient.tensor, -1) if row.gradient is not None else -1 for row in rows]
    for row, giver in zip(rows, given, strict=True):
        together = giver if given.count(giver) > 1 else -1
        kinds.setdefault((re.sub(_PLACE, "", row.reason or ""), together), []).append(row)
    groups = [list(rows)] if len(kinds) > MOST_REASONS else list(kinds.values())
    return [
        GradientRow(
            _common_name([row.name for row in group], others, rows), _leaves(group), "", "", _reasons(group),
            _elsewhere(record, backward, group),
        )
        for group in groups
    ]  # fmt: skip


def _last_givers(backward: Backward, every: Sequence[Backward]) -> dict[int, int]:
    """Return by leaf the number of the last other `backward()` that gave it a gradient."""
    others = (one for one in every if one is not backward and one.by == "backward")
    return {each.tensor: one.seq for one in others for each in one.gradients if each.value is not None}


def _elsewhere(record: Record, backward: Backward, rows: Sequence[TensorRow]) -> str:
    """Return the norm of what the last other `backward()` gave leaves without a gradient in this one, and its line."""
    leaves = {row.gradient.tensor for row in rows if row.gradient is not None}
    for other in reversed(record.backwards):
        given = [each.value for each in other.gradients if each.tensor in leaves and each.value is not None]
        if other is not backward and other.by == "backward" and given and len(given) == len(rows):
            norm = math.hypot(*(_norm(record.tensors[value]) for value in given))
            where = f" at {site_place(other.site, record.model)}" if other.site is not None else ""
            return f"norm {number(norm)} from {call_text(other)}{where}"
    return ""


def _reasons(rows: Sequence[TensorRow]) -> str:
    """Return the first reason of several leaves, and how many more there are."""
    reasons = list(dict.fromkeys(row.reason or "" for row in rows))
    return f"{reasons[0]}, and {counted(len(reasons) - 1, 'more reason')}" if len(reasons) > 1 else reasons[0]


def _leaves(rows: Sequence[TensorRow]) -> str:
    return counted(len(rows), "tensor") if len(rows) > 1 else ""


def _common_name(names: Sequence[str], others: Sequence[str], rows: Sequence[TensorRow]) -> str:
    """Return the one or two modules that have these names and no others, else the first name.

    >>> _common_name(["target.a", "target.b"], ["policy.a"], []), _common_name(["w", "net.a"], [], [])
    ('target.*', 'w, 1 more')
    """
    different = list(dict.fromkeys(names))
    if len(different) == 1:
        return different[0]
    outside = {*others, *(row.name for row in rows)} - set(names)
    for depth in range(1, max(name.count(".") for name in different) + 1):
        prefixes = list(dict.fromkeys("".join(f"{part}." for part in name.split(".")[:-1][:depth]) for name in names))
        if not any(name.startswith(tuple(prefixes)) for name in outside) and "" not in prefixes:
            if len(prefixes) <= MOST_PREFIXES:
                return ", ".join(f"{prefix}*" for prefix in prefixes)
            break
    return f"{different[0]}, {len(different) - 1} more"


def accumulated_text(backward: Backward, rows: Sequence[GradientRow]) -> str:
    """Return what a title says once of many rows: over how many backwards each `.grad` adds up."""
    passes = common_passes(backward)
    return f"`.grad` accumulated over {passes:,} backwards" if passes and len(rows) > FEW_ROWS else ""


def common_passes(backward: Backward) -> int:
    """Return over how many backwards all gradients add up, 0 if these differ or nothing adds up."""
    leaves = [each for each in backward.gradients if each.role != "intermediate" and each.value is not None]
    passes = {gradient.passes for gradient in leaves}
    return passes.pop() if len(passes) == 1 and passes != {1} else 0


def _of_this(record: Record, backward: Backward, rows: list[TensorRow]) -> list[TensorRow]:
    """Return the rows without leaves of other passes: no inputs or parameters, with a gradient there and none here."""
    inputs = {item.tensor for item in record.inputs}
    elsewhere = {
        each.tensor
        for other in record.backwards
        if other is not backward
        for each in other.gradients
        if each.value is not None and each.role == "input" and each.tensor not in inputs
    }
    return [
        row for row in rows if row.reason is None or row.gradient is None or row.gradient.tensor not in elsewhere
    ] or rows


def _by_module(rows: Sequence[TensorRow]) -> dict[tuple[str, str], list[TensorRow]]:
    """Return the rows by the path of their module, as deep as `MOST_MODULES` groups allow."""
    deepest = max(row.name.count(".") for row in rows)
    groups: dict[tuple[str, str], list[TensorRow]] = {}
    for depth in range(deepest, 0, -1):
        groups = {}
        for row in rows:
            path = row.name.split(".")[:-1][:depth]
            groups.setdefault((".".join(path) or row.name, row.role), []).append(row)
        if len(groups) <= MOST_MODULES:
            return groups
    return groups or {(row.name, row.role): [row] for row in rows}


def _row(
    record: Record, row: TensorRow, *, full: bool = False, short: bool = False, backward: Backward | None = None
) -> GradientRow:
    """Return the row of one leaf; short: on one line.  backward: that it is of, if what others gave is to be said."""
    if row.tensor is None:
        others = "" if backward is None else _elsewhere(record, backward, [row])
        return GradientRow(row.name, "", "", "", row.reason or "", others)
    gradient = row.gradient
    held = record.tensors[gradient.held] if gradient is not None and gradient.held is not None else None
    values = tensor_text(row.tensor, full, lines=True, whole=WHOLE)
    note = ""
    few = FEW_ELEMENTS if held is None else 1  # two lists have no room on one line
    if short:
        values = _line_of(row.tensor, few, with_range=held is None)
    if held is not None and gradient is not None:
        total = _total(held, full, few if short else WHOLE)
        note = f"accumulated over {gradient.passes} backwards: {total}"
        if short:
            note = f"accumulated over {gradient.passes}: {total.removeprefix('norm ')}"
    return GradientRow(row.name, shape_text(row.tensor.shape), printable(row.tensor.dtype), values, "", note)


def _total(tensor: TensorSummary, full: bool, whole: int) -> str:
    """Return what `.grad` holds: the elements of at most `whole`, the norm of more."""
    norm = None if full or math.prod(tensor.shape) <= whole else _norm(tensor)
    return tensor_text(tensor, whole=whole) if norm is None else f"norm {number(norm)}"


def _line_of(tensor: TensorSummary, few: int, *, with_range: bool) -> str:
    """Return few elements, of more the norm, the range and how many are zero, NaN or infinite."""
    stats, count = stats_of(tensor), math.prod(tensor.shape)
    if stats is None or stats.norm is None or count <= few:
        return tensor_text(tensor, whole=few)
    words = [f"norm {number(stats.norm)}"]
    if stats.zeros or stats.nan or stats.inf:
        words += statistics_text(stats._replace(histogram=()), count, ()).split(" · ")[-3:]
    if with_range and stats.min is not None and stats.max is not None:
        words.append(f"{number(stats.min)} to {number(stats.max)}")
    return " · ".join(words)


def _folded(name: str, rows: Sequence[TensorRow]) -> GradientRow:
    """Return one row for several leaves: the norm of all, and the leaf with the largest."""
    tensors = [row.tensor for row in rows if row.tensor is not None]
    shapes, dtypes = ({what(each) for each in tensors} for what in (_shape, _dtype))
    shape = shapes.pop() if len(shapes) == 1 else counted(len(rows), "tensor")
    shape = f"{len(rows):,} x {shape}" if shape.startswith("[") else shape
    reasons = [row.reason for row in rows if row.reason is not None]
    words = [f"{len(reasons):,} None" if tensors else ""] if reasons else []
    one_name = all(row.name == name for row in rows)
    title = f"{name} x{len(rows):,}" if one_name else f"{name}.*"
    norms = [(_norm(each), row.name) for row in rows if (each := row.tensor) is not None]
    if norms:
        least, most = min(norms), max(norms)
        total = f"norm {number(math.hypot(*(norm for norm, _ in norms)))}"
        if one_name:
            words.insert(0, f"{total} · each {number(least[0])} to {number(most[0])}")
        else:
            words.insert(0, f"{total} · largest {number(most[0])} {most[1].removeprefix(name + '.')}")
    passes = max((row.gradient.passes for row in rows if row.gradient is not None), default=1)
    note = f"accumulated over {passes} backwards" if passes > 1 else ""
    reason = "" if tensors else _reasons(rows)
    dtype = dtypes.pop() if len(dtypes) == 1 else ""
    return GradientRow(title, shape if tensors else "", dtype, " · ".join(filter(None, words)), reason, note)


def _shape(tensor: TensorSummary) -> str:
    return shape_text(tensor.shape)


def _dtype(tensor: TensorSummary) -> str:
    return printable(tensor.dtype)


def _norm(tensor: TensorSummary) -> float:
    """Return the norm of a tensor, NaN where it is not known."""
    stats = stats_of(tensor)
    return stats.norm if stats is not None and stats.norm is not None else math.nan


def leaves_of(backward: Backward) -> list[Gradient]:
    """Return the gradients that a record has however much it keeps: not those of intermediate values."""
    return [each for each in backward.gradients if each.role != "intermediate"]


def all_zero(record: Record, backward: Backward) -> list[Gradient]:
    """Return the gradients of leaves that are zero throughout."""
    return [each for each in leaves_of(backward) if each.value is not None and is_all_zero(record.tensors[each.value])]


def ends_of_zeros(record: Record, backward: Backward) -> list[str]:
    """Return where the gradients of leaves end that are zero throughout, as far as the record tells."""
    is_zero = {
        each.tensor: is_all_zero(record.tensors[each.value]) for each in backward.gradients if each.value is not None
    }
    ends = _ends(record, backward, is_zero)
    names: dict[tuple[str, ...], list[str]] = {}
    for leaf in all_zero(record, backward):
        if leaf.tensor in ends:
            names.setdefault(ends[leaf.tensor], []).append(one_line(leaf.name, 40))
    shown = list(names.items())[:MOST_NOTES]
    left = sum(map(len, names.values())) - sum(len(each) for _, each in shown)
    notes = [f"the gradient of {_first(each)} is all 0: it ends at {_first(places)}" for places, each in shown]
    return notes + [f"{counted(left, 'gradient')} more are all 0"] * (left > 0)


def _first(words: Sequence[str]) -> str:
    """Return the first of several, and how many more there are."""
    different = list(dict.fromkeys(words))
    return f"{different[0]} and {len(different) - 1:,} more" if len(different) > 1 else different[0]


def is_all_zero(tensor: TensorSummary) -> bool | None:
    """Return whether all elements are zero, None where that is not known or there are none."""
    stats = stats_of(tensor)
    if stats is None or stats.norm is None or 0 in tensor.shape:
        return None
    return stats.norm == 0 and not stats.nan and not stats.inf


def _ends(record: Record, backward: Backward, is_zero: dict[int, bool | None]) -> dict[int, tuple[str, ...]]:
    """Return for tensors whose gradient is zero the ops on the way to them that handed on none, in words."""
    ends: dict[int, tuple[str, ...]] = {}
    for seq in backward.nodes:  # from the root, so that all readers of a tensor come before what made it
        op = record.ops[seq]
        got = [is_zero.get(output) for output in op.outputs]
        behind = next((ends[output] for output in op.outputs if output in ends), ())
        for operand in op.inputs if False in got or behind else ():
            words = (_end(record, op, operand),) if False in got else behind
            tensor: int | None = operand
            while tensor is not None:
                if is_zero.get(tensor):
                    ends[tensor] = tuple(dict.fromkeys((*ends.get(tensor, ()), *words)))
                tensor = record.tensors[tensor].shares  # which was written in place, as a leaf by an initialization
    return ends


def _end(record: Record, op: Op, tensor: int) -> str:
    """Return an op that handed on no gradient to one of its inputs, and why if the record tells."""
    words = f"{one_line(op.name, 40)} at {site_place(op.site, record.model)}"
    if op.name in RELUS and is_all_zero(record.tensors[op.outputs[0]]):
        return f"{words}, whose input is nowhere positive"
    if op.name in PRODUCTS and tensor in op.inputs[:2]:
        others = [record.tensors[each] for each in op.inputs[:2] if each != tensor]
        if any(each.role == "intermediate" and is_all_zero(each) for each in others):
            return f"{words}, which multiplies by 0"
    if (op.name in SUMS and "alpha" not in op.args) or (op.name in BIASED and tensor in op.inputs[2:]):
        return f"{words}, where its parts cancel"
    return words
