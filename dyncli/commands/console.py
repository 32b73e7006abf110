"""Where output goes: rich consoles for stdout and stderr, colour or not, and a progress line for long runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Made = TypeVar("Made")
PLAIN_WIDTH = 100  # where stdout is no terminal: files and transcripts look the same everywhere


def wants_color(color: bool | None, stream: TextIO) -> bool:
    """Whether to write colour: as `--color/--no-color` says, else NO_COLOR or FORCE_COLOR, else if it is a terminal."""
    if color is not None:
        return color
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at this stream."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def width(stream: TextIO | None = None) -> int:
    """Columns to write: the terminal's, COLUMNS if that is set, else 100."""
    if is_terminal(stream or sys.stdout) or os.environ.get("COLUMNS"):
        from shutil import get_terminal_size  # 2 ms, for the formats it can unpack

        return get_terminal_size((PLAIN_WIDTH, 24)).columns
    return PLAIN_WIDTH


def console(color: bool | None = None, *, stderr: bool = False) -> Console:
    """A rich console for stdout or stderr, as wide as `width` says; nothing is highlighted by guessing."""
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
    """What an iterator makes, with `progress` shown while it makes the next."""
    while True:
        with progress(message, quiet=quiet):
            found = next(made, None)
        if found is None:
            return
        yield found


@contextmanager
def progress(message: str, *, quiet: bool = False, after_s: float = 1.0) -> Iterator[None]:
    """Shows `message` and the seconds gone on stderr, once a run has taken longer than `after_s`.

    Never when stderr is not a terminal, and gone without a trace when the run ends.
    """
    if quiet or not is_terminal(sys.stderr):
        yield
        return
    from threading import Event, Thread
    from time import monotonic

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
