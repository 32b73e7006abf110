"""Decisions and scopes of the loading of a script, before its entry was called."""

from __future__ import annotations

from dyncli.records.model import Decision, Record

LOAD = "load"  # the phase


def in_view_of_source(record: Record) -> list[Decision]:
    """Return what a module's own lines decided while it was loaded, and the decisions of the run.

    What functions decided that were called then belongs to no run.
    """
    return [*(decision for decision in record.loading if not decision.call_path), *record.decisions]


def scopes_of_loading(record: Record) -> set[int]:
    """Return the scopes in which nothing of the run stands, but what was decided while the script was loaded."""
    found = _around(record, {decision.scope for decision in record.loading})
    if not found:
        return found
    stays = {decision.scope for decision in record.decisions}
    return found - _around(record, stays | {op.scope for op in record.ops}) - {0}


def _around(record: Record, scopes: set[int]) -> set[int]:
    """Return these scopes and all around them."""
    found: set[int] = set()
    for scope in scopes:
        at: int | None = scope
        while at is not None and at not in found and at < len(record.scopes):
            found.add(at)
            at = record.scopes[at].parent
    return found
