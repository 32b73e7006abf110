"""A part of the data as it travels to the process that runs it: JSON values, one `Item` for each input."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from dyncli.records.text import one_line

LONGEST_SHOWN = 80

#: What the items of a chunk are: lines of JSON, rows of a table, rows of arrays, whole files.


@dataclass(slots=True)
class Chunk:
    """Some inputs that follow each other: the positions [first, last) of a source.

    items: one for each position: a text (None for one that is no UTF-8); a list of cells; the bytes of a file as
    (suffix, base64).  Of arrays, name -> base64 of a `.npy`.  head: the names of columns.
    places: where each is found, if not by its position.
    """

    source: str
    first: int
    last: int
    form: str
    items: Any
    head: list[str] | None = None
    places: list[str] | None = None

    def __len__(self) -> int:
        return self.last - self.first

    def out(self) -> list[Any]:
        """Convert the chunk to JSON values, the arguments of `Chunk`."""
        return [self.source, self.first, self.last, self.form, self.items, self.head, self.places]

    def place(self, position: int) -> str:
        """Name the place where a person finds an input."""
        if self.places is not None:
            return self.places[position - self.first]
        return f"{self.source}[{position}]" if self.form == "arrays" else f"{self.source}:{position}"

    def shown(self, position: int) -> str:
        """Format an input as one line of at most LONGEST_SHOWN characters."""
        if self.form == "files":
            return ""
        if self.form == "arrays":
            values = {name: array[position - self.first] for name, array in self.arrays().items()}
            text = ", ".join(f"{name}={_array_text(value)}".removeprefix("=") for name, value in values.items())
            return one_line(text, LONGEST_SHOWN)
        item = self.items[position - self.first]
        if item is None:
            return ""
        if self.form == "rows":
            item = ", ".join(item if self.head is None else map("{}={}".format, self.head, item))
        return one_line(item[: LONGEST_SHOWN * 2], LONGEST_SHOWN)

    def arrays(self) -> dict[str, Any]:
        """Return the arrays by name, decoded on the first call."""
        import numpy as np

        if self.items and isinstance(next(iter(self.items.values())), str):
            self.items = {
                name: np.load(io.BytesIO(base64.b64decode(data)), allow_pickle=False)
                for name, data in self.items.items()
            }
        return self.items

    def rest(self, done: Iterable[tuple[int, int]]) -> Iterator[Chunk]:
        """Yield the parts of the chunk whose positions are not done, none of them empty."""
        first = self.first
        for start, end in (*done, (self.last, self.last)):
            if first < start:
                yield self.part(first, start)
            first = end

    def part(self, first: int, last: int) -> Chunk:
        """Cut out positions `first` to `last`, without the last."""
        start, end = first - self.first, last - self.first
        items = self.items
        if self.form == "arrays":
            items = {name: packed(array[start:end]) for name, array in self.arrays().items()}
        else:
            items = items[start:end]
        places = None if self.places is None else self.places[start:end]
        return Chunk(self.source, first, last, self.form, items, self.head, places)


def packed(array: Any) -> str:
    """Encode an array as the base64 text of a `.npy` file."""
    import numpy as np

    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return base64.b64encode(stream.getvalue()).decode()


def _array_text(value: Any) -> str:
    flat = value.reshape(-1)[:20].tolist() if value.ndim else value.item()
    return str(flat) if value.size <= 20 else f"{str(flat)[:-1]}, ...]"
