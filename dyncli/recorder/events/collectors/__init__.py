"""Collectors of an event log, beyond which op ran on which tensors: the protocol, the least, and a file for each other.

Collectors are switched on one by one and combined in any number, in this order:

| collector    | stores                                                        | switched on by                        |
|--------------|---------------------------------------------------------------|---------------------------------------|
| Shapes       | shapes of what came from outside, from which others follow    | `run` that only prints tables         |
| Values       | elements of small results and gradients                       | all others                            |
| Times        | when each op began and ended                                  | all others                            |
| Digests      | digest, statistics and, as far as there is room, elements     | `--save` of any command, `diff`       |
| Edges        | gradients along every edge                                    | `graph --grads`                       |
| Statistics   | norms, bad values, former values of parameters                | `trace`, `--save` of any command      |
| SavedMemory  | bytes and tensors that ops hold for backward                  | all commands                          |
| Watchpoints  | calls the conditions of `--break` after every op              | `run --break`                         |
| Slopes       | derivatives of tested values                                  | the second run of `run --sensitivity` |

`Watchpoints` and `Slopes` are made where their arguments are known; the others are chosen by `collectors_for`.
What a saved record contains depends on `--save` alone, whichever command writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np

from dyncli.recorder.engine import Tensor
from dyncli.recorder.events.recorded_events import RecordedEvents
from dyncli.recorder.events.rows import Nodes, RecordedOp, Rows, shape_dtype
from dyncli.recorder.request import Request


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


Form = tuple[tuple[int, ...], Any]  # shape and dtype


class Shapes(Collector):
    """Keeps shape and dtype of each tensor from before the run, by number, for a run of which only tables are shown.

    It keeps no values, no gradients on the way, and no times: what a run returns is read from its tensors, what was
    tested from the log of decisions, and a shape that follows from the operands' is worked out afterwards.
    """

    def __init__(self) -> None:
        self.forms: dict[int, Form] = {}

    def refine(self, retention: Retention) -> Retention:
        """Let the engine leave out shapes that can be worked out, and the nodes of most passes."""
        return retention._replace(rows=lambda: ShapeRows(self), is_direct=True, skips_nodes=True, infers_shapes=True)

    def source(self, number: int, tensor: Tensor) -> None:
        """Keep the shape of a tensor from before the run."""
        self.forms[number] = tensor._array.shape, tensor._array.dtype


class ShapeRows(Rows):
    """The ops of a run, with shapes and dtypes of what they made; those that follow from others are not stored."""

    __slots__ = ("shapes",)

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.shapes = shapes

    def secure(self) -> None:
        """Do nothing: no array is kept."""

    def __iter__(self) -> Iterator[RecordedOp]:
        forms = dict(self.shapes.forms)
        through_views = self.shapes.log.writes.through_views
        forms.update({each.number: shape_dtype(each.what) for each in through_views.values()})
        for recorded in super().__iter__():
            outputs = [
                (number, shape_dtype(what) if what is not None else following(recorded, forms))
                for number, what in recorded.outputs
            ]
            forms.update(outputs)
            yield RecordedOp(recorded.op, recorded.inputs, tuple(outputs), *recorded[3:])


def following(recorded: RecordedOp, forms: dict[int, Form]) -> Form:
    """Return shape and dtype of what an op made, from those of its operands."""
    shape, dtype = forms[recorded.inputs[0]]
    if len(recorded.inputs) == 1:
        return shape, dtype
    other, _ = forms[recorded.inputs[1]]
    if recorded.op.flat:  # a product
        return shape[:-1] + other[:-2] + other[1:][-1:], dtype
    return shape if shape == other else np.broadcast_shapes(shape, other), dtype


def collectors_for(request: Request) -> tuple[Collector, ...]:
    """Return new collectors for what a request needs to know of its run."""
    from dyncli.recorder.events.collectors.saved_memory import SavedMemory

    if request.outline and not request.saved:
        return Shapes(), SavedMemory()
    from dyncli.recorder.events.collectors.values import Times, Values

    found: list[Collector] = [Values(), Times()]
    if request.measure or request.saved:
        from dyncli.recorder.events.collectors.digests import Digests

        found.append(Digests())
    if request.edges:
        from dyncli.recorder.events.collectors.edges import Edges

        found.append(Edges())
    if request.watch or request.saved:
        from dyncli.recorder.events.collectors.statistics import Statistics

        found.append(Statistics())
    return *found, SavedMemory()
