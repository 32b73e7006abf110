"""Counts of in-place writes, so that backward never uses a value changed since.

Nothing is counted while ops only read: an in-place op stamps the memory it wrote with the current rank, and a node
whose saved array carries a younger stamp than the node refuses to run.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from dyncore.errors.source import Place, caller_line, place

from .node import next_rank

newest = 0


class Stamps:
    """The ranks at which one piece of memory was written, and where from the last time."""

    __slots__ = ("ref", "ranks", "dropped", "last", "scalar", "title", "detached", "mirrors")

    def __init__(self, ref: Any) -> None:
        self.ref = ref
        self.ranks: list[int] = []
        self.dropped = 0
        self.last: Any = None
        self.scalar: Any = None
        self.title: tuple[str, int, int] | None = None  # the last write's node; id and rank of the array it is of
        self.detached: tuple[int, frozenset[int]] | None = None
        self.mirrors: list[Any] | None = None

    @property
    def last_place(self) -> Place | None:
        """The line of the last write."""
        return None if self.last is None else place(*self.last)

    def count(self) -> int:
        return self.dropped + len(self.ranks)

    def before(self, rank: int) -> int:
        """Return how many writes had happened when the node of `rank` was created."""
        return self.dropped + sum(1 for each in self.ranks if each > rank)


_written: dict[int, Stamps] = {}


def owner(array: Any) -> Any:
    """Return the array that holds the memory `array` looks at."""
    while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def stamps(array: Any) -> Stamps | None:
    """Return the counts of writes to the memory of an array, None without writes."""
    return _written.get(id(owner(array)))


def was_written(array: Any) -> bool:
    """Return True if the memory of a saved array was ever written in place."""
    return id(owner(array)) in _written or id(array) in apart_stamps


guard: Any = None  # called with memory that is about to be written
batch: Any = None  # while batches run: has `before_change(root)` and `at_once(entry)`
callback: Any = None  # the listener's `before_write`


def before_write(array: np.ndarray[Any, Any], silent: bool = False) -> None:
    """Report that `array` is about to be written.

    To a listener, and to `allow_mutation_on_saved_tensors` where it is on.
    silent: no op follows for the listener.
    """
    if callback is not None:
        first = id(owner(array)) not in _written
        if first or silent:
            callback(owner(array), first, silent)
    if guard is not None:
        root = owner(array)
        guard(root)
        found = _written.get(id(root))
        if found is not None and found.mirrors is not None:
            for each in {id(r): r for m in found.mirrors for r in (m.source, m.image()) if r is not None}.values():
                if each is not root:
                    guard(each)


def before_change(tensor: Any) -> None:
    """Report that a tensor is about to get other memory or another `requires_grad`."""
    if batch is not None:
        batch.before_change(owner(tensor._array))


def bump(array: np.ndarray[Any, Any], count: int = 1, line: tuple[Any, int] | None = None) -> None:
    """Record that `array`'s memory was written just now, by `line`, code and instruction, or the line that runs."""
    global newest
    found = _written.get(id(array)) or _stamps_of(owner(array))  # none of those written but an owner is found by its id
    ranks = found.ranks
    for _ in range(count - 1):
        ranks.append(next_rank())
    newest = next_rank()
    ranks.append(newest)
    if len(ranks) > 1000:
        found.dropped += len(ranks) - 500
        del ranks[:-500]
    found.last = line or caller_line(2)
    if found.mirrors is not None:
        reflect(array)


apart_stamps: dict[int, Stamps] = {}  # by the id of an array that `.data` gave, or a view of one


def apart(array: np.ndarray[Any, Any], found: Stamps | None = None) -> Stamps:
    """Count writes through a result of `.data` apart from those to its memory.

    found: together with these.
    """
    key = id(array)
    made = apart_stamps[key] = Stamps(()) if found is None else found
    made.ref = (*_alive(made), weakref.ref(array, lambda _: apart_stamps.pop(key, None)))
    return made


def bump_apart(found: Stamps) -> None:
    """Record a write through what `.data` gave: nodes that saved that very tensor refuse to run."""
    global newest
    newest = next_rank()
    found.ranks.append(newest)
    found.last = caller_line(3)


def reflect(array: np.ndarray[Any, Any]) -> None:
    """Copy what was written into `array` to its mirrors, lazy conjugates and negatives, and to what it mirrors."""
    found = stamps(array)
    if found is not None and found.mirrors is not None:
        found.mirrors[0].reflect(array, found.mirrors)


def _stamps_of(root: np.ndarray[Any, Any]) -> Stamps:
    key, written = id(root), _written  # the names of a module are gone before the last arrays are
    found = written.get(key)
    if found is None:
        found = written[key] = Stamps(weakref.ref(root, lambda _: written.pop(key, None)))
    return found


def note_detached(array: np.ndarray[Any, Any]) -> None:
    """Record that the tensor of `array` was cut off its history in place: nodes that saved it lead nowhere now."""
    global newest
    found = _stamps_of(owner(array))
    newest = next_rank()
    found.detached = newest, frozenset((id(array), id(found.scalar)))


def replaced(scalar: Any, array: np.ndarray[Any, Any]) -> None:
    """Record that `array`, about to be shared, stands for the NumPy scalar that nodes may have saved.

    Several tensors may have the same scalar, so several arrays may stand for it.
    """
    found = _written.get(id(scalar))
    if found is None or found.scalar is not scalar:
        found = _written[id(scalar)] = Stamps(())
        found.scalar = scalar
    key = id(array)

    def forget(_: Any) -> None:
        if _written.get(key) is found:
            del _written[key]
        found.ref = tuple(each for each in found.ref if each() is not None)
        if not found.ref and _written.get(id(scalar)) is found:
            del _written[id(scalar)]

    _written[key] = found
    found.ref = (*found.ref, weakref.ref(array, forget))


def carry(before: Any, after: np.ndarray[Any, Any], viewed: bool) -> None:
    """Keep the count of a tensor whose memory changes from `before` to `after`.

    Its views share it.
    """
    old, root = owner(before), owner(after)
    found = _written.get(id(old))
    if old is root or old.__class__ is not np.ndarray:
        return
    if found is None:
        if not viewed and id(root) not in _written:
            return
        found = _written[id(old)] = Stamps(())
        found.ref = (_watched(old, found),)
    _written[id(root)] = found
    found.ref = (*_alive(found), _watched(root, found))


def join(root: np.ndarray[Any, Any], image: np.ndarray[Any, Any], mirror: Any) -> None:
    """Write and count `image`, a mirror of part of `root`, together with it."""
    found = _stamps_of(root)
    _written[id(image)] = found
    found.ref = (*_alive(found), _watched(image, found))
    found.mirrors = [*(found.mirrors or ()), mirror]


def part(root: np.ndarray[Any, Any], mirror: Any) -> None:
    """Remove a mirror of `root` whose image is gone."""
    found = stamps(root)
    if found is not None:
        found.mirrors = [each for each in found.mirrors or () if each is not mirror] or None


def _alive(found: Stamps) -> Iterator[Any]:
    """Return the references of the arrays whose writes `found` counts, without those that are gone."""
    held = found.ref if isinstance(found.ref, tuple) else (found.ref,)
    return (each for each in held if each() is not None)


def _watched(root: np.ndarray[Any, Any], found: Stamps) -> Any:
    """Return a reference to `root` whose end ends what is known of it."""
    key, written = id(root), _written

    def forget(_: Any) -> None:
        if written.get(key) is found:
            del written[key]

    return weakref.ref(root, forget)


def state(array: Any) -> tuple[list[int], int]:
    """Return what is known of the writes to `array`'s memory, to be given back to `restore`."""
    found = stamps(array)
    return (list(found.ranks), found.dropped) if found else ([], 0)


def restore(array: Any, kept: tuple[list[int], int]) -> None:
    """Make the writes to `array`'s memory since `kept` unseen."""
    found = stamps(array)
    if found is not None:
        found.ranks, found.dropped = list(kept[0]), kept[1]


def set_version(array: np.ndarray[Any, Any], count: int) -> None:
    """Make `version` of `array`'s memory `count`."""
    bump(array)
    found = stamps(array)
    assert found is not None
    found.dropped = count - len(found.ranks)


def version(array: Any) -> int:
    """PyTorch's `_version`: how often the memory was written in place."""
    found = stamps(array)
    return found.count() if found else 0
