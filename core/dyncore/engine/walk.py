"""The backward walk: newest node first, by a heap that a node newer than all that wait never enters.

`walk_back` runs nodes without hooks: those of unary ops itself, those of binary ops by `run_binary`, others by `run`.
`run_node` runs nodes with their hooks, and all nodes for a listener, where gradients are Tensors or sought for some
inputs, and under anomaly mode.
"""

from __future__ import annotations

from heapq import heappop
from time import perf_counter as now
from typing import Any

from numpy import generic, ndarray

from dyncore.dispatch.nodes import ready
from dyncore.dispatch.outer import Outer, paired
from dyncore.dtypes.dtypes import F32
from dyncore.graph import versions
from dyncore.graph.edges import Partial
from dyncore.graph.elementwise import BinaryNode, UnaryNode
from dyncore.graph.events import AGAIN, MOST, ROWS, SMALL, few
from dyncore.graph.node import FREED, AccumulateGrad, Output

from .leaves import add_to_leaf, enqueue
from .task import Task


def walk_back(task: Task, node: Any, grad: Any, listener: Any = None, rows: Any = None) -> None:
    """Run `node`, if it is not None, what waits and all before them, until only leaves are left.

    rows: what `listener.begin_backward` returned.  An error leaves the node that failed in `task.node`.
    """
    heap, waiting, leaves, keep, careful = task.heap, task.waiting, task.leaves, task.keep, task.careful
    recorder = None if rows is None or careful else PassRecorder(listener, rows)
    on_node = None if listener is None or recorder is not None else listener.node
    unary, binary = (None, None) if careful or on_node is not None else (UnaryNode, BinaryNode)
    output = None if careful or listener is not None else Output  # a listener sees outputs as nodes of their own
    try:
        while node is not None or heap:
            if node is None:
                node, grad, _ = waiting.pop(heappop(heap))
            written = versions.newest
            while True:
                kind = type(node)
                if kind is unary:
                    edge, rule, value = node.e0, node.vjp.first, node.s0
                    if value is None:
                        result = grad if rule is None else rule(grad)
                    else:
                        if value is FREED or written < node.rank:
                            value = ready(node, value)
                        if not keep:
                            node.s0 = FREED
                        result = rule(grad, value) if rule is not Outer else paired(leaves, edge, grad, value)
                        value = None
                else:
                    if kind is binary:
                        edge, result = run_binary(task, node, grad, written, output, recorder)
                    elif output is None or not node.quiet or node.extra is not None:
                        grad, edge, result = run_node(task, node, grad, output, recorder, on_node)
                        if grad is None:
                            break
                    elif node.single:
                        edge, result = node.e0, node.run(grad, keep)
                    else:
                        edge, result = send_all(task, node, grad, node.run(grad, keep), output, None)
                    written = versions.newest
                if recorder is not None:
                    recorder.record_node(node, grad)
                if edge is None or result is None:
                    break
                kind = type(edge)
                if (kind is unary or kind is binary) and (not heap or edge.rank < heap[0]):
                    node, grad = edge, result
                    continue
                if kind is AccumulateGrad and recorder is None:
                    add_to_leaf(task, edge, result, grad)
                    break
                node, grad = pass_on(task, node, grad, edge, result, output, recorder)
                if node is None:
                    break
                written = versions.newest
            node = None
    except BaseException:
        task.node = node
        raise


def pass_on(task: Task, node: Any, came: Any, edge: Any, grad: Any, output: Any, recorder: Any) -> tuple[Any, Any]:
    """Return the next node and its gradient; (None, None) if the gradient was put where it waits."""
    kind = type(edge)
    if kind is AccumulateGrad:
        recorder.record_edge(node, edge, grad, came)
        add_to_leaf(task, edge, grad, came)
        return None, None
    if kind is output and edge.extra is None:
        edge, grad = to_parent(task.waiting, edge, grad)
        if edge is None:
            return None, None
    if task.heap and edge.rank >= task.heap[0]:
        if recorder is not None:
            recorder.record_edge(node, edge, grad, came)
        enqueue(task, edge, grad)
        return None, None
    if recorder is not None and kind is Output:
        recorder.record_edge(node, edge, grad, None)
    return edge, grad


def run_binary(task: Task, node: Any, came: Any, written: int, output: Any, recorder: Any) -> tuple[Any, Any]:
    """Run a node of two inputs, deliver one gradient; return the edge and the gradient that go on.

    A leaf takes its gradient at once; of two nodes the older one waits.
    """
    edge, other, vjp, value = node.e0, node.e1, node.vjp, node.s0
    rule, rule_of_other = vjp.first, vjp.second
    if value is None:
        first = came if rule is None else rule(came)
        second = came if rule_of_other is None else rule_of_other(came)
    else:
        if value is FREED or written < node.rank:
            value = ready(node, value)
        first = rule(came, node.s1) if rule is not Outer else paired(task.leaves, edge, came, node.s1)
        second = rule_of_other(came, value)
        if not task.keep:
            node.s0 = node.s1 = FREED
    kind, kind_of_other = type(edge), type(other)
    if kind is AccumulateGrad:
        if kind_of_other is AccumulateGrad:
            return send_all(task, node, came, ((edge, first), (other, second)), output, recorder)
        leaf, value, edge, first = edge, first, other, second
    elif kind_of_other is AccumulateGrad:
        leaf, value = other, second
    elif kind is output or kind_of_other is output:
        return send_all(task, node, came, ((edge, first), (other, second)), output, recorder)
    else:
        if other.rank < edge.rank:
            edge, first, other, second = other, second, edge, first
        if recorder is not None:
            recorder.record_edge(node, other, second, came)
        enqueue(task, other, second)
        return edge, first
    if value is not None:  # else it lies among the pairs of the leaf
        if recorder is not None:
            recorder.record_edge(node, leaf, value, came)
        add_to_leaf(task, leaf, value, came)
    return edge, first


def send_all(task: Task, node: Any, came: Any, results: Any, output: Any, recorder: Any) -> tuple[Any, Any]:
    """Deliver the gradients of a node of several inputs, but for the newest node's; return that and its edge."""
    heap, needed = task.heap, task.needed
    newest: Any = None
    held: Any = None
    for edge, g in results:
        if g is None or edge is None or (needed is not None and edge not in needed):
            continue
        kind = type(edge)
        if kind is AccumulateGrad:
            if recorder is not None:
                recorder.record_edge(node, edge, g, came)
            add_to_leaf(task, edge, g, came)
            continue
        if kind is output and edge.extra is None:
            edge, g = to_parent(task.waiting, edge, g)
            if edge is None:
                continue
        if newest is None:
            if not heap or edge.rank < heap[0]:
                newest, held = edge, g
                continue
        elif edge is newest:
            held = held + g
            continue
        elif edge.rank < newest.rank:
            newest, edge = edge, newest
            held, g = g, held
        if recorder is not None:
            recorder.record_edge(node, edge, g, came)
        enqueue(task, edge, g)
    return newest, held


def to_parent(waiting: dict[int, list[Any]], edge: Any, grad: Any) -> tuple[Any, Any]:
    """Return the node of an output and its gradient for it; (None, None) if that was put to what waits there."""
    number, parent = edge.number, edge.parent
    found = waiting.get(parent.rank)
    if found is None or type(found[1]) is not Partial:
        return parent, Partial({number: grad})
    pieces = found[1].grads
    pieces[number] = pieces[number] + grad if number in pieces else grad
    return None, None


def run_node(task: Task, node: Any, grad: Any, output: Any, recorder: Any, on_node: Any) -> tuple[Any, Any, Any]:
    """Run any node, with its hooks; return the gradient it ran with, and the edge and the gradient that go on.

    The gradient is None where a hook or the inputs asked for keep the node from running.
    """
    hooked, needed = node.extra is not None, task.needed
    if hooked or not node.quiet:
        task.enter()
    if not hooked and task.careful:
        hooked = task.mode.anomaly or (task.capture is not None and node in task.capture)
    if recorder is not None:
        recorder.last = None
    if hooked:
        grad = task.before(node, grad)
        if grad is None:
            return None, None, None
        if recorder is not None:
            recorder.restart()
    started = 0.0 if on_node is None else now()
    result = node.run_tensors(grad, task.keep) if task.create else node.run(grad, task.keep)
    if on_node is not None:
        on_node(node, grad, started, now(), result)
    if hooked or node.extra is not None:  # a hook that came while the node ran is not shown what it ran with
        result = task.after(node, result, grad if hooked else None)
    if not node.single:
        return grad, *send_all(task, node, grad, result, output, recorder)
    edge = node.e0
    return grad, None if needed is not None and edge not in needed else edge, result


FULL = 3 * ROWS
LITTLE = generic, Partial  # gradients of which a listener holds nothing large


class PassRecorder:
    """The rows of a backward pass, as `Listener.begin_backward` describes them.

    last: the gradient recorded last, if it has no more elements than are recorded at once.
    """

    __slots__ = ("rows", "write", "listener", "edge_gradients", "most", "full", "last")

    def __init__(self, listener: Any, rows: Any) -> None:
        self.rows, self.write = rows
        self.listener = listener
        self.edge_gradients = listener.edge_gradients
        self.most = SMALL if self.edge_gradients is None else MOST
        self.full = FULL
        self.last: Any = None
        self.restart()

    def restart(self) -> None:
        """Count time from now on, not what ran before."""
        self.rows += 0, None, now()

    def record_edge(self, node: Any, edge: Any, grad: Any, came: Any) -> None:
        """Record a gradient that does not become the next node's as it is."""
        if self.edge_gradients is not None and grad is not came and type(grad) is not Outer:
            self.edge_gradients += (node.rank, edge, grad)

    def record_node(self, node: Any, grad: Any) -> None:
        """Record that a node ran on a gradient."""
        rows, ended = self.rows, now()
        if grad is self.last:
            rows += node.rank, AGAIN, ended
        elif type(grad) is not ndarray:
            self.last = small = None
            if type(grad) is not Partial:  # whose pieces are recorded by edge
                small = few(grad) if self.edge_gradients is None and not isinstance(grad, generic) else grad
            rows += node.rank, small, ended
        elif (size := grad.size) > self.most:
            self.last = None
            rows += node.rank, None if self.edge_gradients is None else grad, ended
        elif grad.ndim == 1 and grad.dtype is F32:
            self.last = grad
            rows += node.rank, size, ended
            try:
                self.write(grad)
            except ValueError:  # it does not lie in one piece
                self.write(grad.tobytes())
        else:
            self.last = grad
            rows += node.rank, grad, ended
        large = self.last is None and not isinstance(grad, LITTLE)
        if self.edge_gradients is not None and (large or len(rows) >= self.full):
            self.full = self.listener.flush() + FULL
            self.last = None
            self.restart()
