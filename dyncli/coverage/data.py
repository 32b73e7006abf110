"""The data set: files, folders and standard input, read piece by piece into chunks; a chunk holds one source's inputs.

A source is named as the user wrote it; the position of an input in it is its line, its row or its index.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from dyncli import errors
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.readers import opened
from dyncli.coverage.sources import STDIN, Ranges, Reader, folder_files, visible_files
from dyncli.records.digest import blake2b
from dyncli.script.paths import beside
from dyncli.script.readers import READERS

DIGESTED_BYTES = 1 << 20  # at each end of a file: enough to tell two data sets apart


class DataSet:
    """Some sources, one after the other.

    done: source -> positions that are left out.  parameters: the entry's, to tell cases from an object.
    names: what a path is called where not as it is written: a bundled sample.
    given: how many inputs were handed out.  skipped: files of folders whose suffix says nothing.
    """

    def __init__(
        self,
        paths: Sequence[str],
        done: dict[str, Ranges],
        parameters: Iterable[str],
        names: dict[str, str] | None = None,
    ) -> None:
        self.skipped: list[str] = []
        self.given = 0
        self.names = [(names or {}).get(path, path) for path in paths]
        self._shown = names or {}
        self._parameters = list(parameters)
        self._done = done
        self._waiting = [path for given in paths for path in self._files(given)]
        if len(set(self._waiting)) < len(self._waiting):
            twice = next(path for path in self._waiting if self._waiting.count(path) > 1)
            raise errors.UsageError(f"`{twice}` is given twice as `--inputs`", hint="name each file once")
        self._sizes = [_size(path) for path in self._waiting]
        self._read = 0
        self._reader: Reader | None = None

    def _files(self, given: str) -> list[str]:
        """List the files that one `--inputs` names."""
        if given == "-":
            return [STDIN]
        if os.path.isdir(given):
            files = _listed(given)
            known = [path for path in files if Path(path).suffix.lower() in READERS]
            self.skipped += [path for path in files if path not in set(known)]
            single = [path for path in known if not path.lower().endswith(".jsonl")]
            folder = [given.rstrip("/") + "/"] if single else []
            return [*folder, *(path for path in known if path.lower().endswith(".jsonl"))]
        if not os.path.exists(given):
            raise errors.DataMissing(given, beside(given, READERS))
        if Path(given).suffix.lower() not in READERS:
            raise errors.InputFileKind(given, READERS)
        return [given]

    def take(self, most: int) -> Chunk | None:
        """Read the next inputs of the data set, at most `most`; None at the end."""
        while True:
            if self._reader is None:
                if self._read == len(self._waiting):
                    return None
                path = self._waiting[self._read]
                name = self._shown.get(path, path)
                self._reader = opened(path, name, self._done.get(name, ()), self._parameters)
            try:
                chunk = self._reader.take(most)
            except BaseException:
                self.close()
                raise
            if chunk is not None:
                self.given += len(chunk)
                return chunk
            self.close()
            self._read += 1

    def close(self) -> None:
        """Close the open source."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    @property
    def fraction(self) -> float | None:
        """Return how much of the data was handed out; None if that cannot be told."""
        total = sum(self._sizes)
        if not total or STDIN in self._waiting:
            return None
        before = sum(self._sizes[: self._read])
        if self._reader is None:
            return before / total
        inside = self._reader.fraction
        return None if inside is None else (before + inside * self._sizes[self._read]) / total

    @property
    def identities(self) -> dict[str, str]:
        """Map each source to an identity that changes with its content; standard input has none."""
        return {self._shown.get(path, path): _identity(path) for path in self._waiting if path != STDIN}


def _listed(folder: str) -> list[str]:
    try:
        return visible_files(folder)
    except OSError as error:
        raise errors.InputUnopened(folder, errors.reason(error)) from None


def _size(path: str) -> int:
    try:
        return (
            sum(os.path.getsize(each) for each in folder_files(path)) if path.endswith("/") else os.path.getsize(path)
        )
    except OSError:
        return 0


def _identity(path: str) -> str:
    digest = blake2b(digest_size=8)
    size = 0
    try:
        if path.endswith("/"):
            for each in folder_files(path):
                length = os.path.getsize(each)
                size += length
                digest.update(f"{os.path.basename(each)} {length}\n".encode("utf-8", "surrogateescape"))
        else:
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                digest.update(file.read(DIGESTED_BYTES))
                file.seek(max(size - DIGESTED_BYTES, 0))
                digest.update(file.read(DIGESTED_BYTES))
    except OSError as error:
        raise errors.InputUnopened(path, errors.reason(error)) from None
    return f"{size:,} bytes, {digest.hexdigest()}"
