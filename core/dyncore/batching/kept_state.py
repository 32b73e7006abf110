"""Modules that keep state while a batch runs: an example that goes on may find what another one stored."""

from __future__ import annotations

import warnings
from types import FunctionType
from typing import Any

from dyncore.graph import versions
from dyncore.nn.module import Module

State = list[tuple[Any, dict[str, Any], dict[str, Any], dict[str, Any]]]  # a module, its attributes and tensors


def state_of(model: Any) -> State:
    """Return the attributes of a model's modules, of its own or of those that a function names, and their tensors.

    Of a tensor that is its memory, and how often it was written.
    """
    model = getattr(model, "__self__", model)
    if isinstance(model, Module):
        roots: list[Any] = [model]
    elif model.__class__ is FunctionType:
        cells = [cell.cell_contents for cell in model.__closure__ or () if _is_filled(cell)]
        names = [model.__globals__[name] for name in model.__code__.co_names if name in model.__globals__]
        roots = [each for each in (*cells, *names) if isinstance(each, Module)]
    else:
        return []
    return [(module, dict(vars(module)), *_tensors(module)) for root in roots for module in root.modules()]


def _tensors(module: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    tables = module._buffers, module._parameters
    tensors = {name: each for table in tables for name, each in table.items() if each is not None}
    memory = {name: each._array for name, each in tensors.items()}
    return memory, {name: versions.version(array) for name, array in memory.items()}


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def warn_of_changes(before: State) -> None:
    """Warn if a module has an attribute that is another object than before, or a tensor that was written to."""
    missing = object()
    for module, attributes, memory, counts in before:
        now = _tensors(module)
        changes = [(vars(module), attributes), (now[0], memory)]
        names = [name for new, old in changes for name, each in new.items() if each is not old.get(name, missing)]
        names += [name for name, count in now[1].items() if count != counts.get(name)]
        if names:
            warnings.warn(
                f"batched(): `{type(module).__name__}` stores `{names[0]}` while it runs. The examples of a batch "
                "take turns, so one may find what another stored, and results may differ from those of the "
                "loop: keep it in a variable.",
                stacklevel=4,
            )
            return
