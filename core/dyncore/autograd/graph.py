"""Nodes and edges of the graph; hooks on saved tensors and on several tensors."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from dyncore.engine.edges import GradientEdge, get_gradient_edge
from dyncore.engine.hooks import RemovableHandle
from dyncore.errors.explain import missing_in
from dyncore.graph import node as graph, versions
from dyncore.graph.modes import _mode, changed, current
from dyncore.tensors.tensor import Tensor, storage

from .function import DelayedError
from .mutation import allow_mutation_on_saved_tensors

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "get_gradient_edge",
    "increment_version", "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
    "set_warn_on_accumulate_grad_stream_mismatch",
]  # fmt: skip


class _AnyNode(type):
    """Metaclass that makes every node an instance of `Node`, without being its base."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, graph.Node)

    def __subclasscheck__(cls, kind: Any) -> bool:
        return kind is cls or issubclass(kind, (graph.Node, DelayedError))


class Node(metaclass=_AnyNode):
    """Class that every `grad_fn` is an instance of."""


class saved_tensors_hooks:
    """Packs each tensor saved in the block with `pack_hook`.

    `unpack_hook` restores it for backward.

    >>> with saved_tensors_hooks(lambda x: x.numpy().tobytes(), lambda data: ...):
    ...     pass
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        mode = current()
        if mode.hooks_disabled is not None:
            raise RuntimeError(mode.hooks_disabled)
        _mode.set(changed(mode, hooks=(*mode.hooks, (self.pack_hook, self.unpack_hook))))

    def __exit__(self, *exc: object) -> None:
        mode = current()
        _mode.set(changed(mode, hooks=mode.hooks[:-1]))


class save_on_cpu(saved_tensors_hooks):
    """Saves tensors for backward in main memory: as copies, as there is no other."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda tensor: tensor.clone(), lambda kept: kept)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Make `saved_tensors_hooks` raise RuntimeError inside the block."""
    mode = current()
    if mode.hooks:
        raise RuntimeError(error_message)
    _mode.set(changed(mode, hooks_disabled=error_message))
    try:
        yield
    finally:
        _mode.set(changed(current(), hooks_disabled=mode.hooks_disabled))


class unsafe_preserve_version_counter:
    """Restores the version counters of tensors after the block.

    Backward does not notice writes to them then.
    """

    def __init__(self, tensors: Any) -> None:
        self._tensors = (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)
        self._kept: list[Any] = []

    def __enter__(self) -> None:
        self._kept = [versions.state(storage(each)) for each in self._tensors]

    def __exit__(self, *exc: object) -> None:
        for each, kept in zip(self._tensors, self._kept, strict=True):
            versions.restore(storage(each), kept)


def increment_version(tensor: Any) -> None:
    """Count a write to the memory of a tensor, or of several."""
    if not isinstance(tensor, (Tensor, Iterable)):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for each in (tensor,) if isinstance(tensor, Tensor) else tensor:
        if each._meta is None or not each._meta.inference:
            versions.bump(storage(each))


def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None:
    """Accept PyTorch's setting; there are no streams of devices here."""
    from .private import warn_mismatch

    warn_mismatch(enabled)


class _MultiHandle(RemovableHandle):
    def __init__(self, handles: tuple[Any, ...]) -> None:
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(tensors: Any, fn: Callable[..., Any], *, mode: str = "all") -> RemovableHandle:
    """Call `fn` once all gradients of `tensors` that a backward reaches are computed.

    fn gets the list of gradients, None for a tensor without one.  With mode="any" it gets the first gradient alone.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        return _first(tensors, fn)
    lock = threading.Lock()
    edges = [_edge_of(each) for each in tensors]
    waiting: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()

    def made(number: int) -> Callable[[Any], None]:
        def inner(grad: Any) -> None:
            from dyncore.graph.running import running

            task = running.get()
            with lock:
                if task not in waiting:
                    reached = [_reached(task, edge) for edge in edges]
                    waiting[task] = [sum(reached), [None] * len(edges)]
                entry = waiting[task]
                entry[1][number] = grad
                entry[0] -= 1
                done = entry[0] == 0
            if done:
                fn(entry[1])

        return inner

    return _MultiHandle(tuple(each.register_hook(made(number)) for number, each in enumerate(tensors)))


def _edge_of(tensor: Any) -> Any:
    if tensor._edge is None:
        raise AssertionError("Expected gradient function to be set")
    return tensor._edge


def _reached(task: Any, edge: Any) -> bool:
    """Return True if the running backward runs, or ran, the node behind `edge`."""
    return edge.node in task.reached()


def _first(tensors: Any, fn: Callable[..., Any]) -> RemovableHandle:
    ran: weakref.WeakSet[Any] = weakref.WeakSet()
    lock = threading.Lock()

    def inner(grad: Any) -> None:
        from dyncore.graph.running import running

        task = running.get()
        with lock:
            if task in ran:
                return
            ran.add(task)
        fn(grad)

    return _MultiHandle(tuple(each.register_hook(inner) for each in tensors if each._edge is not None))


__getattr__ = missing_in(__name__)
