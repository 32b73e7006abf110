"""`backward` and `grad`: a walk from the roots, newest node first, with a heap.

There is no sort and no recursion however deep the graph is.  Every consumer of a node is newer than the node, so when a
node is popped its gradient is complete.  Gradients of leaves are gathered beside the heap and written to `.grad` at the
end.  `walk.py` has the walk itself.
"""

from __future__ import annotations

from sys import _getframe as getframe, modules
from typing import Any

from dyncore.errors.source import caller_frame, users
from dyncore.graph import events
from dyncore.graph.events import QUIET
from dyncore.graph.handlers import handlers
from dyncore.graph.modes import GRAD, NO_GRAD, current, nondefault_modes
from dyncore.graph.node import AccumulateGrad
from dyncore.graph.running import note_freed, running
from dyncore.tensors.tensor import Tensor

from . import logged, sequence
from .checks import is_one, old_name, starts, wanted_edge
from .leaves import deliver, finish_complete, finish_leaves, gathered
from .reach import lead_to
from .task import Task, deeper, in_thread, task_of
from .walk import walk_back

replayed: Any = ()  # the class whose subclasses a compiled function's nodes are, once there is one


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Compute the gradients of `tensors` and adds them to the leaves, or to `inputs` only."""
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
        wanted = [wanted_edge(each) for each in given]
        for edge, each in zip(wanted, given, strict=True):
            if edge is None:
                raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
            if edge.__class__ is not AccumulateGrad and isinstance(each, Tensor):
                each.retain_grad()
    if create_graph:
        warn_create_graph()
    walk(start, keep, create_graph, wanted, roots=roots)


def backward_from(
    self: Tensor,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Compute the gradients of this tensor with respect to the leaves and adds them to their `grad`.

    gradient: the cotangent, of this tensor's shape; only a one-element tensor can do without.
    retain_graph: keep what is saved for another backward.  create_graph: record the backward itself.
    inputs: only these tensors get a gradient.
    """
    if gradient is retain_graph is inputs is None and not create_graph:
        edge = self._edge
        if edge.__class__.__base__ is not replayed or not edge.straight(self):
            walk(starts((self,), None, False), False, roots=(self,))
        return
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


backward_from.__name__ = "backward"
METHODS = {"backward": backward_from}


def warn_create_graph() -> None:
    """PyTorch's warning that a gradient with a graph makes a cycle."""
    from dyncore.errors.explain import warn_once

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
    create: bool = False,
    wanted: list[Any] | None = None,
    accumulate: bool = True,
    roots: Any = (),
) -> dict[Any, Any]:
    """Run backward from `start`, pairs (edge, gradient), and returns the gradients that arrived at `wanted` edges.

    Gradients are raw arrays, or Tensors under `create`. With `accumulate`, leaves get theirs added to `.grad`.
    The result's keys are (node, output number).
    """
    frame = getframe(2)
    if id(frame.f_globals) not in users:
        frame = caller_frame(3)
    task = task_of(start, keep, (frame.f_code, frame.f_lasti))
    listener = events.listener
    logging = "logging" in modules and logged.enabled()
    if not (nondefault_modes or create or listener is not None or logging or sequence.used):
        if wanted is None:
            return run(task)
        if not accumulate and lead_to(start, wanted):  # sooner than what follows (tests/bench, calls)
            task.accumulate = False
            return run(task)
    task.create, task.accumulate = create, accumulate
    if wanted is not None:
        task.seek(wanted)
    outer = running.get()
    if outer is not None:
        task.depth = outer.depth + 1
    if task.depth and task.depth % deeper == 0:
        return in_thread(unusual_run, task, roots)
    if logging:
        with logged.logged_nodes(start):
            return unusual_run(task, roots)
    if sequence.used:
        with sequence.ordered(start):
            return unusual_run(task, roots)
    return unusual_run(task, roots)


def unusual_run(task: Task, roots: Any) -> dict[Any, Any]:
    """Call `run` for another mode, recorded or selected gradients, or a listener."""
    task.mode = mode = current()
    if mode.tape is not None:
        mode.tape.refuse("runs a backward pass")
    listener = events.listener
    if task.create or task.capture is not None or listener is not None or (mode is not GRAD and mode is not NO_GRAD):
        task.enter()
    if mode.forward_level >= 0:
        task.starts = handlers.on_duals(task.starts, task.create)
        task.create = True  # Tensors, which carry tangents, instead of arrays
    task.careful = task.create or task.capture is not None or mode.anomaly
    if listener is None:
        return run(task)
    rows = listener.begin_backward(roots, [g for _, g in task.starts])
    try:
        return run(task) if rows is QUIET else run(task, listener, rows)
    finally:
        leaves = [*task.leaves, *task.finished_leaves()] if task.accumulate else []
        listener.end_backward(leaves, task.node)


def run(task: Task, listener: Any = None, rows: Any = None) -> dict[Any, Any]:
    """Walk from where the task starts, gives the leaves their gradients, and returns what it sought."""
    raised: Any = None
    try:
        starts = task.starts
        if len(starts) == 1 and not task.careful and starts[0][0].__class__ is not AccumulateGrad:
            node, grad = starts[0]
        else:
            node = grad = None
            for edge, each in starts:
                deliver(task, edge, each)
        walk_back(task, node, grad, listener, rows)
        if task.accumulate or task.careful:
            finish_leaves(task)
        else:
            task.captured = gathered(task)
        if task.callbacks:
            task.finish()
    except Exception as error:
        task.enter()
        finish_complete(task)
        raised = task.failed(error)
        if raised is error:
            raise
        raise raised from None
    finally:
        raised = None  # an error that held itself by its traceback would hold the graph too
        if not task.keep:
            note_freed(task)
        if task.entered is not None:
            task.leave()
    return task.captured
