"""The backward walk: newest node first, by rank, with a heap; no sort and no recursion however deep the graph is.

Every consumer of a node is newer than the node, so when a node is popped its gradient is complete. Gradients of leaves
are gathered beside the heap and written to `.grad` at the end.
"""

from __future__ import annotations

from heapq import heappop, heappush
from sys import modules
from time import perf_counter as now
from typing import Any

from . import dispatch
from .autograd import logged, sequence
from .autograd.checks import input_edge, is_one, old_name, starts
from .grad_mode import GRAD, NO_GRAD, _mode, changed, current, unusual
from .graph import AccumulateGrad
from .leaves import deliver, finish_complete, finish_leaves
from .needed import ancestors
from .quick import quick_walk
from .sites import caller_line
from .task import Task, deeper, note_freed, running
from .tensor import Tensor

replayed: Any = ()  # the class of the nodes that a compiled function leaves, once there is one


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Computes the gradients of `tensors` and adds them to the leaves, or to `inputs` only."""
    if grad_variables is not None:
        grad_tensors = old_name(grad_tensors, grad_variables)
    keep = create_graph if retain_graph is None else retain_graph
    wanted = given = None
    if inputs is not None:
        given = [inputs] if is_one(inputs) else list(inputs.values() if isinstance(inputs, dict) else inputs)
        if not given:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    roots = (tensors,) if is_one(tensors) else tuple(tensors)
    start = starts(roots, grad_tensors, create_graph)
    if given is not None:
        wanted = [input_edge(each) for each in given]
        for edge, each in zip(wanted, given, strict=True):
            if edge is None:
                raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
            if edge.__class__ is not AccumulateGrad and isinstance(each, Tensor):
                each.retain_grad()
    if create_graph:
        warn_create_graph()
    walk(start, keep, create_graph, wanted, accumulate=True, roots=roots)


def backward_from(
    self: Tensor,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Computes the gradients of this tensor with respect to the leaves and adds them to their `grad`.

    gradient: the cotangent, of this tensor's shape; only a one-element tensor can do without.
    retain_graph: keep what is saved for another backward.  create_graph: record the backward itself.
    inputs: only these tensors get a gradient.
    """
    if gradient is retain_graph is inputs is None and not create_graph:
        if not isinstance(self._edge, replayed) or not self._edge.straight(self):
            walk(starts((self,), None, False), False, False, None, accumulate=True, roots=(self,))
        return
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


backward_from.__name__ = "backward"
METHODS = {"backward": backward_from}


def warn_create_graph() -> None:
    """PyTorch's warning that a gradient with a graph makes a cycle."""
    from .explain import warn_once

    warn_once(
        "create_graph",
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
        "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
        "have to use this function, make sure to reset the .grad fields of your parameters to None after use to "
        "break the "
        "cycle and avoid the leak.",
    )


def walk(
    start: list[tuple[Any, Any]],
    keep: bool,
    create: bool,
    wanted: list[Any] | None,
    accumulate: bool,
    roots: Any = (),
) -> dict[Any, Any]:
    """Runs backward from `start`, pairs (edge, gradient), and returns the gradients that arrived at `wanted` edges.

    Gradients are raw arrays, or Tensors under `create`. With `accumulate`, leaves get theirs added to `.grad`.
    The result's keys are (node, output number).
    """
    outer = running.get()
    depth = 0 if outer is None else outer.depth + 1
    if depth and depth % deeper == 0:
        from .task import in_thread

        return in_thread(_walk, start, keep, create, wanted, accumulate, roots, depth)  # type: ignore[no-any-return]
    if "logging" in modules and logged.asked():
        with logged.told(start):
            return _walk(start, keep, create, wanted, accumulate, roots, depth)
    if sequence.used:
        with sequence.ordered(start):
            return _walk(start, keep, create, wanted, accumulate, roots, depth)
    return _walk(start, keep, create, wanted, accumulate, roots, depth)


def _walk(
    start: list[tuple[Any, Any]],
    keep: bool,
    create: bool,
    wanted: list[Any] | None,
    accumulating: bool,
    roots: Any,
    depth: int,
) -> dict[Any, Any]:
    heap: list[int] = []
    waiting: dict[int, list[Any]] = {}
    leaves: dict[Any, list[Any]] = {}
    needed = None
    capture: dict[Any, set[int]] | None = None
    if wanted is not None:
        capture = {}
        for edge in wanted:
            capture.setdefault(edge.node, set()).add(edge.index)
        needed = ancestors([edge for edge, _ in start], capture)
    mode = current()
    task = Task(keep, create, depth, capture, needed, accumulating, mode)
    task.starts = start
    task.leaves, task.waiting = leaves, waiting
    slow = bool(mode.anomaly)
    if mode.tape is not None:
        mode.tape.refuse("runs a backward pass")
    listener = dispatch.listener
    token = _mode.variable.set(_backward_mode(mode, create))  # without a mark: 0.5 us a backward
    unusual.add(task)
    if mode.forward_level >= 0:
        from .autograd.dual_backward import on_duals

        task.create = True  # Tensors, which carry tangents, instead of arrays
        task.starts = start = on_duals(start, create)
        create = True
    outside = running.set(task)
    line = caller_line(2)
    rows = None
    if listener is not None:
        rows = listener.begin_backward(roots, [g for _, g in start])
        heard = listener.node
    node = None
    try:
        for edge, grad in start:
            deliver(edge, grad, None, heap, waiting, leaves, needed, create)
        if not create and capture is None and not slow:
            quick_walk(heap, waiting, leaves, keep, task, listener, rows)
        while heap:
            node, grad, _ = waiting.pop(heappop(heap))
            while True:
                watched = slow or node.extra is not None or (capture is not None and node in capture)
                if watched:
                    grad = task.before(node, grad)
                    if grad is None:
                        break
                if listener is not None:
                    started = now()
                result = node.run_tensors(grad, keep) if create else node.run(grad, keep)
                if listener is not None:
                    heard(node, grad, started, now(), result)
                if watched:
                    result = task.after(node, result, grad)
                elif node.extra is not None:  # a hook that came while the node ran is not shown what it ran with
                    result = task.after(node, result, None)
                if node.single:
                    edge = node.e0
                    if result is None or (needed is not None and edge not in needed):
                        break
                    if edge.__class__ is AccumulateGrad:
                        deliver(edge, result, grad, heap, waiting, leaves, None, create)
                        break
                    if not heap or edge.rank < heap[0]:
                        node = edge
                        grad = result
                        continue
                    deliver(edge, result, grad, heap, waiting, leaves, None, create)
                    break
                newest = None
                for edge, g in result:
                    if g is None or edge is None or (needed is not None and edge not in needed):
                        continue
                    if edge.__class__ is AccumulateGrad:
                        deliver(edge, g, grad, heap, waiting, leaves, None, create)
                        continue
                    rank = edge.rank
                    if newest is None:
                        if not heap or rank < heap[0]:
                            newest = edge
                            held = g
                            continue
                    elif edge is newest:
                        held = held + g
                        continue
                    elif rank < newest.rank:
                        newest, edge = edge, newest
                        held, g = g, held
                        rank = edge.rank
                    # The end of `deliver`, written out: 1.03x on bench Hessian-vector product.
                    found = waiting.get(rank)
                    if found is None:
                        waiting[rank] = [edge, g, False]
                        heappush(heap, rank)
                    elif found[2] and not create:
                        found[1] += g
                    else:
                        found[1] = found[1] + g
                        found[2] = True
                if newest is None:
                    break
                node = newest
                grad = held
        node = grad = result = held = g = None  # so that a gradient that nobody else holds can be told from others
        finish_leaves(task, line)
        task.finish()
    except Exception as error:
        failed = task.node if node is None else node
        finish_complete(task, failed)
        told: Any = task.failed(failed, error)
        if told is error:
            raise
        raise told from None
    finally:
        told = None  # an error that held itself by its traceback would hold the graph too
        if not keep:
            note_freed(start, line)
        running.reset(outside)
        _mode.variable.reset(token)
        unusual.discard(task)
        if listener is not None:
            listener.end_backward(list(leaves))
    return task.captured


def _backward_mode(mode: Any, create: bool) -> Any:
    if mode is GRAD or mode is NO_GRAD:
        return GRAD if create else NO_GRAD
    return changed(mode, grad=create)
