"""One reader for each kind of source: lines of JSON, rows of a table, rows of arrays, files of a folder."""

from __future__ import annotations

import base64
import csv
import json
import os
import sys
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from dyncli import errors
from dyncli.cover.chunks import Chunk, packed
from dyncli.cover.data import STDIN, Ranges, Reader, folder_files
from dyncli.load import arrays, files

LONGEST_LINE = 1 << 26
LARGEST_CELL = 1 << 24
ROW_BYTES = 1 << 25  # of arrays that travel in one chunk


def opened(path: str, name: str, done: Ranges, parameters: list[str]) -> Reader:
    """The reader of a source.  Raises InputError."""
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
        raise errors.InputBroken(path, error.strerror or str(error)) from None


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
        """Every input of the source."""
        raise NotImplementedError

    def take(self, most: int) -> Chunk | None:
        """The next inputs, as many as follow each other."""
        first = self._held or next(self._items, None)
        self._held = None
        if first is None:
            return None
        found = [first]
        for item in islice(self._items, most - 1):
            if item[0] != found[-1][0] + 1:
                self._held = item
                break
            found.append(item)
        places = [place for _, _, place in found] if self.has_places else None
        items = [item for _, item, _ in found]
        return Chunk(self.name, found[0][0], found[-1][0] + 1, self.form, items, self.head, places)

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
        """How much was read."""
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
        if first is not None and not all(map(files.is_number, first)):
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
        value = files.read(path).value
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
            data = files.read_bytes(path, suffix)
            yield position, (suffix, base64.b64encode(data).decode()), path

    def take(self, most: int) -> Chunk | None:
        return super().take(min(most, 64))

    @property
    def fraction(self) -> float | None:
        return self.given / max(len(self.files), 1)


class Arrays:
    """Arrays of which each entry along the first axis is one input; read row by row, never whole."""

    def __init__(self, name: str, done: Ranges) -> None:
        self.name = name
        self.done = sorted(done)
        self.at = 0
        self.streams = dict(_streams(name))
        lengths = {key: len(stream) for key, stream in self.streams.items()}
        if not lengths:
            raise errors.InputBroken(name, "it holds no arrays")
        self.length = next(iter(lengths.values()))
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"`{key}` has {length:,}" for key, length in lengths.items())
            raise errors.InputBroken(name, f"its arrays differ in their first axis: {told}")
        row = sum(stream.row_bytes for stream in self.streams.values())
        self.most = max(1, ROW_BYTES // max(row, 1))

    def take(self, most: int) -> Chunk | None:
        """The next rows."""
        self._skip()
        if self.at >= self.length:
            return None
        until = next((first for first, _ in self.done if first > self.at), self.length)
        first, last = self.at, min(self.at + min(most, self.most), until, self.length)
        items = {key: packed(stream.read(last - first)) for key, stream in self.streams.items()}
        self.at = last
        return Chunk(self.name, first, last, "arrays", items)

    def _skip(self) -> None:
        for first, last in self.done:
            if first <= self.at < last:
                for stream in self.streams.values():
                    stream.skip(min(last, self.length) - self.at)
                self.at = last

    @property
    def fraction(self) -> float | None:
        """How much was read."""
        return self.at / self.length if self.length else 1.0


class _Stream:
    """An array in a file, read from its beginning to its end."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        import numpy as np

        self.file, self.name = file, name
        try:
            version = np.lib.format.read_magic(file)
            reads = {(1, 0): np.lib.format.read_array_header_1_0}
            read = reads.get(version, np.lib.format.read_array_header_2_0)
            shape, is_fortran, dtype = read(file)
        except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, EOFError) as error:
            raise errors.InputBroken(name, f"its header is damaged ({str(error).splitlines()[0]})") from None
        if dtype.hasobject:
            raise errors.InputRefused(name, "Python objects in a pickle")
        if dtype.kind not in "biufc":
            raise errors.InputBroken(name, f"it holds {dtype}, not numbers")
        if not shape:
            raise errors.InputBroken(name, "it is a single number, with no axis of inputs")
        if is_fortran and len(shape) > 1:
            raise errors.InputBroken(name, "its rows do not lie together (Fortran order): save a copy in C order")
        self.shape, self.dtype = shape, dtype
        self.row_bytes = dtype.itemsize
        for size in shape[1:]:
            self.row_bytes *= size

    def __len__(self) -> int:
        return int(self.shape[0])

    def read(self, rows: int) -> Any:
        import numpy as np

        wanted = rows * self.row_bytes
        data = self._bytes(wanted)
        array = np.frombuffer(data, self.dtype).reshape(rows, *self.shape[1:])
        return array.astype(self.dtype.newbyteorder("="), copy=False)

    def skip(self, rows: int) -> None:
        left = rows * self.row_bytes
        while left > 0:
            left -= len(self._bytes(min(left, ROW_BYTES)))

    def _bytes(self, wanted: int) -> bytes:
        try:
            data = self.file.read(wanted)
        except (OSError, zipfile.BadZipFile, EOFError, ValueError) as error:
            raise errors.InputBroken(self.name, f"it is truncated or damaged ({error})") from None
        if len(data) < wanted:
            raise errors.InputBroken(self.name, f"it is truncated: {wanted - len(data):,} bytes are missing")
        return data


class _Held(_Stream):
    """An array that is in memory already."""

    def __init__(self, array: Any, name: str) -> None:
        if not array.ndim:
            raise errors.InputBroken(name, "it is a single number, with no axis of inputs")
        self.array, self.at, self.shape = array, 0, array.shape
        self.row_bytes = array.nbytes // max(array.shape[0], 1)

    def read(self, rows: int) -> Any:
        self.at += rows
        return self.array[self.at - rows : self.at]

    def skip(self, rows: int) -> None:
        self.at += rows


def _streams(name: str) -> Iterator[tuple[str, _Stream]]:
    suffix = Path(name).suffix.lower()
    if suffix == ".safetensors":
        held = arrays.read_safetensors(files.read_bytes(name, suffix), name)
        yield from ((key, _Held(array, f"{name}:{key}")) for key, array in held.items())
        return
    with open(name, "rb") as file:
        magic = file.read(len(arrays.NPY_MAGIC))
    if magic.startswith(arrays.PICKLE_MAGIC):
        raise errors.InputRefused(name, "a pickle")
    if suffix == ".npy":
        if magic != arrays.NPY_MAGIC:
            raise errors.InputBroken(name, "it is no .npy file" if magic else "it is empty")
        yield "", _Stream(open(name, "rb"), name)  # noqa: SIM115  read as long as the reader lives
        return
    try:
        archive = zipfile.ZipFile(name)
        for entry in archive.infolist():
            stream = archive.open(entry)
            yield entry.filename.removesuffix(".npy"), _Stream(stream, f"{name}:{entry.filename}")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise errors.InputBroken(name, f"it is truncated or no .npz file ({error})") from None


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
