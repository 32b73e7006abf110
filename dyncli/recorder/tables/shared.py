"""Equal values of a record's tables as one object each."""

from __future__ import annotations

from typing import Any


class Shared(dict[Any, Any]):
    """Whole numbers, and tuples of these: `shared[value]` is the object that stands for its equals.

    Most of a long run's numbers are in several rows, and an operand is mostly the only result of another op.
    """

    def __missing__(self, value: Any) -> Any:
        self[value] = value
        return value
