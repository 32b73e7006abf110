"""The one observation point: an op ran, a value left for Python, a module was entered, backward began, a node ran.

No listener is attached by default, and then an op pays for one test. At most one is attached; it is any object with
the methods of `Listener`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from numpy import generic, ndarray

from . import modes, versions
from .node import next_rank

listener: Any = None
quick: Any = None  # see `Listener.op`
now = perf_counter
built: Any = None  # called with each nn.Module at the beginning of its `__init__`
SMALL = 16  # elements of an array that is cheaply kept
MOST = 256  # elements of one that is kept for a moment, to be looked at together with others
ROWS = 512  # which are so many
QUIET: Any = object()  # returned by a listener that records no node of a backward pass
AGAIN = -1  # in the place of a gradient: that of the row before
tapes = 0  # how many tapes are running, in any thread
_PARTS = ("rows", "write", "beside", "source", "pack", "oldest", "due", "most", "bare", "look", "strings")
_NO_PARTS = (None, None, None, None, None, 0, 0, 0, None, None, None)


class Recorder:
    """The specialised functions that run their text, which has the listener's names among its globals.

    A function runs it from its first call after a listener came or went: to attach one costs nothing for the others.

    listening: whether a listener is attached, so that they run their text for one.
    """

    def __init__(self) -> None:
        self.listening = False
        self.running: list[Any] = []  # `specialize.cache.Specialized`
        self.names: dict[str, Any] = {"report": None, "clock": None, **dict(zip(_PARTS, _NO_PARTS, strict=True))}

    def add(self, function: Any) -> None:
        """Let a function that begins to run its text know the listener."""
        function.names.update(self.names)
        self.running.append(function)

    def attach(self, listening: bool, names: dict[str, Any]) -> None:
        """Give the functions the names of a listener, or of none; let them find the text that goes with it."""
        self.update(names)
        if self.listening is not listening:
            self.listening = listening
            running, self.running = self.running, []
            for function in running:
                function.stop()

    def update(self, names: dict[str, Any]) -> None:
        """Give the functions new values of some names."""
        self.names.update(names)
        for function in self.running:
            function.names.update(names)


recorder = Recorder()


class Listener:
    """Interface of a listener.

    Tensors are passed as they are: read, do not keep, do not change.
    clock: what tells the time, in seconds; None of one who wants neither times nor what ops made, and then gets zeros,
    and of most ops with `parts` None in the place of the array, where shape and dtype follow from the operands'.
    """

    clock: Any = staticmethod(perf_counter)

    def op(
        self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any, started: float, ended: float
    ) -> None:
        """Record that `op` ran, with its caller's `args`; times in seconds.

        `result` is a Tensor or a tuple of them.
        It may have a form for ops of one or two operands with nothing but their result to look at, all else being at
        its default: its attribute `quick`, called as quick(op, input, other, result, started), other being None if
        there is none.  What the commonest ops would have it note of a result with a node they note themselves where it
        has `parts`: rows, write, beside, source, pack, oldest, due, most, bare, look, strings.  `rows` gets ten items:
        the operand's `_trace`, the node's rank, which becomes the result's, its `lasti`, when the op started and ended,
        how much was in `beside`, the op, the other operand's `_trace`, a float or a tuple of an integer, the array, and
        the node's `code`.
        Of a vector whose dtype is `strings` they get the length, and `write` the vector; of an array of more than
        `most` elements the shape if its dtype is `bare`, else what `look` gives for it and the operands.
        No other thread runs between the two, as Python changes threads after a call, not after `+=`.
        `source` gives a number to an operand with none below `oldest`, and `pack` is called where the rank is below
        `due`, which is to be put off then by `pack_after`.
        """

    def failed(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any], error: BaseException) -> None:
        """Record that `op` raised."""

    def escape(self, tensor: Any, how: str, value: Any) -> None:
        """Record that `value` left for Python.

        how: item, __bool__, __float__, __index__, tolist, shape, ...
        """

    def enter_module(self, module: Any) -> None:
        """Record that an nn.Module is about to be called."""

    def exit_module(self, module: Any) -> None:
        """Record that the module returned or raised."""

    def begin_function(self, function: Any, args: tuple[Any, ...], node: Any) -> None:
        """Record that `apply` of the user's autograd function `function` begins.

        node: the node it may leave.
        """

    def end_function(self, node: Any, result: Any) -> None:
        """Record that the forward of `apply` is over; `result` is what `apply` returns, or None if it raised."""

    def begin_backward(self, roots: Any, grads: Any) -> Any:
        """Record that a backward pass begins at `roots`, tensors, with the cotangents `grads` (raw arrays).

        It may return a list and a function.  The list gets of most nodes, instead of a call of `node`, the rank, `few`
        of the gradient or the length of a vector of float32, which the function gets, or `AGAIN`, and when it ended.
        It started when the one before ended; rank 0 is that of what ran before the first, or between two.
        Of a listener with a list `edge_gradients` it gets larger gradients too, vectors of at most `MOST` elements;
        `edge_gradients` gets the rank, the edge and the gradient of what does not become the next node's as it is.
        `flush` is called after a gradient of more than `MOST` elements, and after `ROWS` nodes.
        It may return `QUIET`, and then records no node.
        """
        return None

    edge_gradients: Any = None

    def flush(self) -> int:
        """Read the gradients recorded so far, empty `edge_gradients`, and return the length of the other list."""
        return 0

    before_write: Any = None
    """Called before memory is written in place, with the array that holds it, whether it is the first write to it, and
    whether no op is recorded for it; of these two at least one holds."""

    mode: Any = None
    """Called where `no_grad`, `enable_grad` and their like begin or end, with whether ops are recorded from then on."""

    def data(self, tensor: Any, made: Any) -> None:
        """Record that `made` is `tensor.data`."""

    def before_data(self, tensor: Any, value: Any) -> None:
        """Record that `tensor.data = value` follows."""

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        """Record that a node of the backward graph ran on `grad`, a raw array or, under create_graph, a Tensor.

        result: what it hands on: the gradient of its one input, or pairs (edge, gradient).
        """

    def begin_recompute(self) -> None:
        """Record that a backward pass recomputes values that a checkpoint dropped."""

    def end_recompute(self) -> None:
        """Record that the recomputation ended."""

    def before_accumulate(self, leaf: Any, grad: Any) -> None:
        """Record that `grad` is about to be accumulated by an AccumulateGrad node.

        grad: a raw array or a Tensor.
        """

    def end_backward(self, leaves: Any, node: Any) -> None:
        """Record that the backward pass is over; `leaves` are the AccumulateGrad nodes that added to `.grad`.

        node: the one that raised, where an exception ended it.
        """

    def took(self, roots: Any, targets: Any, results: Any) -> None:
        """Record that `autograd.grad` of `roots` is about to return `results`.

        results: tensors or None, for `targets`.
        """


@contextmanager
def recomputing() -> Iterator[None]:
    """Record that the ops in the block ran before."""
    attached = listener
    if attached is not None:
        attached.begin_recompute()
    try:
        yield
    finally:
        if attached is not None:
            attached.end_recompute()


def few(grad: Any) -> Any:
    """Return the raw array of a gradient, if it has no more than `SMALL` elements."""
    array = getattr(grad, "_array", grad)
    return array if isinstance(array, (ndarray, generic)) and array.size <= SMALL else None


def attach(to: Any) -> None:
    """Attach `to` as the listener of every event; detach it for None.  `listen` does so for a block."""
    global listener, quick
    modes.callback = getattr(to, "mode", None)
    versions.callback = None if to is None else getattr(to, "before_write", None)
    listener = to
    quick = None if to is None else getattr(to.op, "quick", None)
    names = dict(zip(_PARTS, getattr(quick, "parts", _NO_PARTS), strict=True))
    names.update(report=quick or _report, clock=None if to is None else getattr(to, "clock", perf_counter))
    recorder.attach(to is not None, names)


def _report(op: Any, input: Any, other: Any, result: Any, started: float) -> None:
    """Report an op of one or two operands to a listener without a `quick`."""
    listener.op(op, (input,) if other is None else (input, other), {}, result, started, now())


def pack_after(ops: int) -> None:
    """Have the listener's `pack` called again after so many ops, or sooner."""
    recorder.update({"due": next_rank() - ops + 1})


@contextmanager
def listen(to: Any) -> Iterator[Any]:
    """Send every event to `to` inside the block.  Raise RuntimeError if a listener is attached already."""
    if listener is not None:
        raise RuntimeError("another listener is active: one run is recorded at a time")
    attach(to)
    try:
        yield to
    finally:
        attach(None)


@contextmanager
def not_recorded() -> Iterator[None]:
    """Detach the listener inside the block, whose ops are recorded as one."""
    global listener
    before = listener
    listener = None
    try:
        yield
    finally:
        listener = before
