"""The backward walk of most programs: plain gradients, no inputs asked for, no anomaly mode.

It does what the loop in `backward.py` does, written out flat, and hands the gradient of one of several outputs straight
to the node that made them: 1.14x on bench LSTM by hand, 1.08x on TreeLSTM, 1.02x on the chain.
What the nodes of `swift.py` do is written out too, without hooks, which these cannot have.
"""

from __future__ import annotations

from heapq import heappop, heappush
from time import perf_counter as now
from typing import Any

from numpy import generic, ndarray

from . import versions
from .dtypes import F32
from .events import AGAIN, MOST, ROWS, SMALL, few
from .graph import FREED, AccumulateGrad, Output
from .leaves import SUM, add, deliver
from .nodes import ready
from .outer import Outer, paired
from .partial import Partial
from .swift import SwiftPair, SwiftSingle
from .task import Task

FULL = 3 * ROWS
LITTLE = generic, Partial  # gradients of which a listener holds nothing large


def quick_walk(task: Task, node: Any, grad: Any, listener: Any, rows: Any) -> None:
    """Runs `node`, if it is not None, what waits and all before them, newest first, until only leaves are left.

    An error leaves the node that failed in `task.node`.
    """
    heap, waiting, leaves, keep = task.heap, task.waiting, task.leaves, task.keep
    # With a listener, outputs are nodes of their own, so that it hears of them.
    straight = Output if listener is None else None
    heard: Any = None if listener is None or rows is not None else listener.node
    # One that wants to hear of each node at once hears from the general way.
    single, pair = (SwiftSingle, SwiftPair) if heard is None else (None, None)
    written = versions.newest
    handed: Any = None if rows is None else listener.handed
    full = FULL
    most = SMALL if handed is None else MOST
    last: Any = None  # the gradient that was noted last, if it has no more elements
    if rows is not None:
        rows, write = rows
        rows += 0, None, now()
    edge: Any = None
    leaf: Any = None
    value: Any = None
    try:
        while node is not None or heap:
            if node is None:
                node, grad, _ = waiting.pop(heappop(heap))
            kind = type(node)
            while True:
                if kind is single:
                    edge, rule, value = node.e0, node.way.rule, node.s0
                    if value is None:
                        result = grad if rule is None else rule(grad)
                    else:
                        if value is FREED or written < node.rank:
                            value = ready(node, value)
                        if not keep:
                            node.s0 = FREED
                        result = rule(grad, value) if rule is not Outer else paired(leaves, edge, grad, value)
                        value = None
                elif kind is pair:
                    edge, other = node.e0, node.e1
                    way, value = node.way, node.s0
                    if value is None:
                        rule = way.rule
                        result = grad if rule is None else rule(grad)
                        rule = way.second
                        second = grad if rule is None else rule(grad)
                    else:
                        if value is FREED or written < node.rank:
                            value = ready(node, value)
                        rule = way.rule
                        result = rule(grad, node.s1) if rule is not Outer else paired(leaves, edge, grad, node.s1)
                        second = way.second(grad, value)
                        if not keep:
                            node.s0 = node.s1 = FREED
                        value = None
                    # A leaf takes its gradient at once, and the other one goes on as that of a single input does.
                    if type(other) is AccumulateGrad:
                        leaf, first = other, second
                        if type(edge) is AccumulateGrad or leaf.extra is not None or leaf.post_accumulate is not None:
                            leaf = None
                    elif type(edge) is AccumulateGrad and edge.extra is None and edge.post_accumulate is None:
                        leaf, first, edge, result = edge, result, other, second
                    else:
                        leaf = None
                    if leaf is None:
                        kind, later = type(edge), type(other)
                        if (kind is single or kind is pair) and (later is single or later is pair):
                            # The older one waits, the newer goes on: 1.03x on bench RNN and LSTM by hand.
                            if other.rank < edge.rank:
                                edge, result, other, second = other, second, edge, result
                            if handed is not None and second is not grad and type(second) is not Outer:
                                handed += (node.rank, other, second)
                            rank = other.rank
                            found = waiting.get(rank)
                            if found is None:
                                waiting[rank] = [other, second, False]
                                heappush(heap, rank)
                            elif found[2]:
                                found[1] += second
                            else:
                                found[1] = found[1] + second
                                found[2] = True
                        else:
                            result = (edge, result), (other, second)
                            edge = None
                    else:
                        found = leaves.get(leaf)
                        if first is None:
                            pass  # put among those of the leaf already
                        elif found is None:
                            leaves[leaf] = [first, first is not grad]
                        elif type(first) is Outer and type(found[0]) is Outer:
                            found[0].take(first)
                        elif type(first) is Outer:
                            add(found, first)
                        elif found[1] is SUM and type(first) is ndarray:
                            found[0] += first
                        else:
                            found[0] = found[0] + first
                            found[1] = SUM
                        if handed is not None and first is not grad and first is not None and type(first) is not Outer:
                            handed += (node.rank, leaf, first)
                        first = None
                    second = None
                else:
                    hooked = last = None
                    if not node.quiet or node.extra is not None:
                        task.enter()
                    if node.extra is not None:
                        grad = hooked = task.before(node, grad)
                        if grad is None:
                            break
                        if rows is not None:
                            rows += 0, None, now()
                    started = 0 if heard is None else now()
                    result = node.run(grad, keep)
                    if heard is not None:
                        heard(node, grad, started, now(), result)
                    if node.extra is not None:  # a hook that came while the node ran is not shown what it ran with
                        result = task.after(node, result, hooked)
                    written = versions.newest
                    edge = node.e0 if node.single else None
                if rows is not None:  # 0.1 us a node of bench tracing, chain
                    ended = now()
                    if grad is last:
                        rows += node.rank, AGAIN, ended
                    elif type(grad) is not ndarray:
                        last = None
                        if type(grad) is Partial:
                            small = None  # its pieces were handed on
                        else:
                            small = few(grad) if handed is None and not isinstance(grad, generic) else grad
                        rows += node.rank, small, ended
                    elif (size := grad.size) > most:
                        last = None
                        rows += node.rank, None if handed is None else grad, ended
                    elif grad.ndim == 1 and grad.dtype is F32:
                        last = grad
                        rows += node.rank, size, ended
                        try:
                            write(grad)
                        except ValueError:  # it does not lie in one piece
                            write(grad.tobytes())
                    else:
                        last = grad
                        rows += node.rank, grad, ended
                    if handed is not None and (len(rows) >= full or (last is None and not isinstance(grad, LITTLE))):
                        full = listener.settle() + FULL
                        last = None
                        rows += 0, None, now()
                if edge is not None:
                    if result is None:
                        break
                    kind = type(edge)
                    if kind is AccumulateGrad:
                        if handed is not None and result is not grad and type(result) is not Outer:
                            handed += (node.rank, edge, result)
                        if edge.extra is not None or edge.post_accumulate is not None:
                            deliver(task, edge, result, grad)
                            written = versions.newest
                            break
                        found = leaves.get(edge)
                        if found is None:
                            leaves[edge] = [result, result is not grad]
                        elif type(result) is Outer and type(found[0]) is Outer:
                            found[0].take(result)
                        else:
                            add(found, result)
                        break
                    if kind is straight and edge.extra is None:
                        number, edge = edge.number, edge.parent
                        found = waiting.get(edge.rank)
                        if found is not None and type(found[1]) is Partial:  # 1.03x on bench LSTM by hand
                            pieces = found[1].grads
                            pieces[number] = pieces[number] + result if number in pieces else result
                            break
                        result = Partial({number: result})
                        kind = type(edge)
                    # A node newer than all that wait needs no heap: 1.4x on bench chain.
                    rank = edge.rank
                    if not heap or rank < heap[0]:
                        if handed is not None and kind is Output:
                            handed += (node.rank, edge, result)
                        node = edge
                        grad = result
                        continue
                    if handed is not None and result is not grad and type(result) is not Outer:
                        handed += (node.rank, edge, result)
                    found = waiting.get(rank)
                    if found is None:
                        waiting[rank] = [edge, result, False]
                        heappush(heap, rank)
                    elif found[2]:
                        found[1] += result
                    else:
                        found[1] = found[1] + result
                        found[2] = True
                    break
                newest = None
                for edge, g in result:
                    if g is None or edge is None:
                        continue
                    kind = type(edge)
                    if kind is AccumulateGrad:
                        if handed is not None and g is not grad and type(g) is not Outer:
                            handed += (node.rank, edge, g)
                        if edge.extra is None and edge.post_accumulate is None:
                            found = leaves.get(edge)
                            if found is None:
                                leaves[edge] = [g, g is not grad]
                            elif type(g) is Outer and type(found[0]) is Outer:
                                found[0].take(g)
                            elif type(g) is Outer:
                                add(found, g)
                            elif found[1] is SUM and type(g) is ndarray:
                                found[0] += g
                            else:
                                found[0] = found[0] + g
                                found[1] = SUM
                        else:
                            deliver(task, edge, g, grad)
                            written = versions.newest
                        continue
                    if kind is straight and edge.extra is None:
                        number, edge = edge.number, edge.parent
                        found = waiting.get(edge.rank)
                        if found is not None and type(found[1]) is Partial:
                            pieces = found[1].grads
                            pieces[number] = pieces[number] + g if number in pieces else g
                            continue
                        g = Partial({number: g})
                    rank = edge.rank
                    if newest is None:
                        if not heap or rank < heap[0]:
                            newest, newest_rank, held = edge, rank, g
                            continue
                    elif edge is newest:
                        held = held + g
                        continue
                    elif rank < newest_rank:
                        newest, edge = edge, newest
                        newest_rank, rank = rank, newest_rank
                        held, g = g, held
                    if handed is not None and g is not grad and type(g) is not Outer:
                        handed += (node.rank, edge, g)
                    found = waiting.get(rank)
                    if found is None:
                        waiting[rank] = [edge, g, False]
                        heappush(heap, rank)
                    elif found[2]:
                        found[1] += g
                    else:
                        found[1] = found[1] + g
                        found[2] = True
                if newest is None:
                    break
                kind = type(newest)
                if handed is not None and kind is Output:
                    handed += (node.rank, newest, held)
                node = newest
                grad = held
            node = None
    except BaseException:
        if node is not None:
            task.node = node
        raise
