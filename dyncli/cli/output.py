"""Where the output of a command goes: consoles, colour, progress, and files, which are never overwritten unasked."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TextIO, TypeVar

from dyncli import errors
from dyncli.script.paths import is_file, is_record

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from dyncli.recorder.request import Request
    from dyncli.records.model import Record

Made = TypeVar("Made")
LINE_SECONDS = 10.0  # between two lines where stderr is no terminal
FIRST_SECONDS = 0.5
LOOKED_BACK = 40  # moments over which the rate is taken
PLAIN_WIDTH = 100  # where stdout is no terminal: files and transcripts look the same everywhere


def wants_color(color: bool | None, stream: TextIO) -> bool:
    """Return whether to write colour: as the option says, else NO_COLOR or FORCE_COLOR, else on a terminal."""
    if color is not None:
        return color
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO) -> bool:
    """Return whether the stream is a terminal."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def width(stream: TextIO | None = None) -> int:
    """Return the columns to write: the terminal's, COLUMNS if that is set, else 100."""
    if is_terminal(stream or sys.stdout) or os.environ.get("COLUMNS"):
        from shutil import get_terminal_size

        return get_terminal_size((PLAIN_WIDTH, 24)).columns
    return PLAIN_WIDTH


def console(color: bool | None = None, *, stderr: bool = False) -> Console:
    """Return a rich console for stdout or stderr, as wide as `width` says; nothing is highlighted by guessing."""
    from rich.console import Console

    class Ours(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # and no exit code 1, which says that a check failed

    stream = sys.stderr if stderr else sys.stdout
    wanted = wants_color(color, stream)
    return Ours(
        file=stream,
        width=width(stream),
        highlight=False,
        emoji=False,
        soft_wrap=False,
        force_terminal=wanted or None,
        color_system="auto" if wanted else None,
        no_color=not wanted,
        legacy_windows=False,
    )


def show(report: RenderableType, color: bool | None = None, *, after: bool = False) -> None:
    """Print a report on stdout, below an empty line if it stands `after` another."""
    out = console(color)
    if after:
        out.print()
    out.print(report)


def one_by_one(made: Iterator[Made], message: str, *, quiet: bool) -> Iterator[Made]:
    """Yield from an iterator, with `progress` shown while it makes the next."""
    while True:
        with progress(message, quiet=quiet):
            found = next(made, None)
        if found is None:
            return
        yield found


@contextmanager
def progress(message: str, *, quiet: bool = False, after_s: float = 1.0) -> Iterator[None]:
    """Show `message` and the elapsed seconds on stderr, once a run has taken longer than `after_s`.

    Never when stderr is not a terminal, and gone without a trace when the run ends.
    """
    if quiet or not is_terminal(sys.stderr):
        yield
        return
    from threading import Event, Thread

    over = Event()
    started = monotonic()
    stream = sys.stderr

    def show() -> None:
        wait_s = after_s
        while not over.wait(wait_s):
            stream.write(f"\r{message} {monotonic() - started:.0f} s\x1b[K")
            stream.flush()
            wait_s = 0.5
        if monotonic() - started > after_s:
            stream.write("\r\x1b[K")
            stream.flush()

    thread = Thread(target=show, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Meter:
    """The progress of `cover` on stderr: how much is done, how fast, how long it will take.

    already: inputs done before, which took no time now.
    """

    def __init__(self, *, quiet: bool, already: int = 0) -> None:
        self.quiet = quiet
        self.already = already
        self.started = self.shown = monotonic()
        self.is_terminal = is_terminal(sys.stderr)
        self.moments: deque[tuple[float, int]] = deque([(self.started, already)], LOOKED_BACK)
        self.is_drawn = self.is_told = False

    def show(self, done: int, expected: float | None) -> None:
        """Show the progress, if that was not done just now.  expected: how many inputs there will be."""
        now = monotonic()
        if self.quiet or now - self.shown < (FIRST_SECONDS if self.is_terminal else LINE_SECONDS):
            return
        self.shown = now
        self.is_told = True
        self.moments.append((now, done))
        text = progress_text(done, expected, self._rate())
        if self.is_terminal:
            sys.stderr.write(f"\r{text}\x1b[K")
            self.is_drawn = True
        else:
            sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def end(self, done: int) -> None:
        """Remove the line and print how long it took, if there was one."""
        elapsed = monotonic() - self.started
        if self.is_drawn:
            sys.stderr.write("\r\x1b[K")
        ran = done - self.already
        if self.is_told and ran:
            sys.stderr.write(f"{ran:,} inputs in {duration(elapsed)}, {_rate_text(ran / elapsed)}\n")
        sys.stderr.flush()

    def _rate(self) -> float:
        (before, first), (now, last) = self.moments[0], self.moments[-1]
        return (last - first) / max(now - before, 1e-9)


def progress_text(done: int, expected: float | None, rate: float) -> str:
    """Return the line of progress.

    >>> progress_text(41_200, 98_000.0, 18_300.0), progress_text(7, None, 0.5)
    ('42% · 41,200 inputs · 18,300/s · 3.1 s left', '7 inputs · 0.5/s')
    """
    words = [f"{done:,} inputs", _rate_text(rate)]
    if expected and done <= expected:
        words.insert(0, f"{int(100 * done / expected)}%")
        if rate > 0:
            words.append(f"{duration((expected - done) / rate)} left")
    return " · ".join(words)


def duration(seconds: float) -> str:
    """Return a time for people: `3 s`, `2 min 5 s`, `3 h 10 min`.

    >>> duration(125.2), duration(11400)
    ('2 min 5 s', '3 h 10 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _rate_text(rate: float) -> str:
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"


EXIT = {"ok": 0, "error": 3, "timeout": 4, "limit": 4, "interrupted": 130}


def may_write(*paths: Path | None, overwrite: bool) -> None:
    """Raise OutputExists for an existing file, unless `overwrite`; `-` is stdout."""
    for path in paths:
        if path is not None and str(path) != "-" and is_file(str(path)) and not overwrite:
            raise errors.OutputExists(str(path))


def may_save(path: Path | None, *, overwrite: bool) -> None:
    """Raise UsageError for a name that is no record's, and OutputExists as `may_write` does."""
    if path is not None and not is_record(path):
        raise errors.UsageError(f"`--save {path}` does not end in `.dyn`", hint="as in `--save run.dyn`")
    may_write(path, overwrite=overwrite)


def save(record: Record, path: Path, quiet: bool) -> None:
    """Write a record to a `.dyn` file and print that on stderr."""
    from dyncli.records.files import write
    from dyncli.records.json import dump

    write(path, dump(record))
    say(f"Wrote {path}", quiet)


def save_case(record: Record, path: Path, case: str | None, *, overwrite: bool, quiet: bool) -> None:
    """Save the record of one of several cases beside the others."""
    target = for_case(path, case)
    may_write(target, overwrite=overwrite)
    save(record, target, quiet)


def for_case(path: Path, case: str | None) -> Path:
    """Put the case's name into a file's name: `run.dyn` -> `run.positive.dyn`."""
    if case is None:
        return path
    part = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in case)[:80]
    return path.with_name(f"{path.stem}.{part}{path.suffix}")


def say(words: str, quiet: bool) -> None:
    """Tell the user on stderr."""
    if not quiet:
        print(words, file=sys.stderr)


def load_saved(request: Request) -> Record:
    """Return the record that MODEL names; raises SavedRun for an option that only a run can heed."""
    from dyncli.records.json import load

    if request.arguments:
        raise errors.ArgumentsUnused(request.model, "a saved record", request.arguments)
    for option, given in (
        ("--input", request.inputs), ("--case", request.case), ("--entry", request.entry),
        ("--grad-output", request.grad_output), ("--no-grad", request.no_grad), ("--timeout", request.timeout),
        ("--max-ops", request.max_ops), ("--steps", request.steps), ("--force", request.force),
        ("--patch", request.patches), ("--seed", request.seed), ("--dtype", request.dtype != "float32"),
        ("--watch", request.watches), ("--break", request.breaks), ("--sensitivity", request.sensitivity),
    ):  # fmt: skip
        if given:
            raise errors.SavedRun(request.model, option)
    return load(request.model)


def end(records: Sequence[Record], shown: str = "the report above") -> None:
    """Raise the error of the worst of the runs, the first of several; return if all went well.

    shown: where the user finds what ran until then.
    """
    worst = max(records, key=lambda record: EXIT[record.status], default=None)
    if worst is not None and EXIT[worst.status]:
        raise ended(worst, shown)


def ended(record: Record, shown: str = "the report above") -> errors.DyncliError:
    """Return the error that a run ended with, printed after its report."""
    failure = record.failure
    message = failure.message if failure is not None else record.status
    if record.status == "interrupted":
        message = f"interrupted after {len(record.ops)} ops and {len(record.decisions)} decisions"
        return errors.Interrupted(message, "what ran until then is shown; `--save run.dyn` keeps it")
    if record.status in ("timeout", "limit"):
        option = "--timeout" if record.status == "timeout" else "--max-ops"
        hints, _ = errors.parted(failure.notes if failure is not None else ())
        hint = hints[0] if hints else f"what ran until then is shown; raise `{option}` to let it go on"
        return errors.LimitReached(message, hint=hint)
    assert failure is not None
    place = f"{failure.frames[-1].file}:{failure.frames[-1].line}" if failure.frames else None
    hints, _ = errors.parted(failure.notes)
    return errors.RunRaised(failure.type, message, place, hints[0] if hints else None, shown)
