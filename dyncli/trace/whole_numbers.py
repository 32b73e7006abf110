"""What to say of an error that came up because a whole number was given where a script expects a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dyncore.tensor import Tensor


def notes(error: BaseException, inputs: Sequence[tuple[str, Any]]) -> tuple[str, ...]:
    """The way out of an error about an int with no attribute of a tensor's, or that is no Tensor; none for others.

    inputs: (name, value) of the entry's parameters.
    """
    name = next((name for name, value in inputs if type(value) is int), None)
    if name is None or not (_asked_for_an_attribute(error) or _asked_for_a_tensor(error)):
        return ()
    return (f"hint: a whole number by itself stays an int: `{name}=1.0` or `{name}=[1]` is a tensor",)


def _asked_for_an_attribute(error: BaseException) -> bool:
    return isinstance(error, AttributeError) and type(error.obj) is int and hasattr(Tensor, error.name or "")


def _asked_for_a_tensor(error: BaseException) -> bool:
    return isinstance(error, TypeError) and "must be Tensor, not int" in str(error)
