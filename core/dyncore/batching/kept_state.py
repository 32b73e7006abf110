"""Modules that keep state while a batch runs: an example that goes on may find what another one stored."""

from __future__ import annotations

import warnings
from types import FunctionType
from typing import Any

from dyncore.nn.module import Module

__dyncore__ = True

State = dict[tuple[str, str], tuple[Any, Any]]  # (class, attribute) -> the module and the value


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
        return {}
    found: State = {}
    for number, module in enumerate(each for root in roots for each in root.modules()):
        for table in (vars(module), module._buffers):
            for name, value in table.items():
                found[f"{number} {type(module).__name__}", name] = module, value
    return found


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def warn_of_changes(before: State, after: State) -> None:
    """Warn if an attribute is another object than before."""
    changed = [key for key, (_, value) in after.items() if key not in before or before[key][1] is not value]
    if changed:
        module, name = changed[0]
        warnings.warn(
            f"batched(): `{module.partition(' ')[2]}` stores `{name}` while it runs. The examples of a batch take "
            "turns, so one may find what another stored, and results may differ from those of the loop: keep it in a "
            "variable.",
            stacklevel=4,
        )
