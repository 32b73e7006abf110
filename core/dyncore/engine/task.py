"""One run of backward: what it was asked for, what it has found, and what runs around each node.

A backward inside a backward (a custom function, a hook, a checkpoint) is a task of its own with its own heap; past
every 40 levels it runs in a fresh thread, whose stack is empty.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from itertools import count
from threading import Thread
from typing import Any

from dyncore.graph.edges import Partial
from dyncore.graph.modes import GRAD, NO_GRAD, Mode, _mode, changed, current, nondefault_modes
from dyncore.graph.running import running

from .reach import ancestors

deeper = 40
_numbers = count()


class Task:
    """A backward that is running. `captured` maps (node, output number) to the gradient that arrived there.

    line: the user's, code and instruction, that asked for it.
    heap: the ranks of those in `waiting`.
    waiting: by rank, [node, gradient, whether it was added up here, so that more may be added in place].
    leaves: [gradient, whether nobody else holds it, or `leaves.SUM`].
    careful: whether gradients are Tensors, or sought for some inputs, or looked at in anomaly mode.
    entered: what `leave` puts back, None until code of the user's may run.
    """

    __slots__ = (
        *("number", "starts", "keep", "line", "create", "accumulate", "depth", "mode", "capture", "needed", "captured"),
        *("careful", "heap", "leaves", "waiting", "entered", "callbacks", "node", "_reached", "_left", "__weakref__"),
    )
    number: int
    starts: list[tuple[Any, Any]]
    keep: bool
    line: tuple[Any, int]
    create: bool
    accumulate: bool
    depth: int
    mode: Mode
    capture: dict[Any, set[int]] | None
    needed: Any
    captured: Any
    careful: bool
    heap: list[int]
    leaves: dict[Any, list[Any]]
    waiting: dict[int, list[Any]]
    entered: Any
    callbacks: list[Callable[[], Any]] | None
    node: Any
    _reached: set[Any] | None
    _left: dict[Any, int] | None

    def seek(self, wanted: list[Any]) -> None:
        """Look for the gradients of these edges alone."""
        self.captured = {}
        self.capture = {}
        for edge in wanted:
            self.capture.setdefault(edge.node, set()).add(edge.index)
        self.needed = ancestors([edge for edge, _ in self.starts], self.capture)

    def enter(self) -> None:
        """Set this backward as the running one for user code; its ops are not recorded.

        Most backwards run none, and never come here (bench, branch).
        """
        if self.entered is None:
            mode = current()
            if mode is GRAD or mode is NO_GRAD:
                mode = GRAD if self.create else NO_GRAD
            else:
                mode = changed(mode, grad=self.create)
            # Without a mark.
            self.entered = running.set(self), _mode.variable.set(mode)
            nondefault_modes.add(self)

    def leave(self) -> None:
        """Put back what `enter` changed."""
        outside, before = self.entered
        running.reset(outside)
        _mode.variable.reset(before)
        nondefault_modes.discard(self)

    def complete(self, leaf: Any) -> bool:
        """Return True if the gradient just delivered to a leaf with hooks was the last.

        The hooks run now then.  Leaves without hooks wait for the end of the walk and need no counting.
        """
        return self.expect(leaf, -1) == 0

    def expect(self, leaf: Any, more: int) -> int:
        """Let a leaf with hooks wait for more gradients than edges lead to it; return for how many it waits."""
        if self._left is None:
            self._left = self._arrivals()
        self._left[leaf] = left = self._left.get(leaf, 0) + more
        return left

    def finished_leaves(self) -> list[Any]:
        """Return the leaves with hooks that have their gradient already."""
        return [leaf for leaf, left in (self._left or {}).items() if left == 0]

    def _arrivals(self) -> dict[Any, int]:
        """Return how many gradients each leaf gets in this walk."""
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
        """Return the gradient to run `node` with, after its hooks; None when the node is not to run."""
        from .hooks import part, run_pre_hooks, run_tensor_hooks

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
        """Return the node's result, checked under anomaly mode, after the node's post-hooks."""
        if self.mode.anomaly:
            from .anomaly import check

            if self.mode.check_nan:
                check(node, result)
        if node.extra is not None and node.extra.post:
            from .hooks import run_after

            result = run_after(node, result, grad, self.create)
        return result

    def failed(self, error: Exception) -> Exception:
        """Return the error a user sees, with a note of the node that failed; warn in anomaly mode."""
        node = self.node
        if node is None:
            return error
        if self.mode.anomaly:
            from .anomaly import warn_failed

            warn_failed(node)
        if error.__class__ is ValueError:
            from dyncore.errors.explain import misfit

            error = misfit(error, node.name())
        if not getattr(error, "__notes__", None):
            error.add_note(f"in the backward of {node.name()} at {node.place}")
        return error

    def finish(self) -> None:
        """Run the callbacks queued during the walk; one may queue another."""
        while self.callbacks:
            self.callbacks.pop(0)()


def task_of(starts: list[tuple[Any, Any]], keep: bool, line: tuple[Any, int]) -> Task:
    """Return a backward from `starts`, pairs (edge, gradient)."""
    made = Task()
    made.number = next(_numbers)
    made.starts = starts
    made.keep = keep
    made.line = line
    made.create = made.careful = False
    made.accumulate = True
    made.depth = 0
    made.mode = GRAD
    made.capture = made.needed = made.captured = made.entered = made.callbacks = made.node = None
    made._reached = made._left = None
    made.heap = []
    made.leaves = {}
    made.waiting = {}
    return made


def queue_callback(callback: Callable[[], Any]) -> None:
    """Call `callback()` at the end of the backward that is running.  Raise RuntimeError outside one."""
    task = running.get()
    if task is None:
        raise RuntimeError("Final callbacks can only be installed during backward pass.")
    if task.callbacks is None:
        task.callbacks = []
    task.callbacks.append(callback)


def in_thread(function: Callable[..., Any], *args: Any) -> Any:
    """Call `function(*args)` in a new thread with this thread's context.

    Its error is raised here.
    """
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
