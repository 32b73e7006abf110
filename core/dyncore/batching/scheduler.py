"""The examples of one batch: each runs until it waits, then all groups run, and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from itertools import islice
from typing import Any
from weakref import ref

import numpy as np

from dyncore.creation.trees import flatten
from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.graph import versions
from dyncore.graph.modes import GRAD, NO_GRAD, current, set_grad_enabled
from dyncore.graph.node import AccumulateGrad, next_rank
from dyncore.nn.module import Module
from dyncore.rng.generator import Generator
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor, wrap

from .coroutines import coroutine
from .groups import Group, Part, Signature, new
from .lazy import Lazy, force
from .rows import Table, Whole, row_of, stacked, taken

running: ContextVar[Scheduler | None] = ContextVar("dyncore_batch", default=None)
observer: Any = None  # has `opened(group)` and `computed(group, together)`, for who wants to know the groups
CONSTANTS = frozenset((int, float, bool, str, type(None), type(...), np.dtype, dtypes.dtype, slice))
FEW = 4  # numbers beside tensors that make a group each
LARGE = 4096  # elements of a tensor that is not copied for each example
_ROWS: Any = Signature("row", 0, [], None, lambda: None)  # of rows that are taken where they are needed


class Scheduler:
    """One batch.

    live: groups that have not run.  table: the parts of groups that calls may still join, False for calls without a
    rule.  signatures: of all calls so far.  kept: what keys of the table name by its id.
    numbers: those that an operator had beside tensors, by op.
    paused: whether ops run at once, as those of a group.
    alone: whether no other example goes on where one waits.
    aliased: arrays that a loop's tensors would share, by their id.
    _read, _reads_all: memory that ops read by its id, as far as `kept` and `_given` were searched; whether some is
    unknown.
    rows: how many examples a value stands for, 0 for one.  resumed: called with the example that goes on.
    mode: the grad mode around the batch.  suspended: whether an example waited while others ran.  streams: the random
    numbers of each example since then.
    _tables: tensors of which rows were taken, by id and grad mode.  _taken: groups of such rows.
    _coroutine: the one that runs.  _turns: those that go on in this round.  _waiting: those that paused since it began.
    _awaited: groups, or their outputs, that these wait for.
    """

    def __init__(self, resumed: Callable[[int], None] | None = None) -> None:
        self.resumed, self.mode = resumed, current()
        self.live: list[Group] = []
        self.table: dict[Any, Any] = {}
        self.signatures: dict[Any, Signature | None] = {}
        self.aliased: dict[int, Any] = {}
        self.numbers: dict[Any, set[float]] = {}
        self.kept: list[Any] = []
        self._searched = self._given_searched = 0
        self._read, self._reads_all = dict[int, Any](), False
        self.paused = self.alone = False
        self.rows = 0
        self.suspended = False
        self.streams: dict[int, Generator] = {}
        self._number = 0
        self._seed: int | None = None
        self._given: dict[int, tuple[Any, Any]] = {}
        self._views: dict[int, Any] = {}
        self._tables: dict[tuple[int, bool], Table] = {}
        self._taken: list[ref[Group]] = []
        self._coroutine: Any = None
        self._turns: Iterator[Any] = iter(())
        self._waiting: list[Any] = []
        self._awaited: list[Group] = []
        self._begin = next_rank()

    # -- examples

    def run(self, model: Callable[[Any], Any], examples: list[Any]) -> list[tuple[Any, Exception | None]]:
        """Return the result of each example, or what it raised."""
        results: list[tuple[Any, Exception | None]] = [(None, None)] * len(examples)

        left = list(range(len(examples)))[::-1]

        def work() -> None:
            running.set(self)
            while left:  # more than one if none of them waits
                number = left.pop()
                self._goes_on(number)
                try:
                    results[number] = model(examples[number]), None
                except Exception as error:
                    results[number] = None, error

        try:
            while left:
                self._coroutine = coroutine(work)
                self._coroutine.resume()
            while self._waiting:
                self.flush(self._awaited)
                self._turns, self._waiting, self._awaited = iter(self._waiting), [], []
                for each in self._turns:  # the first, and those after one that ended
                    each.resume()
            self.flush()
            self._copy_rows()
        except BaseException:
            for each in (*self._waiting, *self._turns):
                each.close()
            raise
        finally:
            self.signatures, self.kept = {}, []
            self._given.clear()
            self._views.clear()
        return results

    def _goes_on(self, number: int) -> None:
        self._number = number
        if self.resumed is not None:
            self.resumed(number)

    def wait(self, home: Group) -> None:
        """Return when a group is computed."""
        if self.alone or running.get() is not self:
            self.flush([home] if self.alone else None)
        mine, number, resumed = self._coroutine, self._number, self.resumed
        while home.whole is None:
            self.suspended = True
            self._awaited.append(home)
            self._waiting.append(mine)
            mine.pause(next(self._turns, None))
            self._coroutine, self._number = mine, number
            if resumed is not None:
                resumed(number)

    def stream(self, loop: Generator) -> Generator:
        """Return the random numbers of the example that runs; their seed comes from those of the loop."""
        stream = self.streams.get(self._number)
        if stream is None:
            if self._seed is None:
                token = running.set(None)
                self._seed = int(loop.long_words(1)[0])
                running.reset(token)
            stream = self.streams[self._number] = Generator()
            stream.manual_seed((self._seed + self._number) % 2**64)
        return stream

    # -- operands

    def is_shared(self, tensor: Any) -> bool:
        """Return whether a tensor is one for all examples: a parameter, or what was computed before."""
        if tensor.__class__ is Parameter or id(tensor) in self._views:
            return True
        edge = tensor._edge
        if edge is not None:
            return edge.__class__ is AccumulateGrad or edge.rank > self._begin
        return bool(tensor._array.size > LARGE)

    def operand(self, tensor: Any) -> Any:
        """Return a lazy tensor for an ordinary one, or the tensor itself where it is one for all examples."""
        found = self._given.get(id(tensor))
        if found is not None:
            return found[1]
        return tensor if self.is_shared(tensor) else self._beside_others(tensor)

    def given(self, tensor: Any) -> Any:
        """Return a lazy tensor for an ordinary one of one example or all."""
        found = self._given.get(id(tensor))
        return self._beside_others(tensor) if found is None else found[1]

    def varies(self, op: Any, number: float) -> bool:
        """Return whether an operator has many numbers, which are then laid side by side as tensors are."""
        seen = self.numbers.setdefault(op, set())
        seen.add(number)
        return len(seen) > FEW and not self.rows

    def _beside_others(self, tensor: Any) -> Any:
        """Return a lazy tensor that lies beside others of its shape when it is computed."""
        made = tensor._array.shape, tensor._array.dtype, tensor._edge is not None
        part = self.table.get(made)
        if part is None:
            signature = self.signatures.get(made)
            if signature is None:
                signature = self.signatures[made] = Signature(made, 1, [made], _side_by_side, _itself)
            part = self.table[made] = self.open(signature, [])
        part.first.append(tensor)
        lazy = part.result()
        self._given[id(tensor)] = tensor, lazy
        return lazy

    def refuse(self, sentence: str) -> None:
        """Raise RuntimeError: the model does what a batch cannot."""
        raise RuntimeError(sentence)

    def before_write(self, root: Any) -> None:
        """Compute what waits before memory is written that it may read."""
        if self.paused:
            return
        if id(root) in self.aliased:
            self.refuse(
                "in-place write inside batched() to a tensor that has a view, or is one: views do not share memory "
                "there. Write to a clone() instead."
            )
        self.before_change(root)

    def before_change(self, root: Any) -> None:
        """Compute what waits before a tensor that it may read gets other memory, values or `requires_grad`."""
        if not self.paused and self._may_read(root):
            self.flush()
            self._copy_rows()
            self.signatures.clear()  # a function may have computed with what it held
            for each in (self._given, self.kept, self._read):
                each.clear()
            self._searched = self._given_searched = 0
            self._reads_all = False

    def at_once(self, entry: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call an op that joins no group, once its arguments are computed."""
        for leaf in flatten((args, kwargs))[0]:
            if leaf.__class__ is Lazy:
                force(leaf)
        self.paused = True
        try:
            return entry(*args, **kwargs)
        finally:
            self.paused = False

    def _may_read(self, root: Any) -> bool:
        """Return whether ops that have not run may read this memory: False for a mask that no op was given."""
        stamps = versions.stamps(root)
        if not isinstance(root, np.ndarray) or not root.ndim or (stamps is not None and stamps.mirrors is not None):
            return True
        for operands in self.kept[self._searched :]:
            for leaf in flatten(operands)[0]:
                own = [*leaf.parameters(), *leaf.buffers()] if isinstance(leaf, Module) else [leaf]
                for each in own:
                    if not isinstance(each, Tensor):
                        self._reads_all |= each.__class__ not in CONSTANTS  # a function has tensors of its own
                    elif each.__class__ is not Lazy:
                        array = versions.owner(each._array)
                        self._read[id(array)] = array
        self._searched = len(self.kept)
        for tensor, _ in islice(self._given.values(), self._given_searched, None):
            array = tensor._array
            if isinstance(array, np.ndarray):
                array = versions.owner(array)
                self._read[id(array)] = array
            else:  # a 0-d view is a number, of which the base is not known
                self._reads_all |= tensor._meta is not None
        self._given_searched = len(self._given)
        return self._reads_all or id(root) in self._read

    def view_of(self, make: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Return a view of a parameter, such as `weight.T`, which is one for all examples until groups run."""
        made = make(*args, **kwargs)
        self.kept.append(args)
        self._views.update({id(each): each for each in ([made] if isinstance(made, Tensor) else made)})
        return made

    def row_of(self, tensor: Any, number: int, view: bool) -> Lazy | None:
        """Return a lazy tensor for a row of a tensor that all examples share, None for another tensor.

        view: whether in a loop it would share memory with the tensor.
        """
        mode = current()
        if mode is not GRAD and mode is not NO_GRAD:
            return None
        home = self.table.get((id(tensor), mode.grad, view))
        if home is None or home.whole.tensor._array is not tensor._array:
            if self.rows or tensor._edge is None or not tensor._array.shape or not self.is_shared(tensor):
                return None
            home = self._rows_of(tensor, mode.grad, view)
        if not 0 <= number < home.whole.count:
            return None
        made: Lazy = new(Lazy)
        made.home, made.row = home, home.count
        home.count += 1
        home.numbers.append(number)
        return made

    def _rows_of(self, tensor: Any, grad: bool, view: bool) -> Group:
        """Return the group of rows of a tensor that are taken until groups run."""
        key, array = (id(tensor), grad), tensor._array
        whole = self._tables.get(key)
        if whole is None or whole.tensor._array is not array:
            whole = self._tables[key] = Table(wrap(array, tensor._edge if grad else None), len(array), {})
            self.kept.append((tensor,))
        home = self.table[*key, view] = Group(_ROWS, self, 0, (array.shape[1:], array.dtype, grad))
        home.whole, home.numbers, home.viewed = whole, [], view
        self._taken.append(ref(home))
        return home

    def _copy_rows(self) -> None:
        """Give rows that an example still has memory of their own."""
        for each in self._taken:
            home = each()
            if home is not None and home.numbers:
                home.whole, home.numbers = Whole(taken(home.whole, home.numbers), home.count, {}), None
        self._taken.clear()
        self._tables.clear()

    # -- groups

    def open(self, signature: Signature, homes: list[Group]) -> Part:
        """Return what calls with operands of these homes join."""
        pending = []
        depth = 0
        for home in homes:
            home.used = True
            home.viewed = home.viewed or signature.view
            if home.whole is None:
                pending.append(home)
                depth = max(depth, home.depth + 1)
        group = signature.waiting.get(depth)
        if group is None:
            outputs = [Group(signature, self, depth, made) for made in signature.makes]
            group = signature.waiting[depth] = outputs[0]
            group.outputs = outputs
            self.live.append(group)
            if observer is not None and not self.rows:
                observer.opened(group)
        group.sources.update(pending)
        return Part(group, homes)

    def flush(self, awaited: list[Group] | None = None) -> None:
        """Run every group, or those that some groups wait for; the ready ones of one signature run as one.

        The others go on collecting calls, such as the losses of examples that end one after the other.
        """
        needed = None if awaited is None else _needed(self.live, awaited)
        todo = [group for group in self.live if needed is None or group in needed]
        self.live = [] if needed is None else [group for group in self.live if group not in needed]
        self.table.clear()
        for signature in self.signatures.values():
            if signature is not None:
                signature.waiting = {}
        for group in self.live:
            group.signature.waiting[group.depth] = group
        before, self.paused = self.paused, True
        try:
            for groups in in_order(todo):
                compute(self, groups)
        finally:
            self.paused = before

    def apart(self, group: Group, parts: list[Part]) -> tuple[list[Any], dict[int, Exception]]:
        """Return the outputs, each call computed alone, and the errors of calls, whose rows are zeros."""
        results: list[list[Any]] = [[] for _ in group.outputs]
        errors: dict[int, Exception] = {}
        for row, operands in enumerate(_by_call(parts, group.count)):
            try:
                made = group.signature.single(*[_row(each) for each in operands])
            except Exception as raised:
                errors[row] = raised
                made = [wrap(np.zeros(output.shape, output.dtype), None) for output in group.outputs]
            for result, tensor in zip(results, [made] if isinstance(made, Tensor) else made, strict=True):
                result.append(tensor)
        return [TABLE["stack"].entry(result) for result in results], errors


def _needed(live: list[Group], awaited: list[Group]) -> set[Group]:
    """Return the groups that run before these are computed."""
    first = {output: group for group in live for output in group.outputs}
    needed: set[Group] = set()
    pending = list(awaited)
    while pending:
        group = first.get(pending.pop())
        if group is not None and group not in needed:
            needed.add(group)
            pending += group.sources
    return needed


def in_order(todo: list[Group]) -> Any:
    """Yield lists of groups of one signature whose sources have run: of those ready, the ones of least mean depth."""
    first = {output: group for group in todo for output in group.outputs}
    ready: dict[Signature, list[Group]] = {}
    depths: dict[Signature, list[int]] = {}
    for group in todo:
        sources = {first[source] for source in group.sources if source in first}
        group.left = len(sources)
        for source in sources:
            source.followers.append(group)
        total = depths.setdefault(group.signature, [0, 0])
        total[0] += group.depth * group.count
        total[1] += group.count
        if not group.left:
            ready.setdefault(group.signature, []).append(group)
    level = {signature: total / count for signature, (total, count) in depths.items()}
    todo.clear()  # groups are free when nothing needs them any longer
    first.clear()
    while ready:
        signature = min(ready, key=level.__getitem__)
        groups = ready.pop(signature)
        yield groups
        for group in groups:
            for follower in group.followers:
                follower.left -= 1
                if not follower.left:
                    ready.setdefault(follower.signature, []).append(follower)
            group.followers, group.sources = [], set()


def compute(scheduler: Scheduler, groups: list[Group]) -> None:
    """Run groups of one signature as one."""
    group, signature = groups[0], groups[0].signature
    parts, count = [], 0
    for each in groups:
        for output in each.outputs:
            output.offset = count
        parts += each.parts
        count += each.count
        each.parts = []
    group.count = count
    with grad_as(signature):
        errors: dict[int, Exception] = {}
        made = _together(scheduler, group, parts)
        together = made is not None
        if not together:
            made, errors = scheduler.apart(group, parts)
    if observer is not None and not scheduler.rows:
        observer.computed(group, together)
    wholes = [Whole(tensor, count, errors) for tensor in made]
    for each in groups:
        for output, whole in zip(each.outputs, wholes, strict=True):
            output.whole = whole
        each.outputs = []  # the first is the group itself


def grad_as(signature: Signature) -> Any:
    """Return the block in which the calls of a signature are recorded if they were to be."""
    return _nothing if signature.grad is current().grad else set_grad_enabled(signature.grad)


def _together(scheduler: Scheduler, group: Group, parts: list[Part]) -> Any:
    """Return the outputs computed as one, None if that cannot be: an operand has an error, or the op has one now."""
    signature = group.signature
    operands = [home.whole for part in parts for home in part.homes]
    if signature.run is None or any(each is not None and each.errors for each in operands):
        return None
    try:
        made = signature.run(*[stacked(parts, number) for number in range(signature.columns)])
    except Exception:  # which example is it? each is computed alone
        return None
    outputs = [made] if isinstance(made, Tensor) else list(made)
    count = scheduler.rows or group.count
    for output, tensor in zip(group.outputs, outputs, strict=True):
        array = tensor._array
        if array.shape != (count, *output.shape) or array.dtype != output.dtype:
            return None
    return outputs


def _by_call(parts: list[Part], count: int) -> list[list[Any]]:
    """Return the operands of each call: where it lies and its row there, or what a column has."""
    calls: list[list[Any]] = [[] for _ in range(count)]
    for part in parts:
        for number, column in enumerate(part.columns):
            home: Any = part.homes[number] if part.homes else None
            for place, operand in zip(part.places, column, strict=True):
                value = operand if home is None else (home.whole, *home.rows([operand]))
                calls[place + part.group.offset].append(value)
    return calls


def _row(operand: Any) -> Any:
    """Return an operand of one call.  Raises what computing it raised."""
    if operand.__class__ is not tuple:
        return operand
    whole, row = operand
    if row in whole.errors:
        raise whole.errors[row]
    return wrap(*row_of(whole, row))


def _side_by_side(tensors: list[Any]) -> Any:
    """Return ordinary tensors of one shape as one."""
    if any(tensor._edge is not None for tensor in tensors):
        return TABLE["stack"].entry(tensors)
    return wrap(np.stack([tensor._array for tensor in tensors]), None)


def _itself(tensor: Any) -> Any:
    return tensor


class _Nothing:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: Any) -> None: ...


_nothing = _Nothing()
