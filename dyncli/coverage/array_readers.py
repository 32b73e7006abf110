"""The reader of arrays, `.npy`, `.npz` and `.safetensors`: row by row, so that no file is held whole."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from dyncli import errors
from dyncli.coverage.chunks import Chunk, packed
from dyncli.coverage.sources import Ranges
from dyncli.script import arrays, readers

ROW_BYTES = 1 << 25  # that travel in one chunk


class Arrays:
    """Arrays of which each entry along the first axis is one input; read row by row, never whole."""

    def __init__(self, name: str, done: Ranges) -> None:
        self.name = name
        self.done = sorted(done)
        self.at = 0
        self.streams: dict[str, _Stream] = {}
        try:
            for key, stream in _streams(name):
                self.streams[key] = stream
            self.length = self._length()
        except BaseException:
            self.close()
            raise
        row = sum(stream.row_bytes for stream in self.streams.values())
        self.most = max(1, ROW_BYTES // max(row, 1))

    def _length(self) -> int:
        """Return how many entries the first axis has; it must be the same of all."""
        lengths = {key: len(stream) for key, stream in self.streams.items()}
        if not lengths:
            raise errors.InputBroken(self.name, "it holds no arrays")
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"`{key}` has {length:,}" for key, length in lengths.items())
            raise errors.InputBroken(self.name, f"its arrays differ in their first axis: {told}")
        return next(iter(lengths.values()))

    def close(self) -> None:
        """Close the files."""
        for stream in self.streams.values():
            stream.close()

    def take(self, most: int) -> Chunk | None:
        """Read the next rows, one item per row, at most `most`; None at the end."""
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
        """Return how much was read."""
        return self.at / self.length if self.length else 1.0


class _Stream:
    """An array in a file, read from its beginning to its end."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self.file, self.name = file, name
        shape, is_fortran, dtype = arrays.read_header(file, name)
        if not shape:
            raise errors.InputBroken(name, "it is a single number, with no axis of inputs")
        if is_fortran and len(shape) > 1:
            raise errors.InputBroken(name, "its rows do not lie together (Fortran order): save a copy in C order")
        self.shape, self.dtype = shape, dtype
        self.row_bytes = dtype.itemsize
        for size in shape[1:]:
            self.row_bytes *= size

    def close(self) -> None:
        self.file.close()

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
        self.file = io.BytesIO()
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
        held = arrays.read_safetensors(readers.read_bytes(name, suffix), name)
        yield from ((key, _Held(array, f"{name}:{key}")) for key, array in held.items())
        return
    with open(name, "rb") as file:
        magic = file.read(len(arrays.NPY_MAGIC))
    if magic.startswith(arrays.PICKLE_MAGIC):
        raise errors.InputRefused(name, "a pickle")
    if suffix == ".npy":
        if magic != arrays.NPY_MAGIC:
            raise errors.InputBroken(name, "it is no .npy file" if magic else "it is empty")
        yield "", _stream(open(name, "rb"), name)  # noqa: SIM115  read as long as the reader lives
        return
    try:
        with zipfile.ZipFile(name) as archive:  # an entry that is open keeps the file open
            for entry in archive.infolist():
                yield entry.filename.removesuffix(".npy"), _stream(archive.open(entry), f"{name}:{entry.filename}")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise errors.InputBroken(name, f"it is truncated or no .npz file ({error})") from None


def _stream(file: IO[bytes], name: str) -> _Stream:
    """Open the array in a file; close the file if there is none in it."""
    try:
        return _Stream(file, name)
    except BaseException:
        file.close()
        raise
