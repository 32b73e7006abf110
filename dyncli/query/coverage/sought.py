"""What a search for inputs that reach an arm came to."""

from __future__ import annotations

from dataclasses import dataclass

from dyncli.record.model import Site


@dataclass(frozen=True, slots=True)
class Sought:
    """One arm that the data never reached.

    index, name: of the arm.  input: one that reaches it, as JSON, proved by a run of its own; None if none was found.
    how: where it came from, or why there is none.  runs: how many inputs were tried for this arm.
    """

    site: Site
    index: int
    name: str
    input: str | None
    how: str
    runs: int
