"""One run of a function as a straight line of ops, decisions and marks: what an exporter merges with other runs.

    recording = Recording(tensors)              # the tensors that the run is given
    with recording.active():
        result = function(...)                  # `recording.mark(...)` where arms or iterations meet
    path = recording.path(result)

A path holds the nodes of `program.py` in the order in which they ran.  `Decided` is a decision with the outcome of this
run.  `Mark` is a point of the program at which the caller names the live tensors: each is a new value from there on, so
that equal marks of several runs define the same values.  `Number` is a Python number that stays a value of the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from dyncore.dispatch.registry import Kept, Op
from dyncore.dtypes import dtypes
from dyncore.errors.source import Place, caller_place, place
from dyncore.graph import events
from dyncore.graph.modes import NO_GRAD, _mode, changed
from dyncore.tensors.tensor import Tensor, wrap

from .captured import _Builder, _key, _State
from .data_sizes import DataSizes
from .program import Call, Constant, Decision, Input, Node, Value
from .steps import Decision as Asked, Node as Recorded, Slot, Trace, mapped, placed, slots_in
from .tape import Tape, _Stop
from .tracing import Blocks

Rounding = Callable[[str, Any], Any]

_NUMBERS = (int, float)


class NotRecorded(Exception):
    """Run that cannot be a path: `reason` and the user's `line`."""

    def __init__(self, reason: str, line: str) -> None:
        super().__init__(f"the function {reason}, at {line}")
        self.reason = reason
        self.line = line


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, what came out in this run, and how far the compared numbers were from each other."""

    decision: Decision
    outcome: Any
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the program.

    kind, key, instance: what the caller calls it; one instance for each time that a region is entered.
    leaves: the value of each live tensor by its name, before and after.
    state: what else Python knows there; marks of one key and one state go on in the same way.
    """

    kind: str
    key: Any
    instance: int
    leaves: Mapping[str, tuple[Value, Value]]
    state: Any
    site: Place


@dataclass(frozen=True, slots=True)
class Path:
    """One run.

    written: whether a tensor was written in place.  arrays: the results of this run and its numbers, by `Value.number`.
    indirect: results of ops that another function of the engine's called: it may have computed their arguments.
    data_sized: values by number whose shape may be another for inputs of the same shapes.
    earlier: the numbers of values that marks name, and what each was before, unless under another name at a mark.
    """

    inputs: tuple[Input, ...]
    constants: tuple[Constant, ...]
    nodes: tuple[Node | Decided | Mark, ...]
    result: Any
    written: bool
    arrays: Mapping[int, Any]
    indirect: frozenset[int]
    data_sized: Mapping[int, Value]
    earlier: Mapping[int, int]


class _RecordedMark:
    """A mark as the tape holds it: slots where the path has values."""

    __slots__ = ("kind", "key", "instance", "leaves", "state", "site")

    def __init__(self, kind: str, key: Any, instance: int, leaves: dict[str, Any], state: Any, site: Place) -> None:
        self.kind, self.key, self.instance = kind, key, instance
        self.leaves, self.state, self.site = leaves, state, site


class _Labels(dict[int, str]):
    """Labels of tensors from outside: every tensor that a name leads to may be used."""

    def get(self, key: int, default: Any = None) -> Any:
        return "parameter"


class _Whole(Blocks):
    """Ops as steps by themselves, without what they keep for backward.

    memory: arrays of tensors that were made from nothing, by the slots that hold copies of them.
    """

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.memory: dict[Slot, Any] = {}

    def traced(self, op: Op, slots: Any, named: Any, found: Any) -> Any:
        """Look into no op."""
        return None

    def opaque(self, op: Op, slots: Any, named: Any, found: Any) -> Any:
        """Return (results, {}) of an op."""
        made, kept = super().opaque(op, slots, named, found[0] if found.__class__ is Kept else found)
        for each in slots_in((slots, named)) if self.memory else ():
            for view in slots_in(made) if each in self.memory else ():
                if view.value.__class__ is np.ndarray and np.may_share_memory(view.value, self.memory[each]):
                    view.root = each.root
        return made, kept


class _OpTape(Tape):
    """A tape that looks into no op."""

    def __init__(self, tensors: list[Any], rounding: Rounding | None) -> None:
        super().__init__(tensors, _Labels(), NO_GRAD, lambda each: False)
        self._rounding = rounding
        self.blocks = self._whole = _Whole(self.trace)
        self.called = ""  # the function of the engine's that the user's line calls
        self.indirect: set[int] = set()  # positions of nodes that another function of the engine's called
        self.data_sized = DataSizes()
        self._left: dict[int, Any] = {}  # roots of tensors of which `renew` gave one another root, and at which mark
        self.split: set[Any] = set()  # those marks, if a tensor of such a root was used later

    def computing(self, op: Op, raws: list[Any], named: dict[str, Any]) -> Any:
        found = super().computing(op, raws, named)
        return found if self._rounding is None else self._rounding(op.name, found)

    def _node(self, kind: Any, name: str, *rest: Any) -> None:
        if self.called and name != self.called:
            self.indirect.add(len(self.nodes))
        super()._node(kind, name, *rest)
        self.data_sized.follow(self.nodes[-1])  # type: ignore[arg-type]

    def slot_of(self, tensor: Any, *, reads: bool = True) -> Slot:
        """Return the slot of a tensor, whose elements are not read if `reads` is False."""
        try:
            return self._slot_of(tensor) if reads else super()._slot_of(tensor)
        except _Stop:
            raise NotRecorded(*(self.refused or ("stops", "?"))) from None

    def _slot_of(self, tensor: Any) -> Slot:
        slot = super()._slot_of(tensor)
        if slot.root.number in self._left:
            self.split.add(self._left[slot.root.number])
        return slot

    def renew(self, tensor: Any, mark: Any) -> tuple[Slot, Slot]:
        """Bind a tensor to a new slot with memory of its own, at a mark; return the one before and the new one."""
        before = self.slot_of(tensor, reads=False)
        after = self.trace.slot(tensor._array)
        self._known[id(tensor)] = tensor, after, tensor._array
        if before.root.number in self._left:
            self._left[after.number] = self._left[before.root.number]
        else:
            self._left[before.root.number] = mark
        self.data_sized.pass_on(before, after)
        return before, after

    def _bind(self, tensor: Any, slot: Slot) -> None:
        super()._bind(tensor, slot)
        if slot.kind == "constant":
            self._whole.memory[slot] = tensor._array

    def constant(self, array: Any) -> Any:
        """Return a tensor that is a constant of the path."""
        made = wrap(array, None)
        self._known[id(made)] = made, self.trace.slot(array, "constant"), made._array
        return made

    def _slots(self, given: Any, raw: Any) -> Any:
        if isinstance(given, Tensor) and id(given) in self._known:
            return self._slot_of(given)
        return super()._slots(given, raw)


class Recording:
    """Records one run; `active()` around it, `mark` inside, `path` afterwards.

    tensors: those that the run is given.  Python numbers that it is given become values by `number`.
    rounding: called with the name of each op and the arrays that it made; the run goes on with what it returns.
    """

    def __init__(self, tensors: list[Any], rounding: Rounding | None = None) -> None:
        self._tensors = tensors
        self.tape = _OpTape(tensors, rounding)

    @contextmanager
    def active(self) -> Iterator[Recording]:
        """Record what runs inside, in no_grad mode.  Raises NotRecorded for what cannot be recorded."""
        token = _mode.set(changed(NO_GRAD, tape=self.tape))
        events.tapes += 1
        try:
            yield self
        finally:
            events.tapes -= 1
            _mode.reset(token)
        self.check()

    def check(self) -> None:
        """Raise NotRecorded if the run did what cannot be recorded."""
        if self.tape.refused is not None:
            raise NotRecorded(*self.tape.refused)

    def refuse(self, reason: str) -> None:
        """Refuse the run, at the user's line that runs now."""
        self.tape.refuse(reason, str(caller_place()))
        self.check()

    def roots(self, tensors: list[Any]) -> list[int]:
        """Return a number for the memory of each tensor, equal where it is shared."""
        return [self.tape.slot_of(each, reads=False).root.number for each in tensors]

    @property
    def split(self) -> set[tuple[str, Any]]:
        """(kind, key) of marks that named one tensor of some memory, where another one of it was used later."""
        return self.tape.split

    def is_outside(self, tensor: Any) -> bool:
        """Return whether a tensor comes from outside the run and is not an argument: a parameter, a global."""
        slot = self.tape.slot_of(tensor, reads=False)
        return slot.kind == "external" and all(tensor is not each for each in self._tensors)

    @contextmanager
    def calling(self, name: str) -> Iterator[None]:
        """Note that the user's line calls a function of the engine's meanwhile."""
        before, self.tape.called = self.tape.called, self.tape.called or name
        try:
            yield
        finally:
            self.tape.called = before

    def mark(self, kind: str, key: Any, instance: int, tensors: dict[str, Any], state: Any) -> None:
        """Mark a point of the program; `tensors` are the live ones by name, each of them once."""
        self.tape._rest()
        leaves = {name: self.tape.renew(each, (kind, key)) for name, each in tensors.items()}
        self.tape.nodes.append(_RecordedMark(kind, key, instance, leaves, state, caller_place()))  # type: ignore[arg-type]

    def constant(self, value: float) -> Any:
        """Return a 0-d tensor, float64 or int64, that is a constant of the path."""
        return self.tape.constant(np.float64(value) if isinstance(value, float) else np.int64(value))

    def size(self, tensor: Any, dim: int) -> Any:
        """Return the size of a dimension as a 0-d int64 tensor that stays a value of the path."""
        return self.computed("size", {"input": tensor, "dim": dim}, np.int64(tensor._array.shape[dim]))

    def fixed_size(self, tensor: Any, dim: int) -> int:
        """Return the size of a dimension, which is read there: the path holds for this one alone."""
        slot = self.tape.slot_of(tensor)
        size = int(slot.shape[dim])
        self.tape.nodes.append(Recorded("read", f"shape[{dim}]", (slot,), {"result": size}, (), ()))
        return size

    def computed(self, op: str, arguments: dict[str, Any], array: Any, *, sized_by_data: bool = False) -> Any:
        """Return a tensor that holds `array`, the result of an op of the caller's own on tensors and plain values.

        sized_by_data: whether its shape may be another for inputs of the same shapes, whatever its arguments are.
        """
        tape = self.tape
        given = mapped(arguments, Tensor, tape.slot_of)
        made = wrap(array, None)
        slot = tape.trace.slot(made._array)
        tape._known[id(made)] = made, slot, made._array
        tape._rest()
        tape._node("call", op, (), given, (slot,))
        if sized_by_data:
            tape.data_sized.add(slot)
        return made

    def with_values(self, call: Callable[[], Any], plain: tuple[Any, ...], given: tuple[Any, ...]) -> Any:
        """Return `call()`, an op whose node takes `given`, tensors among them, for numbers `plain` behind its first."""
        made = call()
        node: Any = self.tape.nodes[-1]
        count = len(plain)
        if getattr(node, "kind", "") != "call" or node.args[1 : count + 1] != plain:
            self.refuse("computes with a size in a way that is not recorded")
        node.args = (node.args[0], *mapped(given, Tensor, self.tape.slot_of), *node.args[count + 1 :])
        self.tape.data_sized.follow(node)
        return made

    def is_sized_by_data(self, tensor: Any) -> bool:
        """Return whether the elements of tensors decide the shape of this one."""
        known = self.tape._known.get(id(tensor))
        return known is not None and known[1] in self.tape.data_sized

    def escape(self, tensor: Any) -> Any:
        """Return the number in a 0-d tensor; the path holds for this number alone."""
        value = tensor._array.item()
        self.tape.escape(tensor, "__float__" if isinstance(value, float) else "__int__", value)
        self.check()
        return value

    def path(self, result: Any) -> Path:
        """Return the path; `result` is a tree of tensors and plain values."""
        slots = mapped(result, Tensor, self.tape.slot_of)
        self.check()
        written = [each for each in self.tape.externals if each.writes]
        if written:
            name = "an input" if written[0].argument is not None else "a parameter or a global tensor"
            line = next((str(_site(n)) for n in self.tape.nodes if getattr(n, "kind", "") in ("write", "effect")), "?")
            raise NotRecorded(f"writes into {name} of shape {list(written[0].array.shape)}", line)
        return _Line(self.tape, len(self._tensors)).path(slots)


def _site(node: Any) -> Place:
    return place(node.code, node.lasti)


class _Line(_Builder):
    """Turns what one tape recorded into a path."""

    def __init__(self, tape: _OpTape, count: int) -> None:
        self._count = 0
        self._inputs: dict[int, Input] = {}
        self._constants: list[Constant] = []
        self._known: dict[Any, Value] = {}
        self._nodes: list[Any] = []
        self._tape = tape
        placed(tape.externals, [], count)
        self._registry = {each.slot.place: each for each in tape.externals}
        self._arrays: dict[int, Any] = {}
        self._made: dict[int, Call] = {}
        self._data_sized: dict[int, Value] = {}
        self._earlier: dict[int, int] = {}
        self._names: dict[int, str] = {}  # names of values that marks made

    def path(self, result: Any) -> Path:
        """Return the path that returned `result`, a tree of slots."""
        state = _State()
        for number in range(len(self._tape.externals)):
            self._input(self._tape.externals[number].slot.place)
        nodes: list[Any] = list(self._tape.nodes)
        indirect: set[int] = set()
        for position, node in enumerate(nodes):
            before = len(self._nodes)
            if isinstance(node, _RecordedMark):
                self._mark(node, state)
            elif isinstance(node, Asked):
                self._nodes.append(self._decided(node, state))
            elif isinstance(node, Recorded):
                if node.kind == "effect":
                    raise NotRecorded(f"writes in place by `{node.name}`", str(_site(node)))
                self._node(node, state)
            if position in self._tape.indirect:
                calls = [each for each in self._nodes[before:] if isinstance(each, Call)]
                indirect.update(each.number for call in calls for each in call.results if each is not None)
        values = mapped(result, Slot, lambda slot: self._seen(slot, state))
        return Path(
            tuple(self._inputs[each] for each in sorted(self._inputs)), tuple(self._constants),
            tuple(self._nodes), values, bool(self._tape.writes), MappingProxyType(self._arrays),
            frozenset(indirect), MappingProxyType(self._data_sized), MappingProxyType(self._earlier),
        )  # fmt: skip

    def _seen(self, slot: Slot, state: _State) -> Value:
        value = self._value(slot, state)
        self._arrays[value.number] = slot.value
        return value

    def _new(self, like: Slot | Value) -> Value:
        value = super()._new(like)
        if like.number in self._data_sized if isinstance(like, Value) else like in self._tape.data_sized:
            self._data_sized[value.number] = value
        return value

    def _input(self, number: int) -> Input:
        found = self._inputs.get(number)
        if found is None:
            external = self._registry[number]
            self._count += 1
            value = Value(self._count - 1, tuple(external.slot.shape), dtypes.of(external.slot.dtype))
            found = self._inputs[number] = Input(value, external.label, external.argument, external.tensor, False)
            self._arrays[value.number] = external.array
        return found

    def _define(self, call: Call, slots: tuple[Slot | None, ...], parent: Slot | None, state: _State) -> None:
        super()._define(call, slots, parent, state)
        for slot, value in zip(slots, call.results, strict=True):
            if slot is not None and value is not None:
                self._made[value.number] = call
                if value.shape == ():
                    self._arrays[value.number] = slot.value

    def _mark(self, mark: _RecordedMark, state: _State) -> None:
        leaves = {}
        for name, (before, after) in mark.leaves.items():
            new = state.current[_key(after)] = self._new(after)
            old = self._value(before, state)
            leaves[name] = old, new
            if self._names.get(old.number, name) == name:
                self._earlier[new.number] = old.number
            self._names[new.number] = name
            if new.shape == ():
                self._arrays.setdefault(old.number, before.value)
            if old.number in self._arrays:
                self._arrays[new.number] = self._arrays[old.number]
        self._nodes.append(Mark(mark.kind, mark.key, mark.instance, MappingProxyType(leaves), mark.state, mark.site))

    def _decided(self, asked: Asked, state: _State) -> Decided:
        decision = self._decision(asked, state)
        operands = [slot.value for slot in asked.slots]
        margin: float | None = None
        if decision.comparison is not None:
            margin = abs(float(operands[0]) - decision.comparison[1])
        elif decision.how == "bool":
            margin = self._margin(decision.operands[0])
        return Decided(decision, asked.outcome, margin)

    def _margin(self, value: Value) -> float | None:
        """Return the distance of the numbers that a comparison compared, None for anything else."""
        call = self._made.get(value.number)
        if call is None or call.op not in ("gt", "ge", "lt", "le", "eq", "ne"):
            return None
        operands = [call.arguments.get("input"), call.arguments.get("other")]
        found = []
        for each in operands:
            number: Any = each if isinstance(each, _NUMBERS) else None
            if isinstance(each, Value):
                number = self._arrays.get(each.number)
                for constant in self._constants if number is None else ():
                    number = constant.array if constant.value is each else number
            if number is None or np.ndim(number) or np.asarray(number).dtype.kind != "f":
                return None
            found.append(float(number))
        return abs(found[0] - found[1])
