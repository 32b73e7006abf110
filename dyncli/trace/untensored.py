"""What to say of an error that came up because a plain value was given where a script expects a tensor."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dyncli.trace.engine import Tensor


def notes(error: BaseException, inputs: Sequence[tuple[str, Any]]) -> tuple[str, ...]:
    """The way out of an error about an input that has no attribute of a tensor's, or is no Tensor; none for others.

    inputs: (name, value) of the entry's parameters.
    """
    kind = _in_place_of_a_tensor(error)
    name = next((name for name, value in inputs if type(value).__name__ == kind), None)
    if name is None:
        return ()
    if kind == "int":
        return (f"hint: a whole number by itself stays an int: `{name}=1.0` or `{name}=[1]` is a tensor",)
    what = "None" if kind == "NoneType" else f"of type {kind}"
    return (f"hint: `{name}` is {what}, as it was given: `{name}=1.0` or `{name}=[1, 2]` is a tensor",)


def _in_place_of_a_tensor(error: BaseException) -> str | None:
    """The name of the type that was asked for an attribute of a tensor's, or that was given instead of one."""
    if isinstance(error, AttributeError) and hasattr(Tensor, error.name or ""):
        return type(error.obj).__name__
    found = re.search(r"must be Tensor, not (\w+)", str(error)) if isinstance(error, TypeError) else None
    return found[1] if found else None
