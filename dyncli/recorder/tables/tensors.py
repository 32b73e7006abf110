"""The tensors of a record: writes in place, leaves that share memory, values saved for backward, other arguments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from sys import intern
from typing import Any, NamedTuple, Protocol

import numpy as np

from dyncli.recorder.engine import SMALL, dtypes, owner
from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.events.recorded_events import Place, place_of
from dyncli.recorder.events.rows import RecordedOp
from dyncli.recorder.events.summary import statistics
from dyncli.records.model import TensorSummary


def aliases(log: EventLog) -> dict[int, int]:
    """Return the number of its leaf for each source that looks at the same elements and has no gradient of its own.

    Also that of the op's result whose `.data` it is.

    Of a leaf that ops wrote over, or whose `.data` was assigned, it is the last number before; numbers fall.
    """
    leaves: dict[Place, list[int]] = {}
    for number, place, reference in log.tensors.reassigned:
        if reference() is not None:
            leaves.setdefault(place, []).append(number)
    given = {number for number, *_ in log.tensors.reassigned}
    for number, reference in log.tensors.leaves.items():
        leaf = reference()
        if leaf is None or leaf._trace in given or not leaf._array.size or not isinstance(leaf._array, np.ndarray):
            continue
        leaves.setdefault(place_of(leaf._array), []).append(number)
    found: dict[int, int] = {}
    others = {*log.tensors.given}.union(*leaves.values())  # a leaf that was frozen since is no other's alias
    for number, tensor in log.tensors.sources.items() if leaves else ():
        if tensor._edge is not None or number in others or not isinstance(tensor._array, np.ndarray):
            continue  # a NumPy scalar has no memory that others look at
        same = leaves.get(place_of(tensor._array))
        if same:
            found[number] = min((n for n in same if n > number), default=max(same))
    return found | log.tensors.data_of


def read_through(
    numbers: Collection[int], recorded: Sequence[RecordedOp], index: Mapping[int, int]
) -> frozenset[tuple[int, int]]:
    """Return (op, tensor) for each op that read a leaf's values so, and no more than its values."""
    read = ((seq, number) for seq, each in enumerate(recorded) for number in each.inputs if number in numbers)
    return frozenset((seq, index[number]) for seq, number in read if number in index)


Gap = tuple[int | str, int]


class HeldPlaces(NamedTuple):
    """Which of an op's inputs and results are held for backward, by their places."""

    inputs: tuple[int, ...]
    results: tuple[int, ...]


def held_places(op: Any, gaps: Sequence[Gap], active: Sequence[bool]) -> HeldPlaces:
    """Return what the derivatives' arguments hold, given which inputs require grad.

    gaps: what stood between the inputs.
    """
    given = _arguments(op, len(active), gaps)
    wanted = {name for name, places in given.items() if any(active[place] for place in places)}
    names = _saved_names(op, wanted)
    inputs = {place for name in names for place in given.get(name, ())}
    results = {int(name[6:] or 0) for name in names if name.startswith("result")}
    return HeldPlaces(tuple(inputs), tuple(results))


class Saved:
    """Which tensors ops hold for backward.  index: the tensors of the record by number, as they are found."""

    def __init__(self, index: Mapping[int, int], tensors: Sequence[TensorSummary]) -> None:
        self.index, self.tensors = index, tensors
        self._known: dict[Any, HeldPlaces] = {}

    def of(self, recorded: RecordedOp, more: Iterable[int]) -> tuple[int, ...]:
        """Return those that the derivatives' arguments hold, given which inputs require grad, and these numbers."""
        found = {self.index[number] for number in more if number in self.index}
        if recorded.rank:
            inputs = [self.index.get(number) for number in recorded.inputs]
            active = tuple([place is not None and self.tensors[place].requires_grad for place in inputs])
            key = (recorded.op, recorded.gaps, active)
            places = self._known.get(key)
            if places is None:
                places = self._known[key] = held_places(*key)
            found.update([held for place in places.inputs if (held := inputs[place]) is not None])
            results = [recorded.outputs[place][0] for place in places.results if place < len(recorded.outputs)]
            found.update([self.index[number] for number in results])
        return tuple(sorted(found))


def _arguments(op: Any, count: int, gaps: Sequence[Gap]) -> dict[str, range]:
    """Return the places of the inputs given for each parameter of an op."""
    positional = [(place, many) for place, many in gaps if not isinstance(place, str)]
    keywords = [(name, many) for name, many in gaps if isinstance(name, str)]
    end = count - sum(many for _, many in keywords)
    found: dict[str, range] = {}
    place = 0
    for name in op.names:
        if name == op.variadic:
            found[name] = range(place, end)
            break
        if positional and positional[0][0] == place:
            many = positional.pop(0)[1]
        elif place < end:
            many = 1
        else:
            break
        found[name] = range(place, place + many)
        place += many
    for name, many in keywords:
        found[name] = range(end, end + many)
        end += many
    return found


def _saved_names(op: Any, active: set[str]) -> set[str]:
    """Return what the rules want, given which parameters require grad."""
    names: set[str] = set()
    for key, arguments in op.rule_arguments.items():
        if key == "joint" or key in active:
            names.update(arguments)
    return names


Written = Iterator[tuple[int, int, int]]


class Tables(Protocol):
    """The tables of a record that the reader needs.  index: tensors by number.  recorded: the ops."""

    log: EventLog
    index: dict[int, int]
    recorded: list[RecordedOp]

    def add_seen(self, seen: Any, shape: tuple[int, ...], dtype: Any, **more: Any) -> int:
        """Add a tensor and return its place."""


def rewritten(assembly: Tables) -> Written:
    """Add the value after each write and yield: (tensor, the first op after the write, the new tensor)."""
    log = assembly.log
    for number, former in log.writes.former.items():
        tensor = log.tensors.of_number(number)
        if tensor is None or number not in assembly.index:
            continue
        array, place = tensor._array, assembly.index[number]
        whats = [*(what for _, what in former[1:]), array if array.size <= SMALL else statistics(array)]
        for (count, _), what in zip(former, whats, strict=True):
            if count < len(assembly.recorded):
                yield place, count, _added(assembly, place, what, array)
        if former[-1][0] == len(assembly.recorded) and not np.isfinite(array).all():  # nobody read it, but it went bad
            yield place, len(assembly.recorded), _added(assembly, place, whats[-1], array)
    if log.writes.silent:
        yield from _unknown(assembly)


def _unknown(assembly: Tables) -> Written:
    """Add a tensor without values for each whose former values were not kept."""
    log = assembly.log
    for number in dict.fromkeys(
        (*log.tensors.sources, *log.tensors.leaves)
    ):  # in their order: a set has that of the numbers
        tensor = log.tensors.of_number(number)
        if tensor is None or number not in assembly.index:
            continue
        root = owner(tensor._array)
        array, count = log.writes.silent.get(id(root), (None, 0))
        if not count or array() is not root:
            continue
        place = assembly.index[number]
        yield place, 0, _added(assembly, place, None, tensor._array)
        if count < len(assembly.recorded):
            yield place, count, place


def _added(assembly: Tables, place: int, what: Any, array: Any) -> int:
    return assembly.add_seen(what, array.shape, array.dtype, role="written", shares=place)


def written_over(recorded: Sequence[RecordedOp]) -> set[int]:
    """Return the numbers of tensors whose memory an in-place op wrote, directly or through a view."""
    roots: dict[int, int] = {}
    found: set[int] = set()
    if not any("_inplace" in each.kwargs for each in recorded):
        return found
    for each in recorded:
        inplace = "_inplace" in each.kwargs
        if each.inputs and (inplace or each.op.view):
            root = roots.get(each.inputs[0], each.inputs[0])
            roots.update((number, root) for number, _ in each.outputs)
            found.update([root] * inplace)
    return found


LONGEST_ARGUMENT = 60


def arguments(rest: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """Format an op's other arguments as one writes them: `2`, `dim=1`."""
    parts = [_argument(value) for value in rest]
    parts += [
        f"{name}={_argument(value)}" for name, value in kwargs.items() if name != "_inplace" and value is not None
    ]
    text = ", ".join(parts)
    return intern(text if len(text) <= LONGEST_ARGUMENT else text[: LONGEST_ARGUMENT - 3] + "...")


def _argument(value: Any) -> str:
    if isinstance(value, slice):
        start, stop, step = ("" if part is None else str(part) for part in (value.start, value.stop, value.step))
        return f"{start}:{stop}" + (f":{step}" if step else "")
    if value is Ellipsis:
        return "..."
    if isinstance(value, (tuple, list)):
        inner = ", ".join(_argument(each) for each in value[:8]) + (", ..." if len(value) > 8 else "")
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, float):
        return min(repr(value), f"{value:.6g}", key=len)
    if value is None or isinstance(value, (bool, int, complex, str)):
        return repr(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return f"array{list(value.shape)}"
    if isinstance(value, dtypes.dtype):
        return value.name
    return f"<{type(value).__name__}>"
