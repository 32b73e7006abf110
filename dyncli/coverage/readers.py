"""One reader for each kind of source: lines of JSON, rows of a table, items of a list, files of a folder."""

from __future__ import annotations

import base64
import csv
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from dyncli import errors
from dyncli.coverage.array_readers import Arrays
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.sources import STDIN, Ranges, Reader, folder_files
from dyncli.script.readers import LARGEST_CELL, is_number, read, read_bytes

LONGEST_LINE = 1 << 26
CHUNK_WEIGHT = 1 << 22  # characters after which a chunk is full


def opened(path: str, name: str, done: Ranges, parameters: list[str]) -> Reader:
    """Open the reader of a source, chosen by its suffix.  Raises InputError."""
    suffix = Path(path).suffix.lower()
    try:
        if path == STDIN:
            return Lines(path, sys.stdin.buffer, done)
        if path.endswith("/"):
            return Folder(path, done)
        if suffix == ".jsonl":
            return Lines(path, open(path, "rb"), done)
        if suffix == ".csv":
            return Rows(path, done)
        if suffix == ".json":
            return Values(path, name, done, parameters)
        return Arrays(path, done)
    except OSError as error:
        raise errors.InputUnopened(path, errors.reason(error)) from None


class Items:
    """Inputs that come one by one as (position, item, place); positions in `done` are passed over."""

    form = "lines"
    head: list[str] | None = None
    has_places = False

    def __init__(self, name: str, done: Ranges) -> None:
        self.name = name
        self.done = sorted(done)
        self._items = self._wanted()
        self._held: tuple[int, Any, str] | None = None

    def items(self) -> Iterator[tuple[int, Any, str]]:
        """Yield every input of the source."""
        raise NotImplementedError

    def take(self, most: int) -> Chunk | None:
        """Read the next inputs, as many as have adjacent positions, at most `most`; None at the end."""
        first = self._held or next(self._items, None)
        self._held = None
        if first is None:
            return None
        found, weight = [first], _weight(first[1])
        while len(found) < most and weight < CHUNK_WEIGHT:
            item = next(self._items, None)
            if item is None:
                break
            if item[0] != found[-1][0] + 1:
                self._held = item
                break
            found.append(item)
            weight += _weight(item[1])
        places = [place for _, _, place in found] if self.has_places else None
        items = [item for _, item, _ in found]
        return Chunk(self.name, found[0][0], found[-1][0] + 1, self.form, items, self.head, places)

    def close(self) -> None:
        """Close the open file, if any."""

    def _wanted(self) -> Iterator[tuple[int, Any, str]]:
        ranges = iter(self.done)
        first, last = next(ranges, (sys.maxsize, sys.maxsize))
        for item in self.items():
            while item[0] >= last:
                first, last = next(ranges, (sys.maxsize, sys.maxsize))
            if item[0] < first:
                yield item

    @property
    def fraction(self) -> float | None:
        """Return how much was read."""
        return None


class Lines(Items):
    """One JSON value a line, by the number of the line."""

    def __init__(self, name: str, file: IO[bytes], done: Ranges) -> None:
        self.file = file
        self.bytes = 0
        self.size = os.fstat(file.fileno()).st_size if name != STDIN else 0
        super().__init__(name, done)

    def items(self) -> Iterator[tuple[int, Any, str]]:
        number = 0
        while line := self.file.readline(LONGEST_LINE):
            number += 1
            self.bytes += len(line)
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                raise errors.InputTooLarge(f"{self.name}, line {number}", "it does not end", "64 MiB")
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            try:
                yield number, line.decode().strip(), ""
            except UnicodeDecodeError:
                yield number, None, ""

    def close(self) -> None:
        if self.name != STDIN:
            self.file.close()

    @property
    def fraction(self) -> float | None:
        return self.bytes / self.size if self.size else None


class Rows(Items):
    """One input a row; a first row of words names the columns."""

    form = "rows"
    has_places = True

    def __init__(self, name: str, done: Ranges) -> None:
        self.file = open(name, encoding="utf-8-sig", errors="surrogateescape", newline="")  # noqa: SIM115
        self.size = os.fstat(self.file.fileno()).st_size
        csv.field_size_limit(LARGEST_CELL)
        self.rows = csv.reader(self._lines())
        self.bytes = 0
        first = next((row for row in self._rows() if row), None)
        self._first = first
        if first is not None and not all(map(is_number, first)):
            self.head = [cell.strip() for cell in first]
            self._first = None
        super().__init__(name, done)

    def items(self) -> Iterator[tuple[int, Any, str]]:
        position = 0
        rows = self._rows() if self._first is None else self._with_first()
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            position += 1
            yield position, row if _is_text(row) else None, f"{self.name}:{self.rows.line_num}"

    def close(self) -> None:
        self.file.close()

    def _with_first(self) -> Iterator[list[str]]:
        assert self._first is not None
        yield self._first
        yield from self._rows()

    def _rows(self) -> Iterator[list[str]]:
        try:
            yield from self.rows
        except csv.Error as error:
            raise errors.InputBroken(f"{self.file.name}, line {self.rows.line_num}", str(error)) from None

    def _lines(self) -> Iterator[str]:
        for line in self.file:
            self.bytes += len(line)
            yield line

    @property
    def fraction(self) -> float | None:
        return min(self.bytes / self.size, 1.0) if self.size else None


class Values(Items):
    """The items of a JSON list, or the named cases of an object; anything else is one input."""

    has_places = True

    def __init__(self, path: str, name: str, done: Ranges, parameters: list[str]) -> None:
        value = read(path).value
        self.values: list[tuple[str, Any]]
        if isinstance(value, list) and value and all(isinstance(each, (list, dict)) for each in value):
            self.values = [(f"{name}[{index}]", each) for index, each in enumerate(value)]
        elif isinstance(value, dict) and value and _are_cases(value, parameters):
            self.values = [(f"{name}:{key}", each) for key, each in value.items()]
        else:
            self.values = [(name, value)]
        self.given = 0
        super().__init__(name, done)

    def items(self) -> Iterator[tuple[int, Any, str]]:
        for position, (place, value) in enumerate(self.values):
            self.given = position + 1
            yield position, json.dumps(value), place

    @property
    def fraction(self) -> float | None:
        return self.given / len(self.values)


class Folder(Items):
    """Every file of a folder is one input; its suffix says how it is read."""

    form = "files"
    has_places = True

    def __init__(self, name: str, done: Ranges) -> None:
        self.files = folder_files(name)
        self.given = 0
        super().__init__(name, done)

    def items(self) -> Iterator[tuple[int, Any, str]]:
        for position, path in enumerate(self.files):
            self.given = position + 1
            suffix = Path(path).suffix.lower()
            data = read_bytes(path, suffix)
            yield position, (suffix, base64.b64encode(data).decode()), path

    @property
    def fraction(self) -> float | None:
        return self.given / max(len(self.files), 1)


def _weight(item: Any) -> int:
    """About how many characters an item has."""
    return 0 if item is None else len(item) if isinstance(item, str) else sum(map(len, item))


def _is_text(row: list[str]) -> bool:
    try:
        "".join(row).encode()
    except UnicodeEncodeError:
        return False
    return True


def _are_cases(value: dict[str, Any], parameters: list[str]) -> bool:
    if all(key in parameters for key in value):
        return False
    return all(isinstance(each, dict) for each in value.values())
