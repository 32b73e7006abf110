"""Modules that keep state while a batch runs: an example that goes on may find what another one stored."""

from __future__ import annotations

import warnings
from types import FunctionType
from typing import Any

from dyncore.nn.module import Module

State = list[tuple[Any, dict[str, Any], dict[str, Any]]]  # a module, its attributes and its buffers


def state_of(model: Any) -> State:
    """Return the attributes of a model's modules: of its own, or of those that a function names."""
    model = getattr(model, "__self__", model)
    if isinstance(model, Module):
        roots: list[Any] = [model]
    elif model.__class__ is FunctionType:
        cells = [cell.cell_contents for cell in model.__closure__ or () if _is_filled(cell)]
        names = [model.__globals__[name] for name in model.__code__.co_names if name in model.__globals__]
        roots = [each for each in (*cells, *names) if isinstance(each, Module)]
    else:
        return []
    return [(module, dict(vars(module)), dict(module._buffers)) for root in roots for module in root.modules()]


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def warn_of_changes(before: State) -> None:
    """Warn if a module has an attribute or a buffer that is another object than before."""
    missing = object()
    for module, *tables in before:
        for now, old in zip((vars(module), module._buffers), tables, strict=True):
            for name, value in now.items():
                if value is not old.get(name, missing):
                    warnings.warn(
                        f"batched(): `{type(module).__name__}` stores `{name}` while it runs. The examples of a batch "
                        "take turns, so one may find what another stored, and results may differ from those of the "
                        "loop: keep it in a variable.",
                        stacklevel=4,
                    )
                    return
