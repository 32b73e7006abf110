"""What was written into tensors: by an optimizer's step, which is no op, and which ops read it; by ops in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from dyncli.recording.engine import SMALL, owner
from dyncli.recording.events.event_log import EventLog
from dyncli.recording.events.rows import Noted
from dyncli.recording.events.summary import statistics

Written = Iterator[tuple[int, int, int]]


class Tables(Protocol):
    """What this needs of the tables of a record.  index: tensors by number.  noted: the ops."""

    log: EventLog
    index: dict[int, int]
    noted: list[Noted]

    def add_seen(self, seen: Any, shape: tuple[int, ...], dtype: Any, **more: Any) -> int:
        """Add a tensor and return its place."""


def rewritten(assembly: Tables) -> Written:
    """Adds the values and yields each: (tensor, the first op after it was written, the tensor that stands for it)."""
    log = assembly.log
    for number, former in log.writes.former.items():
        tensor = log.tensors.of_number(number)
        if tensor is None or number not in assembly.index:
            continue
        array, place = tensor._array, assembly.index[number]
        whats = [*(what for _, what in former[1:]), array if array.size <= SMALL else statistics(array)]
        for (count, _), what in zip(former, whats, strict=True):
            if count < len(assembly.noted):
                yield place, count, _added(assembly, place, what, array)
        if former[-1][0] == len(assembly.noted) and not np.isfinite(array).all():  # nobody read it, but it went bad
            yield place, len(assembly.noted), _added(assembly, place, whats[-1], array)
    if log.writes.silent:
        yield from _unknown(assembly)


def _unknown(assembly: Tables) -> Written:
    """Adds, of tensors whose former values were not kept, one for what is not known of them."""
    log = assembly.log
    for number in dict.fromkeys(
        (*log.tensors.sources, *log.tensors.leaves)
    ):  # in their order: a set has that of the numbers
        tensor = log.tensors.of_number(number)
        if tensor is None or number not in assembly.index:
            continue
        root = owner(tensor._array)
        array, count = log.writes.silent.get(id(root), (None, 0))
        if not count or array() is not root:
            continue
        place = assembly.index[number]
        yield place, 0, _added(assembly, place, None, tensor._array)
        if count < len(assembly.noted):
            yield place, count, place


def _added(assembly: Tables, place: int, what: Any, array: Any) -> int:
    return assembly.add_seen(what, array.shape, array.dtype, role="written", shares=place)


def written_over(noted: Sequence[Noted]) -> set[int]:
    """The numbers of tensors whose memory an in-place op wrote over, through themselves or what looks at it."""
    roots: dict[int, int] = {}
    found: set[int] = set()
    if not any("_inplace" in each.kwargs for each in noted):
        return found
    for each in noted:
        inplace = "_inplace" in each.kwargs
        if each.inputs and (inplace or each.op.view):
            root = roots.get(each.inputs[0], each.inputs[0])
            roots.update((number, root) for number, _ in each.outputs)
            found.update([root] * inplace)
    return found
