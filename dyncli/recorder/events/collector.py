"""The protocol of collectors: what they see of a run, and how they together determine what an event log stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from dyncli.recorder.engine import Tensor
from dyncli.recorder.events.backward_passes import BackwardPasses
from dyncli.recorder.events.enclosing_calls import FunctionCalls, ModuleCalls
from dyncli.recorder.events.picks import Pick, measure, part
from dyncli.recorder.events.rows import Nodes, Rows
from dyncli.recorder.events.tensor_ids import TensorIds, Writes

Escape = tuple[int, str, Any, int, Any, int, int]


class Kept(NamedTuple):
    """Memory that a node holds besides its op's arguments: bytes of a mask, of indices, of a composite op's steps.

    ranks: of those steps.  numbers: the script's tensors that they hold.
    packed: hooks of saved tensors made of them what is held, and nothing else is: a checkpoint holds none.
    """

    size_bytes: int = 0
    ranks: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    packed: bool = False


class RecordedEvents:
    """The events of one run.

    decisions: the decision log, whose length is stored with every event.
    ops: the table of ops.  tensors: numbers of tensors.  backward: the backward passes.
    modules, functions: the calls that enclose ops.  writes: what was written in place.
    saved: by op, what its nodes hold besides arguments and results.
    steps: by the rank of a node, its op, where the op left several.
    inspected: by number, the statistics of larger tensors that something bad was made of.
    compared: by number, what the operands of the newest comparison of small tensors held, if no values are kept.
    picks: by number, how the indexes or the mask that a tensor holds were chosen.
    escapes: of each value that left for Python: the tensor's number, how, the value, the length of the decision log,
    where, and how many ops there were.
    between_ops: these, and what else happened between ops, as in `transitions`.
    grad_modes: how many ops there were where `no_grad` ended and, as its complement, where it began.
    """

    def __init__(
        self, decisions: list[Any], ops: Rows, on_source: Sequence[Callable[[int, Tensor], None]] = ()
    ) -> None:
        self.decisions = decisions
        self.ops = ops
        self.backward = BackwardPasses()
        self.tensors = TensorIds(self.backward.open, on_source)
        self.modules, self.functions, self.writes = ModuleCalls(), FunctionCalls(), Writes()
        self.saved: dict[int, Kept] = {}
        self.steps: dict[int, int] = {}
        self.inspected: dict[int, Any] = {}
        self.compared: dict[int, Any] = {}
        self.picks: dict[int, Pick] = {}
        self.escapes: list[Escape] = []
        self.between_ops: list[Any] = []
        self.grad_modes: list[int] = []

    def add_pick(self, op: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """Keep how an op picked the indexes, or made the mask, that it returned."""
        if op.name == "__getitem__":
            pick = part(self.picks.get(args[0]._trace), args[0], result)
        else:
            pick = measure(op, args, kwargs, result)
        if pick is not None:
            made = result if isinstance(result, tuple) else (result,)
            self.picks.update(
                {each._trace: pick for each in made if pick.kind == "sample" or each._array.dtype.kind in "ib"}
            )


def no_gradient(gradient: Any) -> Any:
    """Keep nothing of a gradient."""
    return None


class Retention(NamedTuple):
    """The form in which an event log keeps results and gradients; the collectors refine it one after another.

    rows: makes the table of ops.  keeps_values, keeps_times: whether elements and times are kept at all.
    result_elements: the most elements of a result that is put into the table as it is.
    summarize: returns what stands there for another result, given the op's arguments; None for shape and dtype.
    large: returns what is kept of any large array that is not kept as it is, if more than its norm.
    gradient: returns what is kept of the gradient of a node that is reported by a call.
    is_direct: whether the engine may write nodes into the table itself, without a call for each.
    skips_nodes: whether passes that reach a leaf need no nodes.
    infers_shapes: whether shapes that follow from the operands' need not be stored, if neither are values and times.
    """

    rows: Callable[[], Rows] = Rows
    keeps_values: bool = False
    keeps_times: bool = False
    result_elements: int = -1
    summarize: Callable[[Any, Any], Any] | None = None
    large: Callable[[Any], Any] | None = None
    gradient: Callable[[Any], Any] = no_gradient
    is_direct: bool = False
    skips_nodes: bool = False
    infers_shapes: bool = False

    @property
    def needs_clock(self) -> bool:
        """Return whether the engine has to report times and what ops made."""
        return self.keeps_times or self.keeps_values or not self.infers_shapes


class Collector:
    """One kind of information on a run.  Every hook does nothing by default, and costs nothing then.

    Tensors are passed as they are: read them, do not keep or change them.
    """

    log: RecordedEvents
    readers: Mapping[type, Any] = {}
    """Reads the operands of tests that are no tensors, by type."""

    def attach(self, log: RecordedEvents) -> None:
        """Remember the log, before its first event."""
        self.log = log

    def refine(self, retention: Retention) -> Retention:
        """Return what the log keeps with this collector, given what it keeps without."""
        return retention

    def active(self) -> AbstractContextManager[Any]:
        """Return the context in which the script runs."""
        return nullcontext()

    def source(self, number: int, tensor: Tensor) -> None:
        """Handle a tensor from before the run, when it is met first."""

    def before_op(self, op: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """Handle an op that ran and is about to be recorded."""

    def after_op(self, op: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """Handle an op that was recorded."""

    def graph(self, op: Any, args: Sequence[Any], result: Any) -> None:
        """Handle an op, about to be recorded, whose node may hold more than its arguments and results."""

    def overwrite(self, root: Any) -> None:
        """Handle that memory, held by the array `root`, is about to be written without any op."""

    def secure(self) -> None:
        """Finish with all arrays that were put off, as they may be written from now on."""

    def node(self, nodes: Nodes, node: Any, gradient: Any, result: Any) -> None:
        """Handle a node, just recorded, that got `gradient` and returned `result`."""

    def flush(self) -> None:
        """Look at all gradients of the pass that runs that were put off."""

    def end_backward(self) -> None:
        """Handle the end of a backward pass, before its nodes are packed."""


def hooks(collectors: Sequence[Collector], name: str) -> list[Any]:
    """Return the methods of this name that do something."""
    return [getattr(each, name) for each in collectors if getattr(type(each), name) is not getattr(Collector, name)]
