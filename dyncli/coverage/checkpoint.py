"""The part of a chunk that is done, written down input by input, so that a kill at any moment takes none of it.

A chunk's tally goes to the journal when the whole chunk is done.  Until then a line for each finished input stands in a
file beside the journal; what has been handed to the operating system outlives the process, however it ends.
What all runs of one path have in common, its profile, is written once.
    head      {"format": "dyncli-part", "schema": 2, "journal": .., "source": .., "first": .., "last": ..}
    a profile {"arms": [[site, arm, times]], "conditions": [[site, index, outcome, times]],
               "trips": [[loop, trips, times]], "depths": [[function, depth]], "calls": {function: times},
               "path": [signature, text, steps]}
    an input  [position, profile, norm of the inputs' gradient, norm of the parameters'], if it went as others did;
              and further outcome, note, reasons, nearest, example
"""

from __future__ import annotations

import itertools
import json
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

from dyncli import errors
from dyncli.analysis.coverage import Tally
from dyncli.analysis.coverage.coding import conditions_of, float_in, norms_out, tally_in
from dyncli.analysis.coverage.tally import STOPPED, Norms, bucket
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.path_summary import Taken
from dyncli.coverage.timeout import ORPHAN_SECONDS
from dyncli.records.codec import Malformed
from dyncli.records.digest import blake2b

LONGEST_LINE = 1 << 28
CHECKSUM = 16  # digits, then a blank

_text = json.JSONEncoder(separators=(",", ":")).encode


def checksummed(value: Any) -> bytes:
    """Format a value as one line of JSON with its checksum."""
    return checksummed_text(_text(value).encode("ascii"))


def checksummed_text(text: bytes) -> bytes:
    """Put the checksum before a line of JSON."""
    return b"%b %b\n" % (checksum(text), text)


def checksum(text: bytes) -> bytes:
    """Return what a line begins with."""
    return blake2b(text, digest_size=CHECKSUM // 2).hexdigest().encode()


def checked_lines(file: IO[bytes], path: str) -> Iterator[tuple[Any, int]]:
    """Yield (value, where the line ends) of each whole line; the last may be damaged.  Raises JournalUnreadable."""
    end, number, damaged = 0, 0, 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        digits, _, text = line.removesuffix(b"\n").partition(b" ")
        if not line.endswith(b"\n") or checksum(text) != digits:
            damaged = damaged or number
            continue
        if damaged:
            raise errors.JournalUnreadable(path, f"line {damaged} is damaged")
        end += len(line)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise errors.JournalUnreadable(path, f"line {number} is no JSON") from None
        yield value, end
    if damaged and damaged < number:
        raise errors.JournalUnreadable(path, f"line {damaged} is damaged")


FORMAT, SCHEMA = "dyncli-part", 2
UNASKED = True  # stands for the norm of a gradient where there is nothing that could have one
_PLAIN: list[Any] = ["ok", "", [], [], None]
_NO_TRANSLATION = getattr(os, "O_BINARY", 0)  # Windows would write `\r\n` for `\n`
_READ_AT_ONCE = _NO_TRANSLATION | getattr(os, "O_NONBLOCK", 0)
_SHORT: dict[Any, str] = {None: "null", UNASKED: "true"}


class Part:
    """The file that is being written.  It is locked until it is closed.  Raises OutputUnwritable."""

    def __init__(self, chunk: Chunk, path: str, journal: str) -> None:
        self.path = path
        self.profiles: dict[Hashable, int] = {}
        self.count = 0
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | _NO_TRANSLATION
        try:
            self._file = os.open(path, flags, 0o666)
        except OSError as error:
            raise errors.OutputUnwritable(path, errors.reason(error)) from None
        lock(self._file)
        self._write(
            {
                "format": FORMAT, "schema": SCHEMA, "journal": journal,
                "source": chunk.source, "first": chunk.first, "last": chunk.last,
            }
        )  # fmt: skip

    def profile(self, key: Hashable, make: Callable[[], dict[str, Any]]) -> int:
        """Return the number of a profile, and write it when it is new."""
        number = self.profiles.get(key)
        if number is None:
            number = self.profiles[key] = self.count
            self.count += 1
            self._write(make())
        return number

    def plain(self, position: int, profile: int | None, norms: list[float | bool | None]) -> None:
        """Write a line for an input that ran without anything to report."""
        one, other = norms
        first = repr(one) if one.__class__ is float else _SHORT[one]
        second = repr(other) if other.__class__ is float else _SHORT[other]
        self._put(checksummed_text(f"[{position},{profile},{first},{second}]".encode("ascii")))

    def done(self, *row: Any) -> None:
        """Write a line for a finished input with a note, an example or a near miss."""
        position, profile, norms, *more = row
        self._write([position, profile, *norms, *more])

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, value: Any) -> None:
        self._put(checksummed(value))

    def _put(self, line: bytes) -> None:
        try:
            written = os.write(self._file, line)
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            raise errors.OutputUnwritable(self.path, errors.reason(error)) from None


def profile_to_json(taken: Taken, calls: dict[str, int], depths: list[tuple[str, int]]) -> dict[str, Any]:
    """Convert a path's arms, conditions, trip counts, depths and calls to JSON values."""
    return {
        "arms": [[*arm, times] for arm, times in taken.arms.items()],
        "conditions": [[*condition, times] for condition, times in taken.conditions.items()],
        "trips": [[loop, trips, times] for (loop, trips), times in Counter(taken.trips).items()],
        "depths": depths,
        "calls": calls,
        "path": [taken.signature, taken.text, taken.steps],
    }


def lock(file: int) -> bool:
    """Lock an open file; return False if another process holds the lock."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def tally_of(path: Path, journal: str, done: dict[str, tuple[tuple[int, int], ...]]) -> Tally:
    """Return what the inputs in a file did, without those that are done; nothing if it belongs to another journal.

    Raises JournalUnreadable.
    """
    whole = Tally()
    try:
        with open(os.open(path, os.O_RDONLY | _READ_AT_ONCE), "rb") as file:
            lines = checked_lines(file, str(path))
            head, _ = next(lines, (None, 0))
            if head is None:
                return whole
            if type(head) is not dict or head.get("format") != FORMAT or head.get("schema") not in range(1, SCHEMA + 1):
                raise errors.JournalUnreadable(str(path), "it does not begin as a part of one")
            if head.get("journal") != journal:
                return whole
            for value in _inputs(head, (value for value, _ in lines)):
                (source, ((first, last),)) = next(iter(value["ranges"].items()))
                if not any(start <= first and last <= end for start, end in done.get(source, ())):
                    whole.absorb(tally_in(value))
    except FileNotFoundError:
        return Tally()
    except OSError as error:
        raise errors.JournalUnreadable(str(path), errors.reason(error).lower()) from None
    except (Malformed, LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise errors.JournalUnreadable(str(path), str(error)) from None
    return whole


def _inputs(head: dict[str, Any], lines: Iterator[Any]) -> Iterator[dict[str, Any]]:
    """Yield the tally of each input as JSON values, not validated yet.  Raises Malformed."""
    profiles: list[dict[str, Any]] = []
    for line in lines:
        if type(line) is dict:
            profiles.append(line)
            continue
        position, profile, *norms = line[:4]
        more = line[4:] or _PLAIN
        if type(position) is not int or not head["first"] <= position < head["last"]:
            raise Malformed(f"it has no input {position!r}")
        if profile is not None and not 0 <= profile < len(profiles):
            raise Malformed(f"profile {profile!r} is not in it")
        yield _tally(head["source"], position, None if profile is None else profiles[profile], norms, *more)


def _tally(source: str, position: int, profile: dict[str, Any] | None, norms: list[Any], outcome: str, note: str,
           reasons: list[Any], near: list[Any], example: Any) -> dict[str, Any]:  # fmt: skip
    def examples(note: str = "") -> list[Any]:
        return [] if example is None else [[source, position, *example, note]]

    is_whole = profile is not None and outcome not in STOPPED
    profile = profile or {"arms": [], "calls": {}}
    tally: dict[str, Any] = {
        "ranges": {source: [[position, position + 1]]},
        "outcomes": {outcome: [1, examples(note)]},
        "arms": [[site, arm, times if is_whole else 0, 1, examples()] for site, arm, times in profile["arms"]],
        "conditions": [], "trips": {}, "depths": {}, "paths": {},
        "calls": profile["calls"],
        "nearest": {site: [[distance, *examples(), margin, arm]] for site, distance, margin, arm in near},
        "reasons": {reason: [1, examples(more)] for reason, more in reasons},
        "bounded": False,
    }  # fmt: skip
    if is_whole:
        gradients = Norms(), Norms()
        for counted, norm in zip(gradients, norms, strict=True):
            if norm is not UNASKED:
                counted.add(None if norm is None else float_in(norm))
        signature, text, steps = profile["path"]
        raised = 1 if outcome == "raised" else 0
        tally["conditions"] = conditions_of(profile)
        tally["trips"] = _histograms(profile["trips"])
        tally["depths"] = _histograms([[function, depth, 1] for function, depth in profile["depths"]])
        tally["paths"] = {signature: [1, text, steps, raised, examples(), *map(norms_out, gradients)]}
    return tally


def _histograms(rows: list[Any]) -> dict[str, list[list[int]]]:
    counted: dict[str, Counter[int]] = {}
    for key, number, times in rows:
        counted.setdefault(key, Counter())[bucket(number)] += times
    return {key: [list(each) for each in counts.items()] for key, counts in counted.items()}


WAIT_SECONDS = ORPHAN_SECONDS + 3.0
WAIT_STEP_SECONDS = 0.02


class Parts:
    """The files `NAME.part-1`, `NAME.part-2`, ... of a journal.  key: what tells its parts from those of another."""

    def __init__(self, journal: Path, key: str) -> None:
        self.journal = journal
        self.key = key
        self.numbers = itertools.count(1)

    def new(self) -> Path:
        """Choose the file name of the next part."""
        return self.journal.with_name(f"{self.journal.name}.part-{next(self.numbers)}")

    def tally(self, part: Path) -> Tally:
        """Return what is in a part.  Raises JournalUnreadable."""
        return tally_of(part, self.key, {})

    def found(self) -> list[Path]:
        """List the part files that exist, sorted by name."""
        start = f"{self.journal.name}.part-"
        folder = self.journal.parent
        names = [name for name in os.listdir(folder) if name.startswith(start) and name[len(start) :].isdecimal()]
        return [folder / name for name in sorted(names)]

    def read(self, done: Tally) -> Tally:
        """Return what is in all parts and is not done yet.  Raises JournalUnreadable."""
        whole = Tally()
        ranges = dict(done.ranges)
        for path in self.found():
            tally = tally_of(path, self.key, ranges)
            whole.absorb(tally)
            for source, more in tally.ranges.items():
                ranges[source] = (*ranges.get(source, ()), *more)
        return whole

    def wait(self) -> None:
        """Wait until processes of an earlier run have finished their input.  Raises JournalDiffers."""
        until = monotonic() + WAIT_SECONDS
        for path in self.found():
            try:
                file = os.open(path, os.O_RDWR | _READ_AT_ONCE)
            except OSError:  # it is refused when it is read
                continue
            try:
                while not lock(file):
                    if monotonic() > until:
                        raise errors.JournalDiffers(str(self.journal), "one whose processes still run")
                    sleep(WAIT_STEP_SECONDS)
            finally:
                os.close(file)

    def clear(self) -> None:
        """Delete all parts.  Raises OutputUnwritable."""
        for path in self.found():
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise errors.OutputUnwritable(str(path), errors.reason(error)) from None
