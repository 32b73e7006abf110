"""The arguments of a sample as dyncore takes them: same values, dtypes, strides and requires_grad."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import dyncore
from dyncore.dtypes import dtypes


class Unsupported(Exception):
    """Raised for a sample that NumPy has no dtype or layout for."""


_DTYPES = {getattr(torch, each.name): each for each in dtypes.ALL}


class Converter:
    """Converts values, the same tensor always to the same tensor; `pairs` are the leaves that require grad in both.

    shared: tensors that lie in one storage lie in one memory afterwards too.
    """

    def __init__(self, shared: bool = False) -> None:
        self.memory: dict[int, Any] | None = {} if shared else None
        self.known: dict[int, Any] = {}
        self.pairs: list[tuple[Any, Any]] = []
        self.alive: list[Any] = []

    def __call__(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if isinstance(value, torch.Size):
            return tuple(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*[self(each) for each in value])
        if isinstance(value, (list, tuple)):
            return type(value)([self(each) for each in value])
        if isinstance(value, dict):
            return {key: self(each) for key, each in value.items()}
        if isinstance(value, torch.dtype):
            if value not in _DTYPES:
                raise Unsupported(str(value))
            return _DTYPES[value]
        if isinstance(value, torch.device):
            return str(value)
        if isinstance(value, (torch.layout, torch.memory_format)):
            found = getattr(dyncore, str(value).split(".")[-1], None)
            return str(value) if found is None else found
        if isinstance(value, torch.Generator):
            return None
        if isinstance(value, torch.nn.Module):
            return getattr(dyncore.nn, type(value).__name__)()
        if isinstance(value, slice):
            return slice(self(value.start), self(value.stop), self(value.step))
        return value

    def tensor(self, value: Any) -> Any:
        found = self.known.get(id(value))
        if found is None:
            self.alive.append(value)
            made = from_torch(value, self.memory)
            found = self.known[id(value)] = made.requires_grad_() if value.requires_grad else made
            if value.requires_grad:
                self.pairs.append((value, found))
        return found


def from_torch(value: Any, memory: dict[int, Any] | None = None) -> Any:
    """A dyncore tensor with the values and strides of a torch one; `memory` holds the storages there are already."""
    if value.layout is not torch.strided or value.dtype not in _DTYPES:
        raise Unsupported(f"{value.layout} {value.dtype}")
    value = value.detach().resolve_conj().resolve_neg()
    array = value.numpy(force=True)
    if memory is not None and array.size and array.ndim:
        return _in_storage(value, memory)
    stored = value.untyped_storage().nbytes() // value.element_size()
    if stored != array.size and array.size and min(array.strides, default=0) >= 0:
        return _in_storage(value)
    if not array.ndim:
        return dyncore.tensor(array)
    if array.flags.c_contiguous or not array.size or 0 in array.strides:
        return dyncore.from_numpy(np.array(array, order="C"))
    return dyncore.from_numpy(torch.empty_strided(value.shape, value.stride(), dtype=value.dtype).copy_(value).numpy())


def _in_storage(value: Any, memory: dict[int, Any] | None = None) -> Any:
    """A dyncore tensor that lies in a copy of the whole storage as the torch one lies in its own."""
    storage = value.untyped_storage()
    found = None if memory is None else memory.get(storage.data_ptr())
    if found is None:
        found = dyncore.from_numpy(np.array(torch.empty(0, dtype=value.dtype).set_(storage).numpy()))
        if memory is not None:
            memory[storage.data_ptr()] = found
    return found.as_strided(value.shape, value.stride(), value.storage_offset())


def clone(value: Any) -> Any:
    """`value` with every tensor in it copied, as a leaf; the copies keep their strides and requires_grad."""
    if isinstance(value, torch.Tensor):
        made = value.detach().clone()
        if made.stride() != value.stride() and value.numel() and 0 not in value.stride():
            made = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype).copy_(value.detach())
        return made.requires_grad_(value.requires_grad)
    if isinstance(value, torch.Size):
        return value
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)([clone(each) for each in value])
    if isinstance(value, dict):
        return {key: clone(each) for key, each in value.items()}
    return value
