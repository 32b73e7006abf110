"""Engine under PyTorch's private names.

`Variable._execution_engine` and parts of `torch._C`.
"""

from __future__ import annotations

import weakref
from heapq import heapify, heappop, heappush
from types import SimpleNamespace
from typing import Any

from dyncore.dispatch.saved.held import Held
from dyncore.dispatch.saved.packed import SavedTensor, saved_tensor
from dyncore.engine.task import queue_callback
from dyncore.graph import versions
from dyncore.graph.modes import current, is_multithreading_enabled
from dyncore.graph.node import DISCARD, AccumulateGrad, Node
from dyncore.graph.running import running
from dyncore.tensors.tensor import storage

__all__ = ["is_checkpoint_valid", "namespace", "queue_callback"]


def is_checkpoint_valid() -> bool:
    """Return True if the running backward, if any, computes every gradient.

    Re-entrant checkpoints need that.
    """
    task = running.get()
    return task is None or task.needed is None


def will_execute(node: Any) -> bool:
    """Return True if the running backward gives `node` a gradient, or gave it one.

    Raises RuntimeError outside a backward.
    """
    if not isinstance(node, Node):
        raise RuntimeError("_will_engine_execute_node expects an grad_fn, but got " + type(node).__name__)
    task = running.get()
    if task is None:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    if task.capture is not None and not task.accumulate and node.__class__ is AccumulateGrad:
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This "
            "is currently not supported."
        )
    return node in task.reached()


def execution_order() -> list[Any]:
    """Return the nodes of the running backward, first to last.

    Leaves stand where they become complete.  Raises RuntimeError outside a backward.
    """
    task = running.get()
    if task is None:
        raise RuntimeError("_current_graph_task_execution_order should only be called during the backward pass")
    if is_multithreading_enabled():
        raise RuntimeError(
            "get_current_graph_task_execution_order expects the current backward to be executed with multithreading "
            "disabled, e.g. by running:\n\n>>> with torch.autograd.set_multithreading_enabled(False):\n...     "
            "torch.autograd.grad(...)\n"
        )
    return _in_order(task)


def _in_order(task: Any) -> list[Any]:
    """Return the nodes of a running backward in the order they run.

    The newest ready node comes first, a leaf as soon as it is complete.
    """
    wanted = {edge.node for edge in task.reached()}
    waiting = dict.fromkeys(wanted, 0)
    for node in wanted:
        for each in node.edges():
            if each is not None and each.node in waiting:
                waiting[each.node] += 1
    ready = [(_turn(node), node) for node, count in waiting.items() if not count]
    heapify(ready)
    order = []
    while ready:
        _, node = heappop(ready)
        order.append(node)
        for each in node.edges():
            if each is not None and each.node in waiting:
                waiting[each.node] -= 1
                if not waiting[each.node]:
                    heappush(ready, (_turn(each.node), each.node))
    return order


def _turn(node: Any) -> tuple[bool, int]:
    return not isinstance(node, AccumulateGrad), node.rank


class WeakTensorRef(weakref.ref[Any]):
    """Reference that does not keep its tensor alive."""

    __slots__ = ()

    def expired(self) -> bool:
        """Return True if the tensor no longer exists."""
        return self() is None


def _set_versions(tensors: Any, counts: Any) -> None:
    """Set the version counters of the tensors to `counts`."""
    for tensor, count in zip(tensors, counts, strict=True):
        if count < 0:
            raise RuntimeError(f"Cannot set a version_counter to a value below 0: {count}")
        versions.set_version(storage(tensor), count)


def _keeps() -> bool:
    """Return True if the running backward keeps saved values.

    True outside a backward, as in PyTorch.
    """
    task = running.get()
    return True if task is None else bool(task.keep)


def _make_saved(tensor: Any, is_output: bool = False) -> SavedTensor:
    """Save the tensor as a node would.

    It is packed if hooks on saved tensors are active.
    """
    held = Held(DISCARD, tensor._array, tensor._edge, None if is_output else tensor)
    hooks = current().hooks
    if hooks:
        held.pack(*hooks[-1])
    return saved_tensor(held)


def namespace() -> Any:
    """Build the module that stands for `torch._C`."""
    from dyncore.graph import modes as grad_mode

    from . import forward_ad, private
    from .function import DelayedError
    from .private import UndefinedGrad

    class Undefined:
        """Function that passes tensors on and no gradient back."""

        def __call__(self, *tensors: Any) -> Any:
            result = tuple(UndefinedGrad.apply(each) for each in tensors)
            return result[0] if len(result) == 1 else result

    parts = SimpleNamespace(
        SavedTensor=SavedTensor,
        _make_saved_tensor=_make_saved,
        _get_current_graph_task_keep_graph=_keeps,
        _unsafe_set_version_counter=_set_versions,
        _saved_tensors_hooks_is_enabled=lambda: grad_mode.current().hooks_disabled is None,
        _saved_tensors_hooks_get_disabled_error_message=lambda: grad_mode.current().hooks_disabled,
    )
    return SimpleNamespace(
        **private.PARTS,
        is_grad_enabled=grad_mode.is_grad_enabled,
        _set_grad_enabled=grad_mode.set_grad_enabled,
        _is_torch_function_enabled=lambda: False,
        _WeakTensorRef=WeakTensorRef,
        _is_fwd_grad_enabled=forward_ad._is_fwd_grad_enabled,
        _set_fwd_grad_enabled=forward_ad.switch,
        has_lapack=True,
        _autograd=parts,
        _will_engine_execute_node=will_execute,
        _current_graph_task_id=lambda: getattr(running.get(), "number", -1),
        _current_graph_task_execution_order=execution_order,
        _current_autograd_node=lambda: getattr(running.get(), "node", None),
        _is_multithreading_enabled=grad_mode.is_multithreading_enabled,
        _set_multithreading_enabled=grad_mode.set_multithreading_enabled,
        _is_view_replay_enabled=grad_mode.is_view_replay_enabled,
        _len_torch_function_stack=lambda: 0,
        _functions=SimpleNamespace(AccumulateGrad=AccumulateGrad, UndefinedGrad=Undefined, DelayedError=DelayedError),
    )


def __getattr__(name: str) -> Any:
    if name == "_C":
        return namespace()
    raise AttributeError(name)
