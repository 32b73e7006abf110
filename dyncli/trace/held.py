"""What an op holds for backward: which of its tensors, and how many bytes of what else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from numpy import ndarray

from dyncli.record.tuples import NamedTuple
from dyncore.graph import AccumulateGrad, Output
from dyncore.tensor import Tensor
from dyncore.versions import owner


class Kept(NamedTuple):
    """What a node holds besides its op's arguments: bytes of a mask, of indices, of a composite op's steps.

    ranks: of those steps.  numbers: the script's tensors that they hold.
    """

    size_bytes: int = 0
    ranks: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()


NOTHING = Kept()
Gap = tuple[int | str, int]


def kept(op: Any, args: Sequence[Any], result: Any) -> Kept:
    """Return what the node of `result` holds that its op's rules do not name as argument or result."""
    edge = result._edge if isinstance(result, Tensor) else next((t._edge for t in result if t._edge is not None), None)
    if edge is None:
        return NOTHING
    node = edge.node
    known = {id(owner(each._array)): each._trace for each in _tensors([result, *args])}
    if op.composite:
        steps = _steps(node, {id(t._edge) for t in _tensors(args)})
        held = _bytes([value for step in steps for value in step.saved().values()])
        own = sum(size for key, size in held.items() if key not in known)
        return Kept(own, tuple(step.rank for step in steps), tuple(known[key] for key in held if key in known))
    saved = node.saved()
    held = _bytes([saved[name] for name in op.kept_names if name in saved])
    return Kept(sum(size for key, size in held.items() if key not in known))


def _steps(last: Any, stops: set[int]) -> list[Any]:
    """Return the nodes that lie between a composite op's result and its arguments."""
    steps: list[Any] = []
    seen = {id(last)}
    waiting = [last]
    while waiting:
        node = waiting.pop()
        steps.append(node)
        for edge in node.edges():
            if edge is None or id(edge) in stops or id(edge) in seen or isinstance(edge, AccumulateGrad):
                continue
            seen.add(id(edge))
            waiting.append(edge.node if isinstance(edge, Output) else edge)
    return steps


def _bytes(values: Iterable[Any]) -> dict[int, int]:
    """Return the size of each array among `values` by the id of what owns its memory."""
    found: dict[int, int] = {}
    for value in values:
        if isinstance(value, ndarray):
            whole = owner(value)
            found[id(whole)] = whole.nbytes
        elif isinstance(value, (list, tuple)):
            found |= _bytes(value)
    return found


def _tensors(values: Iterable[Any]) -> list[Tensor]:
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _tensors(value)
    return found


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
