"""Which tensors an op holds for backward, as its derivatives say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dyncli.recording.events.rows import Noted
from dyncli.records.model import TensorSummary

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
