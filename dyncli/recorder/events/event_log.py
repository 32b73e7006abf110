"""The event log of one run: a row for each op and each backward node, and what happened between them.

Everything that can be worked out later is worked out later (`assemble.py`).
How much is kept of values, gradients and times is up to the collectors that are switched on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import repeat
from time import perf_counter, perf_counter_ns
from typing import Any

from dyncli.recorder.engine import QUIET, SMALL, Listener, Op, Tensor, autograd, is_engine
from dyncli.recorder.events.callbacks import escape_callback, op_callback, user_frame
from dyncli.recorder.events.collectors import Collector, Retention, hooks
from dyncli.recorder.events.collectors.values import Times, Values
from dyncli.recorder.events.recorded_events import FunctionCall, RecordedEvents, reach_a_leaf, saved_by
from dyncli.recorder.events.rows import NOTHING
from dyncli.recorder.settings import enough_steps

GRAD = Op(lambda roots, targets: targets, {}, name="grad")  # stands for `autograd.grad` where no op made its results

_getframe = sys._getframe


def _in_backward() -> bool:
    """Return whether the engine was asked by `backward()`, not by `autograd.grad`."""
    frame: Any = _getframe(2)
    while frame is not None and is_engine(frame.f_globals):
        if frame.f_code is autograd.grad.__code__:
            return False
        frame = frame.f_back
    return True


class EventLog(RecordedEvents, Listener):
    """The listener of one run.

    collectors: what is switched on.  retention: what is kept of results and gradients, as the collectors want it.
    """

    def __init__(
        self,
        decisions: list[Any],
        collectors: Sequence[Collector] | None = None,
        max_ops: int | None = None,
        steps: int | None = None,
    ) -> None:
        self.steps_left = steps
        self.most_steps = steps
        self.collectors = (Values(), Times()) if collectors is None else tuple(collectors)
        self.retention = Retention()
        for collector in self.collectors:
            self.retention = collector.refine(self.retention)
        self.clock = perf_counter if self.retention.needs_clock else None
        super().__init__(decisions, self.retention.rows(), hooks(self.collectors, "source"))
        self.ops.is_timed = self.retention.keeps_times
        self.started = perf_counter_ns()
        for collector in self.collectors:
            collector.attach(self)
        self._node, self._flush, self._end_backward = (
            hooks(self.collectors, name) for name in ("node", "flush", "end_backward")
        )
        self._secure, self._overwrite = (hooks(self.collectors, name) for name in ("secure", "overwrite"))
        self.op = op_callback(self, self.retention, self.collectors, self.compare, max_ops)  # type: ignore[method-assign]
        self.escape = escape_callback(self, self.secure)  # type: ignore[method-assign]

    def has(self, kind: type[Collector]) -> bool:
        """Return whether a collector of this kind is switched on."""
        return any(isinstance(each, kind) for each in self.collectors)

    @property
    def readers(self) -> Mapping[type, Any]:
        """Return how operands of other types than tensors are read where they are tested."""
        return {kind: reader for each in self.collectors for kind, reader in each.readers.items()}

    def active(self) -> ExitStack:
        """Return the context of all collectors in which the script runs."""
        stack = ExitStack()
        for collector in self.collectors:
            stack.enter_context(collector.active())
        return stack

    # -- ops and what happens between them

    def compare(self, result: Any, *operands: Any) -> None:
        """Keep what was compared: a test of several elements raises, and its error shows what they are."""
        if 1 < result.size <= SMALL:
            tensors = [each for each in operands if isinstance(each, Tensor)]
            self.compared = {self.tensors.number(each): each._array.copy() for each in tensors}

    def failed(self, op: Any, args: Any, kwargs: Any, error: BaseException) -> None:
        frame = user_frame(_getframe(2))
        numbers = self.tensors.numbers
        inputs = numbers([*args, *kwargs.values()])
        rest = tuple(v for v in args if not isinstance(v, Tensor) and not numbers((v,)))
        moment = perf_counter()
        self.ops.errors[len(self.ops)] = str(error)
        second = tuple(inputs), rest, NOTHING, 0
        self.ops.flat.extend((0, 0, frame.f_lasti, moment, moment, len(self.decisions), op, second, (), frame.f_code))

    def mode(self, grad: bool) -> None:
        count = len(self.ops)
        self.grad_modes.append(count if grad else ~count)

    def before_write(self, root: Any, first: bool, silent: bool) -> None:
        """Keep what is stored of small arrays, and what is overwritten without any op."""
        if first:
            self.secure()
        if silent:
            for callback in self._overwrite:
                callback(root)
            if not self._overwrite:
                self.writes.add_silent(root, len(self.ops))

    def before_data(self, tensor: Tensor, value: Tensor) -> None:
        self.tensors.reassign(tensor, value)

    def secure(self) -> None:
        """Keep the small arrays that are stored as they are now."""
        self.ops.secure()
        for callback in self._secure:
            callback()

    def enter_module(self, module: Any) -> None:
        modules = self.modules
        modules.enter(module)
        name = modules.names.get(id(module)) or modules.name(module, user_frame(_getframe(2)))
        self.between_ops.append((len(self.decisions), len(self.ops), "enter", name))

    def exit_module(self, module: Any) -> None:
        self.modules.exit()
        self.between_ops.append((len(self.decisions), len(self.ops), "exit", None))

    def begin_function(self, function: Any, args: Any, node: Any) -> None:
        self.functions.begun.append(len(self.ops))

    def end_function(self, node: Any, result: Any) -> None:
        """Note which op returned what a user's autograd function returns: its node is no recorded op's."""
        first = self.functions.begun.pop()
        if result.__class__ is Tensor and result._edge is not None and hasattr(result, "_trace"):
            saved = tuple(self.tensors.numbers(saved_by(node, result)))
            call = FunctionCall(first, len(self.ops) - 1, result._trace, node.title, saved)
            self.functions.by_rank[node.rank] = call

    @property
    def transitions(self) -> Iterator[tuple[int, int, str, Any]]:
        """Return what happened between ops: length of the decision log, number of ops, kind, and more."""
        return ((turn[3], turn[6], "escape", None) if len(turn) == 7 else turn for turn in self.between_ops)

    @property
    def phases(self) -> Iterator[str]:
        """The phase of each op."""
        phase, before = "forward", 0
        for _, count, kind, more in self.transitions:
            if kind == "phase":
                yield from repeat(phase, count - before)
                phase, before = more, count
        yield from repeat(phase, len(self.ops) - before)

    # -- backward

    def _change_phase(self, phase: str) -> None:
        self.between_ops.append((len(self.decisions), len(self.ops), "phase", phase))

    def begin_backward(self, roots: Any, grads: Any) -> Any:
        """Begin a pass, and return how its nodes are reported."""
        self._change_phase("backward")
        one = self.backward.begin(roots, grads, user_frame(_getframe(2)), len(self.ops), self.tensors)
        nodes, retention = one.nodes, self.retention
        if retention.skips_nodes and reach_a_leaf(roots):
            return QUIET
        if not retention.is_direct:
            return None
        self.edge_gradients = nodes.handed if self._node else None
        return nodes.flat, nodes.written.write

    def flush(self) -> int:
        """Look at the gradients that were put off; return how long the table of nodes is."""
        for callback in self._flush:
            callback()
        return len(self.backward.open[-1].nodes.flat)

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        """Record a node with what is kept of the gradient it got."""
        nodes = self.backward.open[-1].nodes
        nodes.note(node.rank, self.retention.gradient(grad), started, ended)
        for callback in self._node:
            callback(nodes, node, grad, result)

    def begin_recompute(self) -> None:
        self._change_phase("recompute")

    def end_recompute(self) -> None:
        self.between_ops.append((len(self.decisions), len(self.ops), "recomputed", None))
        self._change_phase("backward" if self.backward.open else "forward")

    def before_accumulate(self, leaf: Any, grad: Any) -> None:
        if self.backward.open:
            self.backward.open[-1].add_own(leaf, grad)

    def end_backward(self, leaves: Any, node: Any) -> None:
        """End a pass, and keep the gradients that it left in the leaves."""
        for callback in self._end_backward:
            callback()
        one = self.backward.end(node)
        one.nodes.pack()
        if not self.backward.open:
            self._change_phase("forward")
            self.ops.pack_again()
        self.backward.keep_leaf_gradients(one, leaves, self.tensors)
        if self.steps_left is not None and self.most_steps is not None and not self.backward.open and _in_backward():
            self.steps_left -= 1
            if not self.steps_left:
                raise enough_steps(self.most_steps)

    def took(self, roots: Any, targets: Any, results: Any) -> None:
        """Record what `autograd.grad` returns: its results are the gradients of the pass that ended last."""
        if self.backward.last is None:
            return
        first = self.tensors.first
        fresh = [result for result in results if result is not None and getattr(result, "_trace", 0) >= first]
        if fresh:
            moment = perf_counter()
            self.op(GRAD, (roots, targets), NOTHING, fresh[0] if len(fresh) == 1 else tuple(fresh), moment, moment)
        self.backward.took(targets, results, self.tensors)
