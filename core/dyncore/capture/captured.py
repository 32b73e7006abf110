"""The captured programs of a compiled function, made of what its tapes recorded."""

from __future__ import annotations

from ast import literal_eval
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.source import Place, place
from dyncore.graph.capture_marks import REFUSED, capture_as
from dyncore.nn.module import Module

from .function import CompiledFunction
from .program import Arm, Block, Call, Constant, Decision, Input, Program, ShapeRead, Value, Write, changed
from .recording import Plain, Root
from .steps import Decision as Asked, Made, Node, Returned, Slot, mapped, mark, slots_in
from .tree import Branch, Path


@capture_as(REFUSED)
def programs_of(compiled: Any) -> tuple[Program, ...]:
    """Return what a compiled function or Module has recorded: one program for each kind of arguments, oldest first.

    Raises TypeError for anything that `compile` did not return.
    """
    function = getattr(compiled, "_compiled", compiled)
    if not isinstance(function, CompiledFunction):
        raise TypeError(f"programs_of() expected what compile() returns, but got {type(compiled).__name__}")
    return tuple(_Builder(function, root, key[0]).program() for key, root in function.recorded())


View = tuple[Slot, Call, tuple[Slot | None, ...]]  # the slot that a view looks at, the call, the slots of its results


@dataclass(slots=True)
class _State:
    """Values of slots at one point of a path, by `_key`.

    current: the value of a slot.  views: how a slot was made that is a view of another.  owners: the slot
    that its memory belongs to.  versions: how often it was written; seen: as of which write a value is.
    """

    current: dict[Any, Value] = field(default_factory=dict)
    views: dict[Any, View] = field(default_factory=dict)
    owners: dict[Any, Slot] = field(default_factory=dict)
    versions: dict[Any, int] = field(default_factory=dict)
    seen: dict[Any, int] = field(default_factory=dict)

    def copy(self) -> _State:
        """Return a state for another arm."""
        return _State(*(dict(getattr(self, name)) for name in self.__slots__))

    def owner(self, slot: Slot) -> Slot:
        """Return the slot whose memory `slot` is a part of."""
        return self.owners.get(_key(slot), slot)


class _Builder:
    """Turns the tree of one recording into blocks."""

    def __init__(self, function: CompiledFunction, root: Root, grad: bool) -> None:
        self._name = getattr(function, "__qualname__", type(function.__wrapped__).__name__)
        self._root = root
        self._grad = grad
        self._count = 0
        self._inputs: dict[int, Input] = {}
        self._constants: list[Constant] = []
        self._known: dict[Any, Value] = {}  # constants by what they hold
        self._nodes: list[Any] = []
        self._names = _names_in(function.__wrapped__)

    def program(self) -> Program:
        """Return the program."""
        body = self._blocks()
        inputs = tuple(self._inputs[place] for place in sorted(self._inputs))
        return Program(
            self._name, MappingProxyType(self._root.described), self._grad, inputs, tuple(self._constants), body
        )

    def _blocks(self) -> Block:
        """Return the first block, made after all that follow it: a loop may have more of them than Python has calls."""
        for number in range(self._root.count):
            self._input(number)
        made: dict[int, Block] = {}
        stack: list[tuple[Branch, _State, Block | None]] = [(self._root.tree, _State(), None)]
        while stack:
            branch, state, block = stack.pop()
            if block is not None:
                arms = tuple(Arm(each.outcome, made.pop(id(each))) for each in branch.children.values())
                made[id(branch)] = replace(block, arms=arms)
                continue
            block = self._block(branch, state)
            stack.append((branch, state, block))
            children = list(branch.children.values())
            stack += [(each, state.copy() if k else state, None) for k, each in reversed(list(enumerate(children)))]
        return made[id(self._root.tree)]

    def _block(self, branch: Branch, state: _State) -> Block:
        self._nodes = []
        for node in branch.nodes:
            self._node(node, state)
        decision = None if branch.decision is None else self._decision(branch.decision, state)
        result, written = (None, ()) if branch.end is None else self._ended(branch.end, state)
        return Block(tuple(self._nodes), decision, (), result, written)

    def _ended(self, path: Path, state: _State) -> tuple[Any, tuple[tuple[Input, Value], ...]]:
        def of(tree: Any) -> Any:
            if tree.__class__ is int:
                return self._value(path.outputs[tree].slot, state)
            if tree.__class__ is Returned:
                return self._latest(path.positions[tree.external], state)
            if tree.__class__ is Plain:
                return tree.value
            if tree.__class__ is dict:
                return {key: of(each) for key, each in tree.items()}
            parts = [of(each) for each in (tree.parts if tree.__class__ is Made else tree)]
            if tree.__class__ is Made:
                return tree.kind._make(parts) if tree.fields else tree.kind(parts)
            return tree.__class__(parts)

        written = tuple((self._input(place), self._latest(place, state)) for place, _ in path.writes)
        return of(path.result), written

    # -- values

    def _new(self, like: Slot | Value) -> Value:
        self._count += 1
        dtype = like.dtype if isinstance(like, Value) else dtypes.of(like.dtype)
        return Value(self._count - 1, tuple(like.shape), dtype)

    def _input(self, number: int) -> Input:
        """Return the tensor from outside that is handed in at a place."""
        found = self._inputs.get(number)
        if found is None:
            root = self._root
            if number < root.count:
                key, name, tensor = root.arguments[number], root.names[number], None
            else:
                tensor = root.tensors[number - root.count]
                key = root.states[number - root.count][2]
                name = self._names.get(id(tensor)) or root.environment.tensors[id(tensor)].strip("`")
            shape, dtype = (key[1], key[3]) if len(key) == 5 else ((), np.dtype(key[1]))
            self._count += 1
            value = Value(self._count - 1, shape, dtypes.of(dtype))
            argument = number if number < root.count else None
            found = self._inputs[number] = Input(value, name, argument, tensor, bool(key[-1]))
        return found

    def _latest(self, number: int, state: _State) -> Value:
        return state.current.get(("input", number)) or self._input(number).value

    def _value(self, slot: Slot, state: _State) -> Value:
        """Return what a slot stands for now, defined first where it is not."""
        key = _key(slot)
        found = state.current.get(key)
        if found is None:
            if slot.kind == "external":
                found = self._input(slot.place).value
            elif slot.kind == "constant":
                found = self._constant(slot)
            else:
                raise AssertionError(f"{slot} is not made by any op")
            state.current[key] = found
        elif state.seen.get(key, 0) != state.versions.get(_key(state.owner(slot)), 0):
            self._view_again(key, state)
        return state.current[key]

    def _constant(self, slot: Slot) -> Value:
        """Return the value of a constant, the same for equal ones."""
        key = mark(slot.value)
        found = self._known.get(key)
        if found is None:
            array = np.array(slot.value)
            array.flags.writeable = False
            found = self._known[key] = self._new(slot)
            self._constants.append(Constant(found, array))
        return found

    def _view_again(self, key: Any, state: _State) -> None:
        """Call a view again on the new version of what it looks at."""
        parent, call, slots = state.views[key]
        before, now = call.aliases, self._value(parent, state)
        arguments = MappingProxyType(changed(call.arguments, lambda value: now if value == before else value))
        again = replace(call, arguments=arguments, aliases=now, results=tuple(e and self._new(e) for e in call.results))
        self._define(again, slots, parent, state)

    def _define(self, call: Call, slots: tuple[Slot | None, ...], parent: Slot | None, state: _State) -> None:
        """Add a call whose results are the values of these slots from here on."""
        self._nodes.append(call)
        for slot, value in zip(slots, call.results, strict=True):
            if slot is None or value is None or slot is parent:
                continue
            key = _key(slot)
            state.current[key] = value
            if parent is not None and slot.root is parent.root:
                state.owners[key] = owner = state.owner(parent)
                state.views[key] = parent, call, slots
                state.seen[key] = state.versions.get(_key(owner), 0)

    # -- nodes

    def _node(self, node: Node, state: _State) -> None:
        site = place(node.code, node.lasti)
        if node.kind in ("call", "draw"):
            self._call(node, bound(node), node.results, site, state)
        elif node.kind == "write":
            target, source = node.args
            self._write(target, self._value(source, state), site, state)
        elif node.kind == "effect":
            targets, read = node.args
            call = self._call(node, {"targets": targets, "args": read}, (None,) * len(targets), site, state)
            for target, value in zip(targets, call.results, strict=True):
                if value is not None:
                    self._write(target, value, site, state)
        elif node.kind == "read":
            result = node.kwargs["result"]
            how = "shape[0]" if node.name == "__len__" else node.name
            self._nodes.append(ShapeRead(self._value(node.args[0], state), how, result, site))
        elif node.kind == "same":
            state.current[_key(node.results[0])] = self._value(node.args[0], state)

    def _call(
        self, node: Node, given: dict[str, Any], slots: tuple[Slot | None, ...], site: Place, state: _State
    ) -> Call:
        """Add the call of a node with arguments by name."""
        arguments = MappingProxyType(mapped(given, Slot, lambda slot: self._value(slot, state)))
        roots = {slot.root for slot in slots if slot is not None}
        parent = next((each for each in slots_in(given) if each.root in roots), None)
        aliases = None if parent is None else self._value(parent, state)
        made = node.args[0] if node.kind == "effect" else slots
        results = tuple(None if slot is None else self._new(slot) for slot in made)
        call = Call(node.name, arguments, results, site, aliases, node.kind == "draw")
        self._define(call, slots, parent, state)
        return call

    def _write(self, target: Slot, source: Value, site: Place, state: _State) -> None:
        """Add the write and make its result the value of the tensor that owns the memory."""
        owner = state.owner(target)
        base, part = self._value(owner, state), self._value(target, state)
        path: list[Call] = []
        key = _key(target)
        while key in state.views:
            parent, call, _ = state.views[key]
            path.insert(0, call)
            key = _key(parent)
        result = self._new(base)
        self._nodes.append(Write(base, tuple(path), part, source, result, site))
        key = _key(owner)
        state.current[key] = result
        state.versions[key] = state.seen[key] = state.versions.get(key, 0) + 1

    def _decision(self, asked: Asked, state: _State) -> Decision:
        how, _, compared = asked.how.partition(" ")
        symbol, _, number = compared.partition(" ")
        comparison = (symbol, literal_eval(number)) if compared else None
        operands = tuple(self._value(slot, state) for slot in asked.slots)
        return Decision(how.strip("_"), operands, comparison, asked.site)


def _key(slot: Slot) -> Any:
    """Return what tells slots of one path apart; an input has the same in all paths."""
    return ("input", slot.place) if slot.kind == "external" else slot.number


def bound(node: Node) -> dict[str, Any]:
    """Return the arguments of a node by the names of the op's parameters."""
    op = node.op
    if op is None:
        return {**dict(zip(("input", "other"), node.args, strict=False)), **node.kwargs}
    placed = dict(zip(op.names[: op.positional], node.args, strict=False))
    given: dict[str, Any] = {**op.defaults, **placed, **node.kwargs}
    if op.variadic is not None:
        given[op.variadic] = tuple(node.args[op.positional :])
    return {name: given.pop(name) for name in op.names if name in given} | given


def _names_in(function: Any) -> dict[int, str]:
    """Return the names of a Module's parameters and buffers by their identity."""
    if not isinstance(function, Module):
        return {}
    return {id(tensor): name for name, tensor in [*function.named_parameters(), *function.named_buffers()]}
