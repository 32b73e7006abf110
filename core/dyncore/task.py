"""One run of backward: what it was asked for, what it has found, and what runs around each node.

A backward inside a backward (a custom function, a hook, a checkpoint) is a task of its own with its own heap; past
every 40 levels it runs in a fresh thread, whose stack is empty.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextvars import ContextVar, copy_context
from itertools import count
from threading import Thread
from typing import Any
from weakref import ref

from .graph import AccumulateGrad
from .partial import Partial
from .sites import Place, place

deeper = 40
_next_number = count().__next__


class Task:
    """A backward that is running. `captured` maps (node, output number) to the gradient that arrived there."""

    __slots__ = (
        "keep",
        "create",
        "depth",
        "capture",
        "needed",
        "accumulate",
        "mode",
        "captured",
        "callbacks",
        "node",
        "starts",
        "leaves",
        "waiting",
        "_reached",
        "_left",
        "number",
        "__weakref__",
    )

    def __init__(
        self, keep: bool, create: bool, depth: int, capture: Any, needed: Any, accumulate: bool, mode: Any
    ) -> None:
        self.number = _next_number()
        self.keep = keep
        self.create = create
        self.depth = depth
        self.capture = capture
        self.needed = needed
        self.accumulate = accumulate
        self.mode = mode
        self.captured: dict[Any, Any] = {}
        self.callbacks: list[Callable[[], Any]] | None = None
        self.node: Any = None
        self.starts: Any = ()
        self.leaves: Any = {}
        self.waiting: Any = {}
        self._reached: set[Any] | None = None
        self._left: dict[Any, int] | None = None

    def complete(self, leaf: Any) -> bool:
        """Whether the gradient just delivered to `leaf`, which has hooks, was the last, so that they run now.

        Leaves without hooks wait for the end of the walk, where nobody can tell the difference, and need no counting.
        """
        if self._left is None:
            self._left = self._arrivals()
        self._left[leaf] = left = self._left.get(leaf, 0) - 1
        return left == 0

    def _arrivals(self) -> dict[Any, int]:
        """How many gradients each leaf gets in this walk."""
        counts: dict[Any, int] = {}
        seen: set[Any] = set()
        stack = [edge for edge, _ in self.starts]
        while stack:
            edge = stack.pop()
            if edge is None or (self.needed is not None and edge not in self.needed):
                continue
            if edge.title == "AccumulateGrad":
                counts[edge] = counts.get(edge, 0) + 1
            elif edge not in seen:
                seen.add(edge)
                stack.extend(edge.edges())
        return counts

    def reached(self) -> set[Any]:
        """Every node this backward will run or has run, leaves included."""
        if self._reached is None:
            if self.needed is not None:
                self._reached = {edge.node for edge in self.needed}
            else:
                self._reached = set()
                stack = [edge for edge, _ in self.starts]
                while stack:
                    edge = stack.pop()
                    if edge is not None and edge not in self._reached:
                        self._reached.add(edge)
                        stack.extend(edge.edges())
        return self._reached

    def before(self, node: Any, grad: Any) -> Any:
        """The gradient to run `node` with, after its hooks; None when the node is not to run."""
        from .autograd.hooks import part, run_pre_hooks, run_tensor_hooks

        self.node = node
        hooks = node.extra
        numbers = None if self.capture is None else self.capture.get(node)
        runs = True
        if numbers is not None:
            # A backward for a non-leaf runs its node too, hooks and all; only what lies behind is left alone.
            runs = self.accumulate or any(edge in self.needed for edge in node.edges() if edge is not None)
            if runs:
                # Where the walk goes on, PyTorch captures the gradient as it came, before the tensor's hooks.
                self.captured.update(((node, number), part(grad, number)) for number in numbers)
        if hooks is not None and (hooks.tensor_pre or hooks.retain):
            grad = run_tensor_hooks(node, grad, self.create)
        if numbers is not None and not runs:
            self.captured.update(((node, number), part(grad, number)) for number in numbers)
            return None
        if hooks is not None and hooks.pre:
            grad = run_pre_hooks(node, grad, self.create)
        self.node = node
        if grad.__class__ is Partial and not grad.grads and node.op is not None and node.outputs == 1:
            return None  # no gradient came, and none goes on
        return grad

    def after(self, node: Any, result: Any, grad: Any) -> Any:
        """The node's result, checked under anomaly mode, after the node's post-hooks."""
        if self.mode.anomaly:
            from .autograd.anomaly import check

            if self.mode.check_nan:
                check(node, result)
        if node.extra is not None and node.extra.post:
            from .autograd.hooks import run_after

            result = run_after(node, result, grad, self.create)
        return result

    def failed(self, node: Any, error: Exception) -> Exception:
        """The error a user sees: with a note of which node failed; under anomaly mode warns with its traceback."""
        if node is None:
            return error
        if self.mode.anomaly:
            from .autograd.anomaly import warn_failed

            warn_failed(node)
        if error.__class__ is ValueError:
            from .explain import misfit

            error = misfit(error)
        if not getattr(error, "__notes__", None):
            error.add_note(f"in the backward of {node.name()} at {node.place}")
        return error

    def finish(self) -> None:
        """Runs the callbacks queued during the walk; one may queue another."""
        while self.callbacks:
            self.callbacks.pop(0)()


_freed: deque[tuple[list[Any], tuple[Any, int]]] = deque(maxlen=32)


def note_freed(start: list[tuple[Any, Any]], line: tuple[Any, int]) -> None:
    """Remembers the line of a backward that freed what its graph had saved, for the error of a second one.

    line: code and instruction.
    The root itself is often gone by then, as in `loss.sum().backward()`, so the nodes before it are remembered too.
    """
    roots = []
    for edge, _ in start:
        roots.append(ref(edge))
        for each in edge.edges():
            if each is not None and each.__class__ is not AccumulateGrad:  # a leaf is never freed
                roots.append(ref(each))
    _freed.append((roots, line))


def freed_at(node: Any) -> Place | None:
    """The line of the last backward that went through `node`, if it was among the recent ones."""
    own = getattr(node, "freed", None)
    if own is not None:
        return place(*own)
    for roots, line in reversed(_freed):
        if _leads([root() for root in roots], node):
            return place(*line)
    return None


def _leads(edges: list[Any], node: Any, limit: int = 100_000) -> bool:
    """Whether `node` lies behind `edges`; False when the graph is too large to tell soon."""
    seen: set[Any] = set()
    while edges and len(seen) < limit:
        edge = edges.pop()
        if edge is node:
            return True
        if edge is not None and edge not in seen and edge.rank < node.rank:
            seen.add(edge)
            edges.extend(edge.edges())
    return False


running: ContextVar[Task | None] = ContextVar("dyncore_backward", default=None)


def queue_callback(callback: Callable[[], Any]) -> None:
    """Calls `callback()` at the end of the backward that is running.  Raises RuntimeError outside one."""
    task = running.get()
    if task is None:
        raise RuntimeError("Final callbacks can only be installed during backward pass.")
    if task.callbacks is None:
        task.callbacks = []
    task.callbacks.append(callback)


def in_thread(function: Callable[..., Any], *args: Any) -> Any:
    """`function(*args)` in a fresh thread with this thread's context; its error is raised here."""
    found: list[Any] = []
    errors: list[BaseException] = []

    def body() -> None:
        try:
            found.append(function(*args))
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=copy_context().run, args=(body,), name="dyncore-backward")
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return found[0]
