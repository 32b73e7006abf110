"""The tape: while a function runs, every op on raw arrays, every decision, and the graph they leave for backward.

The engine calls a tape where it computes (`general.call`), writes in place, makes tensors and lets values out.
Whatever a tape does not understand it refuses, and then the call was an ordinary one; it never guesses.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from dyncore.creation.factory import FACTORIES
from dyncore.dispatch.general import NUMBER, _value, unwrap
from dyncore.dispatch.registry import Op
from dyncore.dtypes import dtypes
from dyncore.errors.source import caller_place
from dyncore.graph import versions
from dyncore.graph.modes import changed, current
from dyncore.graph.node import DISCARD
from dyncore.rng import generator
from dyncore.tensors.tensor import Tensor

from .comparisons import COMPARE, comparisons
from .steps import (
    ARRAYS,
    PLAIN,
    SHAPES,
    VALUES,
    Decision,
    Entry,
    External,
    Made,
    Node,
    Refused,
    Returned,
    Slot,
    Step,
    Trace,
    drawn,
    has_array,
    matches,
    numbers_only,
    overlap,
    same_bits,
    site,
    slots_in,
)
from .tracing import Blocks, root_of

MOST_STEPS = 20_000


_OPS_OF = {"astype": "to", "copy": "clone"}
_NONE: Mapping[str, Any] = MappingProxyType({})


class _Stop(Exception):
    """Ends what a tape does for a call that it refuses."""


def _unless_refused(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of a tape that does nothing for a call that is refused, and ends where it refuses it."""

    @functools.wraps(method)
    def recorded(self: Tape, *given: Any, **named: Any) -> Any:
        if self.refused is not None:
            return None
        try:
            return method(self, *given, **named)
        except _Stop:
            return None

    return recorded


class Tape:
    """Tape of one call.

    `refused` is (reason, line) once something could not be understood.
    """

    def __init__(self, arguments: list[Any], environment: dict[int, Any], mode: Any, held: Any) -> None:
        self.trace = Trace()
        self.blocks = Blocks(self.trace)
        self.nodes: list[Node | Decision] = []
        self._noted = 0  # how many of the steps belong to nodes
        self.externals: list[External] = []
        self.refused: tuple[str, str] | None = None
        self.entries: dict[int, Entry] = {}
        self.graph: list[Entry] = []
        self.writes: dict[int, int] = {}
        self._environment = environment
        self._known: dict[int, tuple[Any, Slot, Any]] = {}
        self._kept: list[Any] = []
        self._newest = versions.newest
        self._draws = generator.draws
        self._thread = threading.get_ident()
        self._last: Any = None
        self._mode = mode
        self._held = held
        for number, tensor in enumerate(arguments):
            self._external(tensor, f"argument {number}", number)

    def forward(self, op: Op, args: Any, kwargs: Any, raws: list[Any], named: dict[str, Any]) -> Any:
        """Return what the op's forward returns, recorded as steps."""
        if self.refused is None:
            watch = sys.getprofile()
            sys.setprofile(None)  # none of the user's code runs in here, and much of this
            try:
                return self._forward(op, args, kwargs, raws, named)
            except _Stop:
                pass
            finally:
                sys.setprofile(watch if self.refused is None else None)
        return op.forward(*raws, **named)

    def _forward(self, op: Op, args: Any, kwargs: Any, raws: list[Any], named: dict[str, Any]) -> Any:
        if changed(current(), grad=self._mode.grad, tape=None) is not self._mode:
            self._stop("runs under another mode (inference, anomaly, saved tensor hooks, forward AD)")
        self._settled()
        if len(self.trace.steps) > MOST_STEPS:
            self._stop(f"takes more than {MOST_STEPS:,} steps")
        slots = [self._slots(each, raw) for each, raw in zip(args, raws, strict=True)]
        given = tuple(slots)
        named_slots = {key: self._slots(each, named[key]) for key, each in kwargs.items()}
        if op.floats:
            for k in range(2 if op.kind == "binary" else 1):
                if type(slots[k]) is Slot and slots[k].value is not raws[k]:
                    slots[k] = self._step("call", dtypes.as_float, (slots[k],), raws[k])
        try:
            found = self.computing(op, raws, named)
        except Exception:
            self.refuse("goes on after an op has raised")
            raise
        drew = generator.draws != self._draws
        self._draws = generator.draws
        if drew:
            self.trace.random = True
        try:
            made = None if drew else self.blocks.traced(op, slots, named_slots, found)
            if made is None:
                made = self.blocks.opaque(op, slots, named_slots, found)
            self._last = slots, named_slots, made, (given, drew)
        except Refused as error:
            self.refuse(str(error))
        return found

    def computing(self, op: Op, raws: list[Any], named: dict[str, Any]) -> Any:
        """Return what the op's forward returns."""
        return op.forward(*raws, **named)

    @_unless_refused
    def made(self, op: Op, args: Any, kwargs: Any, tensors: tuple[Any, ...]) -> None:
        """Record that the op that `forward` was last called for returned these tensors."""
        last, self._last = self._last, None
        if last is None:
            return
        slots, named, (results, extras), (given, drew) = last
        for tensor, slot in zip(tensors, results, strict=True):
            if tensor is not None:
                self._bind(tensor, slot)
        self._node("draw" if drew else "call", op.name, given, named, tuple(results), op)
        node = next((t._edge.node for t in tensors if t is not None and t._edge not in (None, DISCARD)), None)
        if node is not None:
            self._entry(node, op, slots, named, results, extras)

    def same(self) -> None:
        """Record that the op returned its argument."""
        self._last = None

    @_unless_refused
    def derived(self, how: str, source: Any, made: Any, *given: Any) -> None:
        """Record that `made` comes from `source` by a copy, a cast, or `detach`."""
        slot = self._slot_of(source)
        if how == "detach":
            self._bind(made, slot)
            return
        result = self._step("method", how, (slot, *given), made._array)
        self._bind(made, result)
        self._node("call", _OPS_OF[how], (slot,), {"dtype": given[0]} if given else {}, (result,))

    @_unless_refused
    def wrote(self, target: Any, value: Any) -> None:
        """Record that the elements of `value` were written into the memory of `target`."""
        source = self._slot_of(value)
        self._newest = versions.newest
        into = self._slot_of(target)
        self.trace.steps.append(Step("write", None, (into, source), {}, None))
        self._note_write(target, into)
        self._node("write", "copy_", (into, source))

    @_unless_refused
    def computed(self, made: Any, function: Any, *given: Any) -> None:
        """Record that `function` of the arrays of `given` made the array of `made`."""
        slots = tuple(self._slot_of(each) if isinstance(each, Tensor) else each for each in given)
        result = self._step("call", function, slots, made._array)
        self._bind(made, result)
        self._node("call", function.__name__.strip("_"), slots, {}, (result,))

    @_unless_refused
    def effect(self, function: Any, targets: tuple[Any, ...], given: tuple[Any, ...]) -> None:
        """Record that `function` wrote into the memory of `targets`, reading `given`."""
        self._newest = versions.newest
        into = [self._slot_of(each) for each in targets]
        read = [self._slot_of(each) if isinstance(each, Tensor) else each for each in given]
        self.trace.steps.append(Step("call", function, (*into, *read), {}, None))
        for target, slot in zip(targets, into, strict=True):
            self._note_write(target, slot)
        self._node("effect", function.__name__.strip("_"), (tuple(into), tuple(read)))

    @_unless_refused
    def created(self, made: Any, requires_grad: bool, name: str, args: Any, source: Any) -> None:
        """Record a tensor made from nothing: a constant of the recording, or drawn anew at each run."""
        self._settled(drawing=True)
        if requires_grad:
            self._stop(f"makes a leaf that requires grad ({name})")
        parts = (args, source and source[2])
        if not numbers_only(parts):
            self._stop(f"makes a tensor from others or from an array ({name})")
        if generator.draws == self._draws:
            self._bind(made, self.trace.slot(made._array.copy(), "constant"))
            return
        self._draws = generator.draws
        if source is None:
            self._stop(f"draws random numbers in a way that is not recorded ({name})")
        function, given, named = source
        self.trace.random = True
        array = np.asarray(made._array)
        slot = self._step("call", drawn, (function, given, named), made._array, plain=True)
        assert array.shape == slot.shape
        self._bind(made, slot)
        self._node("draw", name, given, named, (slot,), FACTORIES[name])

    @_unless_refused
    def escape(self, tensor: Any, how: str, value: Any, *others: Any) -> None:
        """Record a value that left for Python: a decision, unless it is a shape."""
        if how in SHAPES:
            known = self._known.get(id(tensor))
            if known is not None:
                self.nodes.append(Node("read", how, (known[1],), {"result": value}, (), ()))
            return
        self._settled()
        if how not in VALUES:
            self._stop(f"takes values out with `{how}`")
        slots = tuple(self._slot_of(each) for each in (tensor, *others))
        compared = comparisons(5) if how == "item" else None
        asked = [(how, value)]
        if compared is not None:
            asked = [(f"item {symbol} {other!r}", COMPARE[symbol](value, other)) for symbol, other in compared]
        self._rest()
        for each, found in asked:
            decision = Decision(each, slots, found, caller_place())
            self.trace.steps.append(decision)
            self.nodes.append(decision)
        self._noted = len(self.trace.steps)

    def refuse(self, reason: str, where: str | None = None) -> None:
        """Refuse the call: it cannot be replayed."""
        if self.refused is None and threading.get_ident() == self._thread:
            self.refused = reason, site() if where is None else where
            sys.setprofile(None)  # nothing is watched for any more

    @_unless_refused
    def finish(self, result: Any) -> Any:
        """Return the tree of what the call returned, with `Returned` for its tensors.  None if it is refused."""
        self._settled()
        for external in self.externals:
            tensor = external.tensor
            if tensor._edge is not external.edge:
                self._stop(f"changes the history of {external.label}")
            if tensor._array is not external.array:
                self._stop(f"gives {external.label} other memory")
        for entry in self.graph:
            for slot in slots_in(entry.saved):
                if self.writes.get(slot.root.number, 0) > entry.after:
                    self._stop("writes over a value that backward needs")
        shaped = self._returned(result)
        self._rest()
        return shaped

    def _returned(self, result: Any) -> Any:
        if isinstance(result, Tensor):
            for number, external in enumerate(self.externals):
                if external.tensor is result:
                    return Returned(external=number)
            slot = self._slot_of(result)
            number = next((k for k, e in enumerate(self.externals) if e.tensor is result), -1)
            if number >= 0:  # met only now
                return Returned(external=number)
            if type(result) is not Tensor:
                self._stop(f"returns a {type(result).__name__}")
            if slot.root.kind == "external":
                self._stop("returns a view of a tensor from outside")
            if slot.root.kind == "constant":
                slot.root.fresh = True
            edge = result._edge
            if edge is None:
                return Returned(slot=slot, tensor=id(result))
            entry = self.entries.get(id(edge.node))
            if entry is None:
                self._stop("returns a tensor whose history it did not see")
            return Returned(slot=slot, entry=entry, index=edge.index, tensor=id(result))
        kind = type(result)
        if kind in (list, dict) and self._held(result):
            self._stop("returns a container that is not its own")
        if kind in (list, tuple):
            return kind([self._returned(each) for each in result])
        if isinstance(result, tuple):
            parts = [self._returned(each) for each in result]
            return Made(kind, parts, hasattr(result, "_make"))
        if kind is dict:
            return {key: self._returned(each) for key, each in result.items()}
        if kind in PLAIN or kind.__name__ in ("Size", "device"):
            return result
        self._stop(f"returns a {kind.__name__}")

    def _settled(self, drawing: bool = False) -> None:
        if threading.get_ident() != self._thread:
            self._stop("runs ops in another thread")
        if versions.newest != self._newest:
            self._stop("writes into a tensor in a way that is not recorded")
        if not drawing and generator.draws != self._draws:
            self._stop("draws random numbers in a way that is not recorded")

    def _stop(self, reason: str) -> Any:
        self.refuse(reason)
        raise _Stop

    def _external(self, tensor: Any, label: str, argument: int | None) -> Slot:
        slot = self.trace.slot(tensor._array, "external")
        for other in self.externals:
            if argument is not None and overlap(other.array, tensor._array):
                slot.root = other.slot.root
                break
        found = External(tensor, slot, label, argument)
        self.externals.append(found)
        self._known[id(tensor)] = tensor, slot, tensor._array
        return slot

    def _bind(self, tensor: Any, slot: Slot) -> None:
        self._known[id(tensor)] = tensor, slot, tensor._array
        if tensor._array is not slot.value:
            if not same_bits(tensor._array, slot.value):
                self._stop("gives a tensor another array than its op made")
            if slot.kind != "constant":
                slot.value = tensor._array

    def _slot_of(self, tensor: Any) -> Slot:
        found = self._known.get(id(tensor))
        if found is None:
            label = self._environment.get(id(tensor))
            if label is None:
                return self._stop("uses a tensor that it did not see being made")
            slot = self._external(tensor, label, None)
            for other in self.externals[:-1]:
                if overlap(other.array, tensor._array):
                    slot.root = other.slot.root
            return slot
        _, slot, array = found
        if tensor._array is not array:
            if isinstance(array, np.generic) and type(tensor._array) is np.ndarray and tensor._array.shape == ():
                made = self.trace.slot(tensor._array)
                self.trace.steps.append(Step("call", np.asarray, (slot,), {}, made))
                self._known[id(tensor)] = tensor, made, tensor._array
                if slot.kind == "external":
                    self._stop("shares the memory of a 0-d tensor from outside")
                self._node("same", "", (slot,), {}, (made,))
                return made
            self._stop("gives a tensor other memory")
        return slot

    def _note_write(self, target: Any, into: Slot) -> None:
        if target._meta is not None and target._meta.untracked:
            self._stop("writes through `.data`")
        root = into.root
        if root.kind == "constant":
            root.fresh = True
        self.writes[root.number] = len(self.trace.steps)
        for external in self.externals:
            if external.slot.root is root:
                if root is not external.slot or external.slot.scalar:
                    self._stop(f"writes into memory of {external.label} that others see")
                external.writes += 1

    def _slots(self, given: Any, raw: Any) -> Any:
        """Return an argument of an op with slots for its tensors."""
        if isinstance(given, Tensor):
            if given._meta is NUMBER:
                return self.trace.slot(raw, "constant")
            return self._slot_of(given)
        if type(given) in (tuple, list):
            return type(given)([self._slots(each, unwrap(each)) for each in given])
        if isinstance(given, ARRAYS):
            self._stop("computes with a NumPy array")
        return given

    def _step(self, kind: str, function: Any, args: tuple[Any, ...], value: Any, plain: bool = False) -> Slot:
        made = self.trace.slot(value, "made", None if plain else root_of(value, args))
        self.trace.steps.append(Step(kind, function, args, {}, made))
        return made

    def _node(
        self, kind: str, name: str, args: Any, kwargs: Any = _NONE, results: tuple[Any, ...] = (), op: Any = None
    ) -> None:
        """Add what the function just did, with the steps since the node before."""
        steps = tuple(self.trace.steps[self._noted :])
        self._noted = len(self.trace.steps)
        self.nodes.append(Node(kind, name, tuple(args), kwargs, results, steps, op))

    def _rest(self) -> None:
        """Let steps that belong to no op stand before what follows."""
        if self._noted < len(self.trace.steps):
            self._node("steps", "", ())

    def _entry(self, node: Any, op: Op, slots: Any, named: Any, results: list[Any], extras: dict[str, Any]) -> None:
        """Record the node that the op left."""
        given: dict[str, Any] = dict(op.defaults)
        given.update(zip(op.names[: op.positional], slots, strict=False))
        if op.variadic is not None:
            given[op.variadic] = tuple(slots[op.positional :])
        given.update(named)
        saved: list[Any] = []
        for name, held in zip(op.saved_names, node.values, strict=True):
            if not has_array(held):
                saved.append(held)
                continue
            tree = _value(name, given, tuple(results), extras)
            if not matches(tree, held):
                self._stop(f"saves `{name}` of `{op.name}` in a way that is not recorded")
            saved.append(tree)
        made = Entry()
        made.number = len(self.graph)
        made.op = op
        made.targets = node.targets
        made.metas = node.metas
        made.outs = node.outs
        made.label = node.name()
        made.saved = tuple(saved)
        made.place = node.code, node.lasti
        made.after = len(self.trace.steps)
        made.to = tuple(self._edge(edge) for edge in node.to)
        self._kept.append(node)
        self.entries[id(node)] = made
        self.graph.append(made)

    def _edge(self, edge: Any) -> Any:
        if edge is None:
            return None
        entry = self.entries.get(id(edge.node))
        if entry is not None:
            return "node", entry, edge.index
        for number, external in enumerate(self.externals):
            if external.edge is edge:
                return "tensor", number
        self._stop("computes with a tensor whose history it did not see")
