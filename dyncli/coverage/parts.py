"""The parts of the chunks that are being run, beside the journal: named, found again after a kill, taken in."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from time import monotonic, sleep

from dyncli import errors
from dyncli.analysis.coverage import Tally
from dyncli.coverage.part import lock, tally_of
from dyncli.coverage.timeout import ORPHAN_SECONDS

WAIT_SECONDS = ORPHAN_SECONDS + 3.0
WAIT_STEP_SECONDS = 0.02


class Parts:
    """The files `NAME.part-1`, `NAME.part-2`, ... of a journal.  key: what tells its parts from those of another."""

    def __init__(self, journal: Path, key: str) -> None:
        self.journal = journal
        self.key = key
        self.numbers = itertools.count(1)

    def new(self) -> Path:
        """A path for the next part."""
        return self.journal.with_name(f"{self.journal.name}.part-{next(self.numbers)}")

    def tally(self, part: Path) -> Tally:
        """What is in a part.  Raises JournalUnreadable."""
        return tally_of(part, self.key, {})

    def found(self) -> list[Path]:
        """The parts that are there."""
        start = f"{self.journal.name}.part-"
        folder = self.journal.parent
        names = [name for name in os.listdir(folder) if name.startswith(start) and name[len(start) :].isdecimal()]
        return [folder / name for name in sorted(names)]

    def read(self, done: Tally) -> Tally:
        """What is in all parts and is not done yet.  Raises JournalUnreadable."""
        whole = Tally()
        ranges = dict(done.ranges)
        for path in self.found():
            tally = tally_of(path, self.key, ranges)
            whole.absorb(tally)
            for source, more in tally.ranges.items():
                ranges[source] = (*ranges.get(source, ()), *more)
        return whole

    def wait(self) -> None:
        """Waits for processes that were left behind and finish the input they are at.  Raises JournalDiffers."""
        until = monotonic() + WAIT_SECONDS
        for path in self.found():
            try:
                file = os.open(path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
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
        """Removes all parts.  Raises OutputUnwritable."""
        for path in self.found():
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise errors.OutputUnwritable(str(path), error.strerror or str(error)) from None
