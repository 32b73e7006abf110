"""How often a run went backward: of a training, which of many gradients stands on what it trained."""

from __future__ import annotations

from dyncli.query.places import site_place
from dyncli.record.model import Record


def passes(record: Record) -> list[str]:
    """Return how often a run called `backward` and where, if more than once; of each leaf the last is drawn."""
    sites = [one.site for one in record.backwards if one.by == "backward"]
    if len(sites) < 2:
        return []
    places = list(dict.fromkeys(site_place(site, record.model) for site in sites if site is not None))
    where = f" at {places[0]}" if len(places) == 1 else ""
    return [f"backward(){where} ran {len(sites):,} times: inputs and parameters have the last gradient"]
