"""Which tensors are another face of a leaf: `w.data` looks at the memory of `w`, and what is written there `w` has."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from dyncli.recording.events.event_log import EventLog
from dyncli.recording.events.rows import Noted
from dyncli.recording.events.tensor_ids import Place, place_of


def aliases(log: EventLog) -> dict[int, int]:
    """Return the number of its leaf for each source that looks at the same elements and has no gradient of its own.

    Of a leaf that ops wrote over, or whose `.data` was assigned, it is the last number before; numbers fall.
    """
    leaves: dict[Place, list[int]] = {}
    for number, place, reference in log.tensors.reassigned:
        if reference() is not None:
            leaves.setdefault(place, []).append(number)
    given = {number for number, *_ in log.tensors.reassigned}
    for number, reference in log.tensors.leaves.items():
        leaf = reference()
        if leaf is not None and leaf._trace not in given and leaf._array.size and isinstance(leaf._array, np.ndarray):
            leaves.setdefault(place_of(leaf._array), []).append(number)
    found: dict[int, int] = {}
    for number, tensor in log.tensors.sources.items() if leaves else ():
        if tensor._edge is not None or number in log.tensors.given or not isinstance(tensor._array, np.ndarray):
            continue  # a NumPy scalar has no memory that others look at
        same = leaves.get(place_of(tensor._array))
        if same:
            found[number] = min((n for n in same if n > number), default=max(same))
    return found


def read_through(
    numbers: Collection[int], noted: Sequence[Noted], index: Mapping[int, int]
) -> frozenset[tuple[int, int]]:
    """Return (op, tensor) for each op that read a leaf's values so, and no more than its values."""
    read = ((seq, number) for seq, each in enumerate(noted) for number in each.inputs if number in numbers)
    return frozenset((seq, index[number]) for seq, number in read if number in index)
