"""`torch.cond` and `torch.while_loop`: Python's `if` and `while` as functions, decided by the values there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def cond(
    pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: tuple[Any, ...] | list[Any] = ()
) -> Any:
    """Return `true_fn(*operands)` if `pred` holds, else `false_fn(*operands)`."""
    if not callable(true_fn) or not callable(false_fn):
        raise RuntimeError("Expect both branches to be callable.")
    return true_fn(*operands) if pred else false_fn(*operands)


def while_loop(
    cond_fn: Callable[..., Any], body_fn: Callable[..., Any], carried_inputs: tuple[Any, ...] | list[Any]
) -> Any:
    """Apply `body_fn` to `carried_inputs` again and again as long as `cond_fn` of them holds."""
    if not callable(cond_fn) or not callable(body_fn):
        raise RuntimeError("Expect cond_fn and body_fn to be callable.")
    carried = tuple(carried_inputs)
    while cond_fn(*carried):
        found = body_fn(*carried)
        if not isinstance(found, (tuple, list)):
            raise RuntimeError(f"Expected body_fn to return a tuple, got {type(found).__name__}")
        carried = tuple(found)
    return carried
