"""The backward walk of the rest: gradients that are Tensors, or are sought for some inputs, and anomaly mode."""

from __future__ import annotations

from heapq import heappop, heappush
from time import perf_counter as now
from typing import Any

from .graph import AccumulateGrad
from .leaves import deliver
from .task import Task


def careful_walk(task: Task, node: Any, grad: Any, listener: Any) -> None:
    """Runs `node`, if it is not None, what waits and all before them, newest first, until only leaves are left.

    An error leaves the node that failed in `task.node`.
    """
    heap, waiting, needed, capture = task.heap, task.waiting, task.needed, task.capture
    keep, create, slow = task.keep, task.create, bool(task.mode.anomaly)
    heard = None if listener is None else listener.node
    try:
        while node is not None or heap:
            if node is None:
                node, grad, _ = waiting.pop(heappop(heap))
            while True:
                watched = slow or node.extra is not None or (capture is not None and node in capture)
                if watched:
                    grad = task.before(node, grad)
                    if grad is None:
                        break
                if heard is not None:
                    started = now()
                result = node.run_tensors(grad, keep) if create else node.run(grad, keep)
                if heard is not None:
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
                        deliver(task, edge, result, grad)
                        break
                    if not heap or edge.rank < heap[0]:
                        node = edge
                        grad = result
                        continue
                    deliver(task, edge, result, grad)
                    break
                newest = None
                for edge, g in result:
                    if g is None or edge is None or (needed is not None and edge not in needed):
                        continue
                    if edge.__class__ is AccumulateGrad:
                        deliver(task, edge, g, grad)
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
            node = None
    except BaseException:
        if node is not None:
            task.node = node
        raise
