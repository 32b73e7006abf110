"""What an event log has recorded so far, as its callbacks and collectors see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dyncli.recording.engine import Tensor
from dyncli.recording.events.backward_passes import BackwardPasses
from dyncli.recording.events.enclosing_calls import FunctionCalls, ModuleCalls
from dyncli.recording.events.rows import Rows
from dyncli.recording.events.tensor_ids import TensorIds
from dyncli.recording.events.writes import Writes

Escape = tuple[int, str, Any, int, Any, int, int]


class Kept(NamedTuple):
    """What a node holds besides its op's arguments: bytes of a mask, of indices, of a composite op's steps.

    ranks: of those steps.  numbers: the script's tensors that they hold.
    """

    size_bytes: int = 0
    ranks: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()


class RecordedEvents:
    """The events of one run.

    decisions: the decision log, whose length is stored with every event.
    ops: the table of ops.  tensors: numbers of tensors.  backward: the backward passes.
    modules, functions: the calls that enclose ops.  writes: what was written in place.
    saved: by op, what its nodes hold besides arguments and results.
    steps: by the rank of a node, its op, where the op left several.
    inspected: by number, the statistics of larger tensors that something bad was made of.
    compared: by number, what the operands of the newest comparison of small tensors held, if no values are kept.
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
        self.escapes: list[Escape] = []
        self.between_ops: list[Any] = []
        self.grad_modes: list[int] = []
