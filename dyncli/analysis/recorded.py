"""Ops recorded for backward, and those that several backwards came to."""

from __future__ import annotations

from dyncli.records.model import Record


def unrecorded(record: Record) -> set[int]:
    """Return the ops that ran under `no_grad`; none of a run in which all did, of which that is said once."""
    if all_unrecorded(record):
        return set()
    return {seq for first, end in record.unrecorded for seq in range(first, end)}


def all_unrecorded(record: Record) -> bool:
    """Return whether all of a run was under `no_grad`: with `--no-grad`, or because the script wanted it so."""
    return bool(record.ops) and sum(end - first for first, end in record.unrecorded) == len(record.ops)


def came_several_times(record: Record) -> bool:
    """Return whether more than one backward came to some op: the last is told of it, what leaves got adds up."""
    nodes = [seq for each in record.backwards if each.by == "backward" for seq in set(each.nodes)]
    return len(nodes) > len(set(nodes))
