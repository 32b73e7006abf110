"""The journal of a run: a line for what is run, then one for each chunk that is done; killed at any moment, it goes on.

A line that was torn by a kill is the last one, and is cut off when the journal is opened again.
Chunks that were not finished have left their parts beside it, with a line for each input that was: these are taken in,
so that what begins again is what was being run at the moment of the kill, and nothing else.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from dyncli import errors
from dyncli.analysis.coverage import Subject, Tally
from dyncli.analysis.coverage.coding import subject_in, subject_out, tally_in, tally_out
from dyncli.coverage.checkpoint import CHECKSUM, Parts, checked_lines, checksummed
from dyncli.records.codec import Malformed
from dyncli.records.text import printable

FORMAT, SCHEMA = "dyncli-journal", 2
MOST_DIFFERENCE = 24  # lines of the difference between two versions of a script
SETTINGS = {
    "dtype": "--dtype", "seed": "--seed", "no_grad": "--no-grad", "timeout": "--timeout", "max_ops": "--max-ops",
    "given": "--input", "arguments": "-- ARGS", "batch": "--batch",
}  # fmt: skip


class Journal:
    """An open journal.  tally: of everything it held when it was opened.  parts: of the chunks that are run."""

    def __init__(self, path: Path, subject: Subject, identities: dict[str, str]) -> None:
        self.path = path
        self.tally = Tally()
        self.parts: Parts | None = None
        self.is_new = False
        try:
            self._file: IO[bytes] = open(path, "r+b" if path.exists() else "w+b")  # noqa: SIM115
        except OSError as error:
            raise errors.OutputUnwritable(str(path), errors.reason(error)) from None
        try:
            self._lock()
            if os.fstat(self._file.fileno()).st_size:
                self._go_on(subject, identities)
            else:
                self._begin(subject, identities)
            if stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
                self._find_parts()
        except BaseException:
            self.close()
            raise

    def add(self, tally: Tally) -> None:
        """Append the tally of a chunk."""
        self._write({"tally": tally_out(tally)})

    def gather(self, done: Tally) -> Tally:
        """Move what the parts hold beyond `done` into the journal, delete them, and return it."""
        if self.parts is None:
            return Tally()
        self.parts.wait()
        found = self.parts.read(done)
        if found.ranges:
            self.add(found)
        self.parts.clear()
        return found

    def close(self) -> None:
        """Close the file; its write errors were reported at the write."""
        with suppress(OSError):
            self._file.close()

    def _find_parts(self) -> None:
        """Take over the parts that unfinished chunks left; delete those of an earlier journal."""
        end = self._file.tell()
        self._file.seek(0)
        self.parts = Parts(self.path, self._file.read(CHECKSUM).decode("ascii"))
        self._file.seek(end)
        if self.is_new:
            self.parts.clear()
        else:
            self.tally.absorb(self.gather(self.tally))

    def _begin(self, subject: Subject, identities: dict[str, str]) -> None:
        self.is_new = True
        self._write({"format": FORMAT, "schema": SCHEMA, "subject": subject_out(subject), "inputs": identities})

    def _go_on(self, subject: Subject, identities: dict[str, str]) -> None:
        end = 0
        lines = _lines(self._file, str(self.path))
        first = next(lines, None)
        if first is None:  # killed while it wrote its first line
            self._file.truncate(0)
            self._file.seek(0)
            self._begin(subject, identities)
            return
        made, known = _header(first[0], str(self.path))
        _same(str(self.path), made, subject, known, identities)
        end = first[1]
        for value, at in lines:
            _absorb(self.tally, value, str(self.path))
            end = at
        self._file.truncate(end)
        self._file.seek(end)

    def _write(self, value: Any) -> None:
        try:
            self._file.write(checksummed(value))
            self._file.flush()
        except OSError as error:
            raise errors.OutputUnwritable(str(self.path), errors.reason(error)) from None

    def _lock(self) -> None:
        """Two runs at a time would count everything twice."""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise errors.JournalDiffers(str(self.path), "one that is writing it now") from None


def load(paths: list[str]) -> tuple[Subject, Tally]:
    """Return what some journals of one model hold together.

    Raises JournalUnreadable, JournalDiffers, JournalsOverlap.
    """
    whole = Tally()
    first: Subject | None = None
    inputs: dict[str, str] = {}
    for path in paths:
        try:
            with open(path, "rb") as file:
                lines = _lines(file, path)
                header = next(lines, None)
                if header is None:
                    raise errors.JournalUnreadable(path, "it is empty")
                subject, known = _header(header[0], path)
                if first is not None:
                    _same(path, subject, first, {}, {})
                first = first or subject
                for source, identity in known.items():
                    if inputs.setdefault(source, identity) != identity:
                        why = f"there it had {inputs[source]}, here {identity}"
                        raise errors.JournalDiffers(path, f"`{printable(source)}` is another file: {why}")
                tally = Tally()
                for value, _ in lines:
                    _absorb(tally, value, path)
                file.seek(0)
                key = file.read(CHECKSUM).decode("ascii")
                tally.absorb(Parts(Path(path), key).read(tally))
        except OSError as error:
            raise errors.JournalUnreadable(path, errors.reason(error).lower()) from None
        for source, ranges in tally.ranges.items():
            _apart(path, source, ranges, whole)
        whole.absorb(tally)
    assert first is not None
    return first, whole


def is_journal(path: str) -> bool:
    """Return whether a file begins as a journal does, or is named so."""
    if path.endswith(".journal"):
        return True
    try:
        with open(path, "rb") as file:
            return f'{{"format":"{FORMAT}"'.encode() in file.read(80)
    except (OSError, ValueError):
        return False


def _lines(file: IO[bytes], path: str) -> Iterator[tuple[Any, int]]:
    """Yield (value, where the line ends) of each whole line."""
    is_empty = True
    for each in checked_lines(file, path):
        is_empty = False
        yield each
    if is_empty and not _began(file):
        raise errors.JournalUnreadable(path, "it does not begin as one")


def _began(file: IO[bytes]) -> bool:
    """Return whether a file of one torn line is the beginning of a journal."""
    file.seek(0)
    head = file.read(100)
    digits, rest = head[:CHECKSUM], head[CHECKSUM:]
    start = f' {{"format":"{FORMAT}"'.encode()
    return set(digits) <= set(b"0123456789abcdef") and rest[: len(start)] == start[: len(rest)]


def _header(value: Any, path: str) -> tuple[Subject, dict[str, str]]:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise errors.JournalUnreadable(path, "it does not begin as one")
    if value.get("schema") not in range(1, SCHEMA + 1):
        why = f"its schema is {value.get('schema')!r}, this dyncli reads up to {SCHEMA}"
        raise errors.JournalUnreadable(path, why)
    inputs = value.get("inputs")
    try:
        return subject_in(value.get("subject")), {str(name): str(told) for name, told in dict(inputs or {}).items()}
    except (Malformed, KeyError, TypeError, ValueError) as error:
        raise errors.JournalUnreadable(path, str(error)) from None


def _absorb(whole: Tally, value: Any, path: str) -> None:
    try:
        whole.absorb(tally_in(value["tally"]))
    except (Malformed, KeyError, TypeError, ValueError, AttributeError) as error:
        raise errors.JournalUnreadable(path, str(error)) from None


def _apart(path: str, source: str, ranges: Any, whole: Tally) -> None:
    for first, last in ranges:
        for other, end in whole.ranges.get(source, ()):
            if first < end and other < last:
                why = f"{max(first, other)} to {min(last, end) - 1}"
                raise errors.JournalsOverlap(path, printable(source), why)


def _same(path: str, made: Subject, now: Subject, known: dict[str, str], inputs: dict[str, str]) -> None:
    """Raise JournalDiffers unless the journal has this script, these settings and these inputs."""
    if (made.model, made.entry) != (now.model, now.entry):
        was = printable(f"{made.model}:{made.entry}")
        raise errors.JournalDiffers(path, f"it covers `{was}`, not `{printable(now.model)}:{now.entry}`")
    before, after = ({source.file: source for source in each.sources} for each in (made, now))
    for file in sorted(before.keys() | after.keys()):
        one, other = before.get(file), after.get(file)
        if one is None or other is None:
            raise errors.JournalDiffers(
                path, f"`{printable(file)}` was {'not ' if one is None else ''}part of the script"
            )
        if one.text != other.text:
            raise errors.JournalDiffers(
                path, f"`{printable(file)}` was another version", _difference(one.text, other.text)
            )
    for name, option in SETTINGS.items():
        was, is_now = getattr(made.settings, name), getattr(now.settings, name)
        if was != is_now:
            raise errors.JournalDiffers(path, f"`{option}` was {_words(was)}, now {_words(is_now)}")
    for source, identity in inputs.items():
        if known.get(source, identity) != identity:
            told = f"it had {printable(known[source])}, now {identity}"
            raise errors.JournalDiffers(path, f"`{printable(source)}` was another file", [told])


def _difference(before: str, after: str) -> list[str]:
    from difflib import unified_diff  # 1 ms that only a changed script costs

    lines = unified_diff(before.splitlines(), after.splitlines(), "then", "now", lineterm="", n=1)
    shown = [printable(line.replace("\t", "    "))[:200] for line in lines][2:]
    return [*shown[:MOST_DIFFERENCE], *(["..."] if len(shown) > MOST_DIFFERENCE else [])]


def _words(setting: Any) -> str:
    """Return a setting as it is given on the command line, `none` for an option that was not."""
    given = setting if isinstance(setting, tuple) else () if setting is None else (setting,)
    return printable(" ".join(map(str, given))) or "none"
