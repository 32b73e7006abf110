"""In-place writes to saved tensors, which are copied just before."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dyncore.graph import versions
from dyncore.graph.modes import _mode, changed, current

_OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was originally "
    "recorded."
)


class _Handle:
    """Placeholder in the graph for a saved tensor."""

    __slots__ = ("__weakref__",)


class Mutations:
    """Tensors saved inside the block.

    `original` tensors by handle, and those `cloned` because they were written.
    tid_to_weakhandle: the handle of a tensor in the state it was saved in.
    """

    def __init__(self) -> None:
        self.original: weakref.WeakKeyDictionary[_Handle, Any] = weakref.WeakKeyDictionary()
        self.cloned: weakref.WeakKeyDictionary[_Handle, Any] = weakref.WeakKeyDictionary()
        self.tid_to_weakhandle: weakref.WeakValueDictionary[Any, _Handle] = weakref.WeakValueDictionary()
        self._of_memory: dict[int, set[Any]] = {}

    def pack(self, tensor: Any) -> _Handle:
        array = tensor._array
        memory = id(versions.owner(array))
        key = (memory, id(array), versions.version(array))
        handle = self.tid_to_weakhandle.get(key)
        if handle is None or self.original.get(handle) is None:
            handle = _Handle()
            self.tid_to_weakhandle[key] = handle
            self.original[handle] = tensor
            self._of_memory.setdefault(memory, set()).add(key)
        return handle

    def unpack(self, handle: _Handle) -> Any:
        if versions.guard is None:
            raise AssertionError(_OUTSIDE)
        if handle in self.cloned:
            return self.cloned[handle]
        if handle not in self.original:
            raise AssertionError(_OUTSIDE)
        return self.original[handle]

    def guard(self, root: Any) -> None:
        """Clone what was saved of the memory of `root` before a write to it."""
        stamps = versions.stamps(root)
        keys = set(self._of_memory.get(id(root), ()))
        if stamps is not None and stamps.scalar is not None:
            keys |= self._of_memory.get(id(stamps.scalar), set())
        for key in keys:
            handle = self.tid_to_weakhandle.get(key)
            if handle is not None and handle not in self.cloned:
                self.cloned[handle] = self.original[handle].clone()
                del self.original[handle]

    def clear(self) -> None:
        """Drop all tensors."""
        self.original.clear()
        self.cloned.clear()
        self.tid_to_weakhandle.clear()
        self._of_memory.clear()


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[Mutations]:
    """Allow in-place writes to saved tensors inside the block.

    Backward uses their old values; it has to run inside the block as well.
    """
    if versions.guard is not None:
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    kept = Mutations()
    mode = current()
    _mode.set(changed(mode, hooks=(*mode.hooks, (kept.pack, kept.unpack))))
    versions.guard = kept.guard
    try:
        yield kept
    finally:
        versions.guard = None
        kept.clear()
        _mode.set(changed(current(), hooks=current().hooks[:-1]))
