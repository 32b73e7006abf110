"""Lists that loops append to: one tensor holds their elements, so that iterations begin in one state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from dyncli.export.numbers import Number, number
from dyncli.recorder.engine import Tensor

__dyncore__ = True  # the line that an op stands on is the script's

Kind = tuple[str, str, int]  # a class of elements, their dtype as NumPy's, and their rank


def kind_of(value: Any) -> Kind | None:
    """Return the kind of an element; None for one that no tensor can hold together with others."""
    if isinstance(value, Number):
        return "number", value.tensor._array.dtype.str, 0
    if type(value) in (int, float):
        return "number", "<i8" if type(value) is int else "<f8", 0
    return ("tensor", value._array.dtype.str, value._array.ndim) if isinstance(value, Tensor) else None


def common_kind(values: list[Any]) -> Kind | None:
    """Return the kind of all these elements, of one shape; None where there is none."""
    kinds = {kind_of(each) for each in values}
    shapes = {each._array.shape for each in values if isinstance(each, Tensor)}
    return kinds.pop() if len(kinds) == 1 and len(shapes) < 2 else None


class RunAgain(BaseException):
    """Run in which a list was used in a way that rows do not allow: it is done again with a list of Python's."""


class Rows:
    """A list whose elements are the rows of `tensor`.

    Its length and its elements are values of the path; what needs the length itself holds for this one alone.
    give_up: called for what a list can do and this cannot, raises RunAgain.
    """

    def __init__(self, recording: Any, kind: Kind, give_up: Callable[[], Any]) -> None:
        self.recording = recording
        self.kind = kind
        self.tensor = recording.computed("no_rows", {}, np.zeros((0,) * (kind[2] + 1), kind[1]), sized_by_data=True)
        self._give_up = give_up
        self._stepped = False

    @property
    def count(self) -> int:
        """The length in this run."""
        return len(self.tensor._array)

    def append(self, value: Any) -> None:
        """Add a row."""
        row: Any = value if isinstance(value, Tensor) else number(self.recording, value)
        row = row.tensor if isinstance(row, Number) else row
        rows = self.tensor._array
        if self._stepped or kind_of(value) != self.kind or (len(rows) and rows.shape[1:] != row._array.shape):
            self._give_up()
        array = np.concatenate([rows.reshape(-1, *row._array.shape), row._array[None]])
        operands = {"input": self.tensor, "other": row}
        self.tensor = self.recording.computed("more_rows", operands, array, sized_by_data=True)

    def extend(self, values: Any) -> None:
        """Add rows."""
        for each in values:
            self.append(each)

    def __iadd__(self, values: Any) -> Rows:
        self.extend(values)
        return self

    def size(self) -> Number:
        """Return the length as a value."""
        return Number(self.recording, self.recording.size(self.tensor, 0))

    def counted(self) -> Number:
        """Return the length for a loop over the elements; what is appended meanwhile would belong to it."""
        self._stepped = True
        return self.size()

    def row(self, place: Number) -> Any:
        """Return the element at a place, which is not negative."""
        found = row_of(self.tensor, place)
        return found if self.kind[0] == "tensor" else Number(self.recording, found)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice) or kind_of(index) is None:
            return list(self)[index]
        place: Any = index.tensor._array.item() if isinstance(index, Number) else index
        if not -self.count <= place < self.count:
            raise IndexError("list index out of range")
        return self.row(self.size() + index if place < 0 else index if index is not place else _of(self, place))

    def __len__(self) -> int:
        return int(self.size())

    def __bool__(self) -> bool:
        return bool(self.size() != 0)

    def __iter__(self) -> Iterator[Any]:
        for place in range(len(self)):
            yield self.row(_of(self, place))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._give_up()


def row_of(tensor: Any, place: Number) -> Any:
    """Return a copy of `tensor[place]`."""
    array = np.array(tensor._array[place.tensor._array.item()])
    return place.recording.computed("row", {"input": tensor, "other": place.tensor}, array)


def _of(rows: Rows, value: int) -> Any:
    return number(rows.recording, value)


for _name in ("add", "mul", "rmul", "imul", "contains", "eq", "ne", "lt", "le", "gt", "ge", "setitem", "delitem",
              "reversed", "repr"):  # fmt: skip
    setattr(Rows, f"__{_name}__", lambda rows, *args: rows._give_up())


def joined(rows: Rows, name: str, dim: int) -> Any:
    """Return `torch.stack` or `torch.cat` of the elements."""
    rank = rows.kind[2]
    dim %= rank + (name == "stack")
    tensor = rows.tensor.permute(*range(1, dim + 1), 0, *range(dim + 1, rank + 1)) if dim else rows.tensor.clone()
    return tensor if name == "stack" else tensor.flatten(dim, dim + 1)


def without_rows(tree: Any) -> Any:
    """Return a tree with lists of Python's: the path holds for their lengths alone."""
    if isinstance(tree, Rows):
        return list(tree)
    if type(tree) in (list, tuple):
        return type(tree)(map(without_rows, tree))
    if type(tree) is dict:
        return {key: without_rows(each) for key, each in tree.items()}
    return tree


class Lists:
    """Lists of a run that may be held as rows: what earlier runs have shown of those made at one place of a script.

    enabled: whether any may be.  changed: whether this run has shown something new.
    """

    def __init__(self) -> None:
        self.enabled = True
        self.changed = False
        self.turns = 0  # iterations so far of loops that are not unrolled
        self._kinds: dict[Any, Kind | None] = {}
        self._watched: dict[int, tuple[Any, list[Any], int]] = {}

    @property
    def known(self) -> bool:
        """Return whether some list can be held as rows."""
        return any(each is not None for each in self._kinds.values())

    def start(self) -> None:
        """Begin a run."""
        self.changed, self.turns, self._watched = False, 0, {}

    def made(self, recording: Any, place: Any, value: list[Any]) -> Any:
        """Return what stands for a list that was made at a place of the script."""
        if not self.enabled:
            return value
        kind = self._kinds.get(place)
        if kind is None:
            self._watched[id(value)] = place, value, self.turns
            return value
        rows = Rows(recording, kind, partial(self._give_up, place))
        rows.extend(value)
        return rows

    def appended(self, owner: list[Any], value: Any) -> None:
        """Learn from a value that is appended."""
        place, _, turns = self._watched.get(id(owner), (None, owner, self.turns))
        if self.turns > turns and self._kinds.get(place, ()) is not None:
            self._settle(place, common_kind([*owner, value]))

    def _give_up(self, place: Any) -> None:
        self._settle(place, None)
        raise RunAgain

    def _settle(self, place: Any, kind: Kind | None) -> None:
        """Keep the kind of the elements of a list; None for good where they have none in common."""
        before = self._kinds.get(place, kind)
        self._kinds[place] = kind if before == kind else None
        self.changed |= before is not None or kind is not None
