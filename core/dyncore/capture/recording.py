"""One recording that fits one kind of arguments: its tree of paths, its text, its workspaces, and how it is played."""

from __future__ import annotations

import copy
import sys
from threading import Lock
from typing import Any

import numpy as np

from dyncore.errors.source import is_engine
from dyncore.graph import versions
from dyncore.graph.node import Output, next_rank
from dyncore.rng.generator import default_generator
from dyncore.tensors.tensor import Tensor

from .arguments import Described, Unfit, describe_key, tensor_key
from .guards import MISSING, Environment, tensor_guard
from .replay.buffers import Buffers, look
from .replay.entry import entry_of
from .replay.fuse import fused
from .replay.joining import join
from .replay.node import Lease, node_class
from .replay.simplify import simplified
from .replay.writing import forward_function
from .report import Shown
from .steps import Made, Refused, Returned, placed
from .tree import Branch, Path, insert

MOST_BYTES = 1 << 29
MISS: Any = object()
new = object.__new__


class Workspace:
    """The arrays that runs write into, and the selections of them that backward plans ask for."""

    __slots__ = ("arrays", "selections")

    def __init__(self, arrays: list[Any]) -> None:
        self.arrays = arrays
        self.selections: dict[Any, tuple[Any, ...]] = {}

    def some(self, plan: Any) -> tuple[Any, ...]:
        """Return the arrays that a backward plan reads."""
        found = self.selections.get(plan)
        if found is None:
            arrays = self.arrays
            found = self.selections[plan] = tuple(
                [arrays[place] if step is None else look(arrays[place], step) for place, step in plan.placed]
            )
        return found


class Pool:
    """Workspaces that are free.  Each run takes one for itself, and a node keeps it until backward is over."""

    def __init__(self, buffers: Buffers) -> None:
        self.buffers = buffers
        self.free: list[Workspace] = []
        self.most = max(1, min(256, MOST_BYTES // max(1, buffers.nbytes)))

    def take(self) -> Workspace:
        try:
            return self.free.pop()
        except IndexError:
            return Workspace(self.buffers.make())

    def give(self, workspace: Workspace) -> None:
        if len(self.free) < self.most:
            self.free.append(workspace)


class Root:
    """Recording for one key of arguments in one state of the environment."""

    def __init__(self, environment: Environment, described: Described, arguments: list[Any]) -> None:
        self.environment = environment
        # An argument may be a tensor that the function also reaches by a name; then it has to be that one.
        self.shared = [id(each) if id(each) in environment.tensors else None for each in arguments]
        self.described = described.texts
        self.names = [described.names.get(id(each), f"argument {k}") for k, each in enumerate(arguments)]
        self.arguments = [tensor_key(each) for each in arguments]
        self.tree = Branch()
        self.paths: list[Path] = []
        self.tensors: list[Any] = []
        self.states: list[Any] = []
        self.alone: bool | None = None  # what `settle` has found
        self.ids: frozenset[int] = frozenset()
        self.off = False
        self.missed = 0
        self.count = len(arguments)
        self.asked = [each._array.__class__ is np.ndarray for each in arguments]  # which of them are no scalars
        self.waiting = 3  # replays after which a call becomes one function
        self._lock = Lock()
        self._guarded = -1
        self._guard: Any = None
        self.plan: Any = None
        self.text: Any = None  # what the plan is the text of: the tree and its buffers

    def add(self, tape: Any, result: Any, arguments: int) -> None:
        """Take a recorded path into the tree.  Raises Refused if it does not agree with the others."""
        positions = placed(tape.externals, self.tensors, arguments)
        self.alone = None
        while len(self.states) < len(self.tensors):
            tensor = self.tensors[len(self.states)]
            self.states.append([tensor._array, tensor._edge, tensor_key(tensor)])
        outputs: list[Returned] = []
        shaped = _numbered(result, outputs, {})
        path = Path(len(self.paths), tape, shaped, outputs, positions)
        insert(self.tree, tape.nodes, path)
        tape.trace.forget_values()
        self.paths.append(path)
        self.write()

    def write(self) -> None:
        """Write the text of the tree as it is now."""
        self.waiting = 3
        fresh: set[int] = set()
        written: set[int] = set()
        for branch in self.tree.walk():
            if branch.end is not None:
                path = branch.end = copy.copy(branch.end).renew()
                self.paths[path.number] = path
                fresh.update(each.slot.root.number for each in path.outputs)
                written |= path.written
        tree, aliases = simplified(self.tree, fresh, written)
        preserved: set[int] = set()
        for path in self.paths:
            path.alias = aliases[path.number]
            preserved.update(path.alias.get(slot.number, slot).root.number for slot in path.saved)
        fused(tree, preserved | fresh)
        join(tree, fresh)
        buffers = Buffers(tree, preserved, fresh)
        for path in self.paths:
            path.buffers = buffers
        run = forward_function(tree, buffers)
        pool = Pool(buffers)
        writes = sorted({position for path in self.paths for position, _ in path.writes})
        random = any(path.random for path in self.paths)
        self.plan = run, pool, list(self.paths), writes, random
        self.text = tree, buffers

    def fits(self, given: Any) -> bool:
        """Return whether the environment is as it was when this was recorded."""
        if self.off or not self.environment.holds():
            return False
        known = self.environment.tensors
        for number, tensor in enumerate(given.tensors):
            if (id(tensor) if id(tensor) in known else None) != self.shared[number]:
                return False
        if given.parts and any(self.environment.knows(each) for each in given.parts):
            return False
        if self._guarded != len(self.states):
            self._guarded, self._guard = len(self.states), tensor_guard(self.tensors, self.states, _plain)
        if self._guard is not None and self._guard():
            return True
        for tensor, state in zip(self.tensors, self.states):
            meta = tensor._meta
            if tensor._array is state[0] and tensor._edge is state[1] and (meta is None or _plain(meta)):
                continue
            try:
                if tensor_key(tensor) != state[2]:
                    return False
            except Unfit:
                return False
            state[0], state[1] = tensor._array, tensor._edge
            self.alone = None
        return True

    def settle(self) -> bool:
        """Return whether the arrays of tensors met by name, those of `states`, all have memory of their own."""
        arrays = [state[0] for state in self.states]
        self.ids = frozenset(map(id, arrays))
        self.alone = len(self.ids) == len(arrays) and all(array.base is None for array in arrays)
        return self.alone

    def overlapping(self, arrays: list[Any], writes: list[int]) -> bool:
        """Return True if one of the arrays shares memory with one that is written.

        Arrays that own their memory are only compared by identity, which is faster.
        """
        if self.settle() if self.alone is None else self.alone:
            given = arrays[: self.count]
            own = all(array.base is None for array in given)
            if own and len({*map(id, arrays)}) == len(arrays):
                return False
        return any(
            k != position and array.__class__ is np.ndarray and np.may_share_memory(array, arrays[position])
            for position in writes
            for k, array in enumerate(arrays)
        )

    def unfit(self) -> tuple[str, Any, Any] | None:
        """Return (guard, expected, actual) of what changed."""
        found = self.environment.failed()
        if found is not None:
            return found
        for tensor, state in zip(self.tensors, self.states, strict=True):
            try:
                key = tensor_key(tensor)
            except Unfit as error:
                return self.environment.tensors[id(tensor)], Shown(describe_key(state[2])), Shown(error)
            if key != state[2]:
                return self.environment.tensors[id(tensor)], Shown(describe_key(state[2])), Shown(describe_key(key))
        return None

    def play(self, tensors: list[Any], depth: int) -> Any:
        """Return what the function returns, or (MISS, number of the decision, value seen or error)."""
        run, pool, paths, writes, random = self.plan
        if self.tensors:
            tensors = tensors + self.tensors
        arrays = [tensor._array for tensor in tensors]
        if writes and self.overlapping(arrays, writes):
            return MISS, None, "tensors that share memory"
        undo = Undo([arrays[position] for position in writes], random) if writes or random else None
        workspace = pool.take()
        try:
            found = run(arrays, workspace.arrays)
        except Exception as error:
            if undo is not None:
                undo()
            return MISS, None, error
        number = found[0]
        if number < 0:
            if undo is not None:
                undo()
            pool.give(workspace)
            return MISS, found[1], found[2]
        path = paths[number]
        path.hits[0] += 1
        for position, count in path.writes:
            versions.bump(arrays[position], count)
        return self.finished(path, found, tensors, pool, workspace, depth + 1)

    @property
    def hits(self) -> int:
        """Number of replays of all paths."""
        return sum(path.hits[0] for path in self.paths)

    def entry(self, args: Any, kwargs: Any, grad: bool, names: set[str]) -> Any:
        """Return the whole replay as one function, for arguments like these; None if there is none."""
        return entry_of(self, args, kwargs, grad, names, {"missing": MISSING, "plain": _plain, "undo": Undo})

    def finished(self, path: Path, found: Any, tensors: list[Any], pool: Pool, workspace: Any, depth: int) -> Any:
        """Return what a path returns, as tensors with their history."""
        if not path.graph:
            made = []
            for array in found[1]:
                result = new(Tensor)
                result._array = array
                result._edge = result._meta = None
                made.append(result)
            pool.give(workspace)
        else:
            made = self._recorded(path, found, tensors, pool, workspace, depth + 1)
        shape = path.result
        if shape.__class__ is int:
            return made[shape]
        return _rebuilt(shape, made, tensors, path.positions)

    def _recorded(
        self, path: Path, found: Any, tensors: list[Any], pool: Pool, workspace: Any, depth: int
    ) -> list[Any]:
        """Return the outputs with the nodes that lead back."""
        frame = sys._getframe(depth)
        while is_engine(frame.f_globals) and frame.f_back is not None:
            frame = frame.f_back
        if path.holds:
            lease: Any = Lease(pool, workspace)
        else:  # nothing of it is kept
            lease = None
            pool.give(workspace)
        code, lasti = frame.f_code, frame.f_lasti
        edges: list[Any] = []
        for segment in path.segments:
            node = node_class(segment)()
            node.rank = next_rank()
            node.code = code
            node.lasti = lasti
            node.extra = None
            node.values = found[2]
            node.lease = lease
            node.to = tuple([tensors[e]._edge if e.__class__ is int else edges[e[0]][e[1]] for e in segment.sources])
            count = len(segment.outputs)
            edges.append((node,) if count == 1 else [Output(node, number) for number in range(count)])
        made = []
        for array, returned in zip(found[1], path.outputs):
            result = new(Tensor)
            result._array = array
            result._meta = None
            result._edge = None if returned.segment < 0 else edges[returned.segment][returned.output]
            made.append(result)
        return made


def _plain(meta: Any) -> bool:
    return not (meta.inference or meta.untracked or meta.tangent is not None)


class Undo:
    """Puts back what a run that is given up has written and drawn."""

    __slots__ = ("arrays", "copies", "state")

    def __init__(self, arrays: Any, random: bool) -> None:
        self.arrays = arrays
        self.copies = [array.copy() for array in arrays]
        self.state = default_generator.held() if random else None

    def __call__(self) -> None:
        for array, held in zip(self.arrays, self.copies, strict=True):
            array[...] = held
        if self.state is not None:
            default_generator.put_back(self.state)


def _numbered(tree: Any, outputs: list[Returned], known: dict[Any, int]) -> Any:
    """Return the tree of results with numbers for fresh tensors, `Returned` for external ones, `Plain` for the rest."""
    if isinstance(tree, Returned):
        if tree.external >= 0:
            return tree
        key = tree.tensor
        if key not in known:
            if not tree.slot.scalar and any(each.slot.root is tree.slot.root for each in outputs):
                raise Refused("returns two tensors that share memory")
            known[key] = len(outputs)
            outputs.append(tree)
        return known[key]
    if type(tree) in (list, tuple):
        return type(tree)([_numbered(each, outputs, known) for each in tree])
    if isinstance(tree, Made):
        return Made(tree.kind, [_numbered(each, outputs, known) for each in tree.parts], tree.fields)
    if type(tree) is dict:
        return {key: _numbered(each, outputs, known) for key, each in tree.items()}
    return Plain(tree)


class Plain:
    """A value that is returned as it is."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _rebuilt(tree: Any, made: list[Any], tensors: list[Any], positions: list[int]) -> Any:
    kind = tree.__class__
    if kind is int:
        return made[tree]
    if kind is Returned:
        return tensors[positions[tree.external]]
    if kind is Plain:
        return tree.value
    if kind is dict:
        return {key: _rebuilt(each, made, tensors, positions) for key, each in tree.items()}
    parts = [_rebuilt(each, made, tensors, positions) for each in (tree.parts if kind is Made else tree)]
    if kind is Made:
        return tree.kind._make(parts) if tree.fields else tree.kind(parts)
    return kind(parts)
