"""The backward walk: newest node first, by rank, with a heap; no sort and no recursion however deep the graph is.

Every consumer of a node is newer than the node, so when a node is popped its gradient is complete. Gradients of leaves
are gathered beside the heap and written to `.grad` at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from time import perf_counter_ns as now
from typing import Any

import numpy as np

from . import dispatch, versions
from .autograd.checks import cotangent, input_edge, root_edge
from .grad_mode import GRAD, NO_GRAD, _mode, changed, current
from .graph import AccumulateGrad
from .tensor import Tensor, wrap

Grads = dict[Any, Any]


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Computes the gradients of `tensors` and adds them to the leaves, or to `inputs` only."""
    roots = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    grads = [grad_tensors] * 1 if isinstance(grad_tensors, Tensor) or grad_tensors is None else list(grad_tensors)
    if grad_tensors is None:
        grads = [None] * len(roots)
    if len(grads) != len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(grads)} gradients")
    keep = create_graph if retain_graph is None else retain_graph
    wanted = None
    if inputs is not None:
        given = [inputs] if isinstance(inputs, Tensor) or hasattr(inputs, "node") else list(inputs)
        if not given:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        wanted = [input_edge(each) for each in given]
        if not create_graph:
            wanted = _accumulated(wanted, given)
    start = [(root_edge(root, i), cotangent(root, grad, create_graph)) for i, (root, grad) in enumerate(zip(roots, grads, strict=True))]
    walk(start, keep, create_graph, wanted, accumulate=True, roots=roots)


def _accumulated(edges: list[Any], given: list[Any]) -> list[Any]:
    """Non-leaf inputs keep their gradient too."""
    for edge, tensor in zip(edges, given, strict=True):
        if edge.__class__ is not AccumulateGrad and isinstance(tensor, Tensor):
            tensor.retain_grad()
    return edges


def walk(
    start: Iterable[tuple[Any, Any]],
    keep: bool,
    create: bool,
    wanted: list[Any] | None,
    accumulate: bool,
    roots: Any = (),
) -> dict[Any, Any]:
    """Runs backward from `start`, pairs (edge, gradient), and returns the gradients that arrived at `wanted` edges.

    Gradients are raw arrays, or Tensors under `create`. With `accumulate`, leaves get theirs added to `.grad`.
    """
    heap: list[int] = []
    pending: dict[int, Any] = {}
    nodes: dict[int, Any] = {}
    owned: set[int] = set()
    leaves: dict[Any, Any] = {}
    captured: dict[Any, Any] = {}
    needed = None if wanted is None else ancestors([edge for edge, _ in start], wanted)
    capture = frozenset(wanted or ())
    mode = current()
    slow = bool(mode.anomaly or capture)
    listener = dispatch.listener
    token = _mode.set(_backward_mode(mode, create))
    if listener is not None:
        listener.begin_backward(roots, [g for _, g in start])
    try:
        for edge, grad in start:
            _deliver(edge, grad, None, heap, pending, nodes, leaves, needed, owned)
        while heap:
            rank = heappop(heap)
            node = nodes.pop(rank)
            grad = pending.pop(rank)
            while True:
                if node.extra is not None:
                    grad = _before(node, grad, create)
                if slow and node in capture:
                    captured[node] = grad
                    if needed is not None and not any(e in needed for e in node.edges()):
                        break
                if listener is not None:
                    started = now()
                result = node.run_tensors(grad, keep) if create else node.run(grad, keep)
                if listener is not None:
                    listener.node(node, grad, started, now())
                if mode.anomaly:
                    _check_nan(node, result, mode)
                if node.extra is not None and node.extra.post:
                    result = _after(node, result, grad, create)
                if node.single:
                    edge = node.e0
                    # 1.16x on bench chain: the only pending node needs no heap.
                    if not heap and not slow and needed is None and edge.__class__ is not AccumulateGrad:
                        node, grad = edge, result
                        if grad is None:
                            break
                        continue
                    _deliver(edge, result, grad, heap, pending, nodes, leaves, needed, owned)
                    break
                for edge, g in result:
                    if edge is None or g is None:
                        continue
                    if edge.__class__ is AccumulateGrad or needed is not None:
                        _deliver(edge, g, grad, heap, pending, nodes, leaves, needed, owned)
                        continue
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
                break
        for leaf, (grad, fresh) in leaves.items():
            _finish_leaf(leaf, grad, fresh, create, accumulate, capture, captured)
    finally:
        _mode.reset(token)
        if listener is not None:
            listener.end_backward()
    return captured


def _deliver(
    edge: Any,
    grad: Any,
    came: Any,
    heap: list[int],
    pending: dict[int, Any],
    nodes: dict[int, Any],
    leaves: dict[Any, Any],
    needed: Any,
    owned: set[int],
) -> None:
    """Adds `grad` to what waits for `edge`. `came` is the gradient it was computed from, to tell a fresh array."""
    if edge is None or grad is None or (needed is not None and edge not in needed):
        return
    if edge.__class__ is AccumulateGrad:
        found = leaves.get(edge)
        if found is None:
            leaves[edge] = grad, grad is not came and came is not None
        else:
            leaves[edge] = found[0] + grad, True
        return
    rank = edge.rank
    if rank in pending:
        owned.discard(rank)
        pending[rank] = pending[rank] + grad
    else:
        pending[rank] = grad
        nodes[rank] = edge
        heappush(heap, rank)


def _finish_leaf(
    leaf: Any, grad: Any, fresh: bool, create: bool, accumulate: bool, capture: Any, captured: dict[Any, Any]
) -> None:
    if leaf.extra is not None:
        before = grad
        grad = _before(leaf, grad, create)
        fresh = fresh and grad is before
    if leaf in capture:
        captured[leaf] = grad
    if accumulate:
        _accumulate(leaf, grad, fresh, create)
        if leaf.extra is not None and leaf.extra.post:
            for hook in list(leaf.extra.post.values()):
                hook((), (_as_tensor(grad),))
        if leaf.post_accumulate:
            variable = leaf.ref()
            for hook in list(leaf.post_accumulate.values()):
                if hook(variable) is not None:
                    raise RuntimeError("hooks should return None.")


def _accumulate(leaf: AccumulateGrad, grad: Any, fresh: bool, create: bool) -> None:
    """Adds `grad` to the leaf's `.grad`, whose memory belongs to nobody else."""
    held = leaf.grad
    if create:
        leaf.grad = grad if held is None else held + grad
        return
    if held is None:
        if grad.__class__ is np.ndarray and not (fresh and grad.base is None and grad.flags.writeable):
            grad = grad.copy() if grad.flags.c_contiguous else np.array(grad, order="C")
        leaf.grad = wrap(grad, None)
    elif held._edge is not None or held._array.__class__ is not np.ndarray:
        leaf.grad = held + wrap(grad, None) if held._edge is not None else held
        if held._edge is None:
            held._array = held._array + grad
    else:
        held._array += grad
        versions.bump(held._array)


def _backward_mode(mode: Any, create: bool) -> Any:
    if mode is GRAD or mode is NO_GRAD:
        return GRAD if create else NO_GRAD
    return changed(mode, grad=create)


def ancestors(roots: Iterable[Any], wanted: Iterable[Any]) -> set[Any]:
    """The edges on a way from `roots` to one of `wanted`, both ends included; prunes by age."""
    targets = set(wanted)
    oldest = max((edge.rank for edge in targets), default=0)
    needed: set[Any] = set()
    seen: set[Any] = set()
    stack = [(root, False) for root in roots if root is not None]
    while stack:
        edge, done = stack.pop()
        if done:
            if edge in targets or any(e in needed for e in edge.edges() if e is not None):
                needed.add(edge)
            continue
        if edge in seen or edge.rank > oldest:
            continue
        seen.add(edge)
        stack.append((edge, True))
        stack.extend((e, False) for e in edge.edges() if e is not None and e not in seen)
    return needed


def _as_tensor(grad: Any) -> Any:
    return grad if grad is None or isinstance(grad, Tensor) else wrap(grad, None)


def _before(node: Any, grad: Any, create: bool) -> Any:
    """Runs the hooks that come before a node: of its outputs' tensors, then of the node, then retained gradients."""
    from .autograd.hooks import run_before

    return run_before(node, grad, create)


def _after(node: Any, result: Any, grad: Any, create: bool) -> Any:
    from .autograd.hooks import run_after

    return run_after(node, result, grad, create)


def _check_nan(node: Any, result: Any, mode: Any) -> None:
    from .autograd.anomaly import check

    if mode.check_nan:
        check(node, result)


