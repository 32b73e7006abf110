"""The path of a run: which way every decision went, as one short hash."""

from __future__ import annotations

from collections.abc import Iterable

from dyncli.records.digest import blake2b
from dyncli.records.model import Decision


def signature(decisions: Iterable[Decision]) -> str:
    """16 hex digits over site, arm and trips of each forward decision in order; equal on every machine.

    Decisions inside operations (`implicit`) depend on the Python version and count for nothing, nor do recomputations.
    """
    digest = blake2b(digest_size=8)
    for decision in decisions:
        if decision.phase == "forward" and decision.site.kind != "implicit":
            trips = "" if decision.trips is None else decision.trips
            digest.update(f"{decision.site.id} {decision.arm} {trips}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
