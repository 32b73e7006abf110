"""The backward walk: newest node first, by rank, with a heap; no sort and no recursion however deep the graph is.

Every consumer of a node is newer than the node, so when a node is popped its gradient is complete. Gradients of leaves
are gathered beside the heap and written to `.grad` at the end.
"""

from __future__ import annotations

from heapq import heappop, heappush
from sys import getrefcount
from time import perf_counter_ns as now
from typing import Any

from numpy import ndarray

from . import dispatch
from .accumulation import accumulate
from .autograd import sequence
from .autograd.checks import input_edge, is_one, old_name, starts
from .autograd.hooks import run_pre_hooks, run_tensor_hooks
from .grad_mode import GRAD, NO_GRAD, _mode, changed, current
from .graph import AccumulateGrad
from .needed import ancestors
from .nowhere import NOWHERE
from .outer import Outer
from .task import Task, deeper, note_freed, running
from .tensor import Tensor, wrap

SUM = "sum"  # the state of a leaf's gradient that was added up here, so that more may be added in place


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
    wanted = None
    if inputs is not None:
        given = [inputs] if is_one(inputs) else list(inputs)
        if not given:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        wanted = [input_edge(each) for each in given]
        for edge, each in zip(wanted, given, strict=True):
            if edge is None:
                raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
            if edge.__class__ is not AccumulateGrad and isinstance(each, Tensor):
                each.retain_grad()
    roots = (tensors,) if is_one(tensors) else tuple(tensors)
    if create_graph:
        warn_create_graph()
    walk(starts(roots, grad_tensors, create_graph), keep, create_graph, wanted, accumulate=True, roots=roots)


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
    pending: dict[int, Any] = {}
    nodes: dict[int, Any] = {}
    owned: set[int] = set()
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
    task.leaves, task.pending = leaves, pending
    slow = bool(mode.anomaly)
    if mode.tape is not None:
        mode.tape.refuse("runs a backward pass")
    listener = dispatch.listener
    token = _mode.set(_backward_mode(mode, create))
    if mode.forward_level >= 0:
        from .autograd.dual_backward import on_duals

        task.create = True  # Tensors, which carry tangents, instead of arrays
        task.starts = start = on_duals(start, create)
        create = True
    outside = running.set(task)
    if listener is not None:
        listener.begin_backward(roots, [g for _, g in start])
        heard = listener.node
    node = None
    try:
        for edge, grad in start:
            _deliver(edge, grad, None, heap, pending, nodes, leaves, needed, owned, create)
        while heap:
            rank = heappop(heap)
            node = nodes.pop(rank)
            grad = pending.pop(rank)
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
                # A node newer than all that wait needs no heap: 1.4x on bench chain.
                if node.single:
                    edge = node.e0
                    if result is None or (needed is not None and edge not in needed):
                        break
                    if edge.__class__ is AccumulateGrad:
                        _deliver(edge, result, grad, heap, pending, nodes, leaves, None, owned, create)
                        break
                    if not heap or edge.rank < heap[0]:
                        node = edge
                        grad = result
                        continue
                    _deliver(edge, result, grad, heap, pending, nodes, leaves, None, owned, create)
                    break
                newest = None
                for edge, g in result:
                    if g is None or edge is None or (needed is not None and edge not in needed):
                        continue
                    if edge.__class__ is AccumulateGrad:
                        # The common case of `_deliver`, written out: 0.2 us a gradient on bench chain.
                        if not create and edge.extra is None and edge.post_accumulate is None:
                            found = leaves.get(edge)
                            if found is None:
                                leaves[edge] = [g, g is not grad]
                            elif found[1] is SUM and g.__class__ is ndarray:
                                found[0] += g
                            else:
                                found[0] = found[0] + g
                                found[1] = SUM
                        else:
                            _deliver(edge, g, grad, heap, pending, nodes, leaves, None, owned, create)
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
                    if rank in pending:
                        if rank in owned and not create:
                            pending[rank] += g
                        else:
                            pending[rank] = pending[rank] + g
                            owned.add(rank)
                    else:
                        pending[rank] = g
                        nodes[rank] = edge
                        heappush(heap, rank)
                if newest is None:
                    break
                node = newest
                grad = held
        result = held = g = None  # so that a gradient that nobody else holds can be told from others
        for leaf, found in leaves.items():
            node = leaf
            grad, fresh = found
            found[0] = None
            finish_leaf(task, leaf, grad, fresh or getrefcount(grad) == 2)
        task.finish()
    except Exception as error:
        task.failed(node, error)
        raise
    finally:
        if not keep:
            note_freed(start)
        running.reset(outside)
        _mode.reset(token)
        if listener is not None:
            listener.end_backward(list(leaves))
    return task.captured


def _deliver(
    edge: Any,
    grad: Any,
    came: Any,
    heap: list[int],
    pending: dict[int, Any],
    nodes: dict[int, Any],
    leaves: dict[Any, list[Any]],
    needed: Any,
    owned: set[int],
    create: bool,
) -> None:
    """Adds `grad` to what waits for `edge`. `came` is the gradient it was computed from, to tell a fresh array."""
    if edge is None or grad is None or (needed is not None and edge not in needed):
        return
    if edge.__class__ is AccumulateGrad:
        if edge is NOWHERE:
            return
        found = leaves.get(edge)
        if found is None:
            leaves[edge] = [grad, grad is not came and came is not None]
        elif found[1] is SUM and grad.__class__ is ndarray:
            found[0] += grad
        else:
            found[0] = found[0] + grad
            found[1] = SUM
        if edge.extra is not None or edge.post_accumulate is not None:
            task = running.get()
            if task is not None and task.complete(edge):
                finish_leaf(task, edge, *leaves.pop(edge))
        return
    rank = edge.rank
    if rank in pending:
        owned.discard(rank)
        pending[rank] = pending[rank] + grad
    else:
        pending[rank] = grad
        nodes[rank] = edge
        heappush(heap, rank)


def finish_leaf(task: Task, leaf: Any, grad: Any, fresh: bool) -> None:
    """Runs the leaf's hooks, gives its gradient to who asked for it, and adds it to `.grad`."""
    extra = leaf.extra
    if grad.__class__ is Outer:
        grad = grad.dense()
        fresh = True
    before = grad
    captures = task.capture is not None and leaf in task.capture
    if extra is not None and (extra.tensor_pre or extra.retain):
        grad = run_tensor_hooks(leaf, grad, task.create)
    if captures and not task.accumulate:
        task.captured[leaf, 0] = grad
    if not task.accumulate or grad is None:
        return
    if extra is not None and extra.pre:
        grad = run_pre_hooks(leaf, grad, task.create)
    if extra is not None and extra.cast:
        grad = grad.to(extra.cast) if task.create else grad.astype(extra.cast.numpy)
    first = leaf.grad is None
    accumulate(leaf, grad, bool(fresh) and grad is before, task.create)
    if leaf.post_accumulate:
        variable = leaf.variable
        for hook in list(leaf.post_accumulate.values()):
            returned = hook(variable)
            if returned is not None:
                if not isinstance(returned, Tensor):
                    raise TypeError(f"expected Variable, but hook returned '{type(returned).__name__}'")
                raise RuntimeError("Tensor post accumulate grad hooks should return None.")
    if extra is not None and extra.post:
        # A first gradient becomes `.grad` itself, so these hooks see what those before them wrote into it.
        seen = _as_tensor(leaf.grad._array if first and not task.create and leaf.grad is not None else grad)
        for hook in list(extra.post.values()):
            hook((), (seen,))


def _backward_mode(mode: Any, create: bool) -> Any:
    if mode is GRAD or mode is NO_GRAD:
        return GRAD if create else NO_GRAD
    return changed(mode, grad=create)


def _as_tensor(grad: Any) -> Any:
    return grad if grad is None or isinstance(grad, Tensor) else wrap(grad, None)
