"""What an op holds for backward: which of its tensors, and how many bytes of what else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from numpy import ndarray

from dyncli.record.model import TensorSummary
from dyncli.trace.rows import Noted
from dyncore.graph import AccumulateGrad
from dyncore.tensor import Tensor
from dyncore.versions import owner


class Kept(NamedTuple):
    """What a node holds besides its op's arguments: bytes of a mask, of indices, of a composite op's steps.

    ranks: of those steps.  numbers: the script's tensors that they hold.
    """

    size_bytes: int = 0
    ranks: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()


class OfFunction(NamedTuple):
    """A call of a function of the user's: its first and last op, what it gave, its node's name, what that saved."""

    first: int
    last: int
    number: int
    title: str
    saved: tuple[int, ...]


NOTHING = Kept()
Gap = tuple[int | str, int]


def kept(op: Any, args: Sequence[Any], result: Any) -> Kept:
    """Return what the node of `result` holds that its op's rules do not name as argument or result."""
    edge = result._edge if isinstance(result, Tensor) else next((t._edge for t in result if t._edge is not None), None)
    if edge is None:
        return NOTHING
    node = edge.node
    if op.composite and node.single and args and args[0].__class__ is Tensor and node.e0 is args[0]._edge:
        held_alone = _of_one_step(node, args[0])
        if held_alone is not None:
            return held_alone
    steps = _steps(result, args) if op.composite else None
    if steps is None:
        saved = node.saved()
        found = [saved[name] for name in op.kept_names if name in saved]
    elif len(steps) == 1:
        found = [*node.saved().values()]
    else:
        found = [value for step in steps for value in step.saved().values()]
    held: dict[int, int] = {}
    _note_bytes(found, held)
    known: dict[int, int] = {}
    if held:
        _note_numbers((result, *args), known)
    own = 0
    numbers: tuple[int, ...] = ()
    for key, size in held.items():
        if key in known:
            numbers += (known[key],)
        else:
            own += size
    return Kept(own) if steps is None else Kept(own, tuple([step.rank for step in steps]), numbers)


def _of_one_step(node: Any, given: Tensor) -> Kept | None:
    """Return the same for one node right behind a tensor, if it holds no array but the tensor's: 2 of 4 us."""
    array = given._array
    numbers: tuple[int, ...] = ()
    for value in node.saved().values():
        if value is array and array.__class__ is ndarray:
            numbers = (given._trace,)
        elif isinstance(value, (ndarray, tuple, list)):
            return None
    return Kept(0, (node.rank,), numbers)


def _steps(result: Any, args: Sequence[Any]) -> list[Any]:
    """Return the nodes that lie between a composite op's results and its arguments; none where it gave one back."""
    stops: set[int] = set()
    _note_edges(args, stops)
    steps: list[Any] = []
    seen: set[int] = set()
    waiting: list[Any] = []
    for each in (result,) if isinstance(result, Tensor) else result:
        edge = each._edge if isinstance(each, Tensor) else None
        if edge is not None and id(edge) not in stops and id(edge.node) not in seen:
            seen.add(id(edge.node))
            waiting.append(edge.node)
    while waiting:
        node = waiting.pop()
        steps.append(node)
        for edge in node.edges():
            if edge is None or id(edge) in stops or edge.__class__ is AccumulateGrad or id(edge) in seen:
                continue
            seen.add(id(edge))
            waiting.append(edge.node)
    return steps


# What follows adds to what it is given, without generators: `max` and `norm` recorded 11 to 5 us (`v.max()`).


def _note_bytes(values: Iterable[Any], into: dict[int, int]) -> None:
    """Note the size of each array among `values` by the id of what owns its memory."""
    for value in values:
        kind = value.__class__
        if kind is ndarray or isinstance(value, ndarray):
            whole = value if value.base is None else owner(value)
            into[id(whole)] = whole.nbytes
        elif kind is tuple or isinstance(value, (list, tuple)):
            _note_bytes(value, into)


def _note_numbers(values: Iterable[Any], into: dict[int, int]) -> None:
    """Note the number of each tensor among `values` by the id of what owns its memory."""
    for value in values:
        kind = value.__class__
        if kind is Tensor or isinstance(value, Tensor):
            into[id(owner(value._array))] = value._trace
        elif kind is tuple or kind is list or isinstance(value, (list, tuple)):
            _note_numbers(value, into)


def _note_edges(values: Iterable[Any], into: set[int]) -> None:
    """Note the ids of the edges of the tensors among `values`."""
    for value in values:
        kind = value.__class__
        if kind is Tensor or isinstance(value, Tensor):
            into.add(id(value._edge))
        elif kind is tuple or kind is list or isinstance(value, (list, tuple)):
            _note_edges(value, into)


def saved_by(node: Any, result: Tensor) -> list[Tensor]:
    """Return the tensors that a function of the user's saved, as they are: not what a hook made of them."""
    held = [each for each in node._saved if each is not None and each.array is not None]
    return [result if each.tensor is None else each.tensor for each in held]


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

    def of(self, noted: Noted, more: Iterable[int]) -> tuple[int, ...]:
        """Return those that the derivatives' arguments hold, given which inputs require grad, and these numbers."""
        found = {self.index[number] for number in more if number in self.index}
        if noted.rank:
            inputs = [self.index.get(number) for number in noted.inputs]
            active = tuple([place is not None and self.tensors[place].requires_grad for place in inputs])
            key = (noted.op, noted.gaps, active)
            places = self._known.get(key)
            if places is None:
                places = self._known[key] = held_places(*key)
            found.update([held for place in places.inputs if (held := inputs[place]) is not None])
            results = [noted.outputs[place][0] for place in places.results if place < len(noted.outputs)]
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
