"""Colour, width and progress."""

import io
import sys
from threading import Event

import pytest

from dyncli.cli import output
from dyncli.cli.commands import run
from dyncli.recorder.request import Request


class Terminal(io.StringIO):
    """A stream that a person looks at; `written` is set when something came."""

    def __init__(self) -> None:
        super().__init__()
        self.written = Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch):
    """No variable of the machine's decides."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("color", "variables", "stream", "expected"),
    [
        (None, {}, Terminal(), True),
        (None, {}, io.StringIO(), False),
        (None, {"NO_COLOR": "1"}, Terminal(), False),
        (None, {"NO_COLOR": ""}, Terminal(), True),
        (None, {"FORCE_COLOR": "1"}, io.StringIO(), True),
        (None, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, Terminal(), False),
        (None, {"TERM": "dumb"}, Terminal(), False),
        (True, {"NO_COLOR": "1"}, io.StringIO(), True),
        (False, {"FORCE_COLOR": "1"}, Terminal(), False),
    ],
)
def test_when_to_colour(color, variables, stream, expected, monkeypatch):
    """The option decides, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert expected is output.wants_color(color, stream)


def test_a_closed_stream_is_no_terminal():
    """A program that closed its output still ends in peace."""
    stream = Terminal()
    stream.close()
    stream.isatty = io.StringIO.isatty.__get__(stream)
    assert not output.is_terminal(stream)


def test_width(monkeypatch):
    """100 columns into a file, whatever COLUMNS says if it says something."""
    assert 100 == output.width(io.StringIO())
    monkeypatch.setenv("COLUMNS", "60")
    assert 60 == output.width(io.StringIO())


@pytest.mark.parametrize("color", [True, False])
def test_console_colours_follow_option(color, monkeypatch):
    """Marked text has its colour or none, on stdout and on stderr."""
    for stderr, name in ((False, "stdout"), (True, "stderr")):
        stream = io.StringIO()
        monkeypatch.setattr(sys, name, stream)
        made = output.console(color, stderr=stderr)
        made.print("[red]word[/red]")
        assert (100, color) == (made.width, "\x1b[31m" in stream.getvalue())


def test_progress_of_a_long_run(monkeypatch):
    """After a while the seconds are shown, and wiped away at the end."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with output.progress("running net.py", after_s=0.001):
        assert terminal.written.wait(30)
    text = terminal.getvalue()
    assert text.startswith("\rrunning net.py 0 s\x1b[K") and text.endswith("\r\x1b[K")


def test_no_progress(monkeypatch):
    """None for a short run, none where nobody looks, none when it is not wanted."""
    for terminal, options in (
        (Terminal(), {}),
        (io.StringIO(), {"after_s": 0}),
        (Terminal(), {"quiet": True, "after_s": 0}),
    ):
        monkeypatch.setattr(sys, "stderr", terminal)
        with output.progress("running", **options):
            pass
        assert "" == terminal.getvalue()


@pytest.mark.parametrize("asked", [{}, {"watches": ("x",)}, {"breaks": ("3",)}])
def test_progress_of_a_run_stays_away_where_the_run_prints_itself(asked, monkeypatch):
    """A line that is wiped away would take what was printed meanwhile with it."""
    quiet = []
    monkeypatch.setattr(run, "one_by_one", lambda records, message, **options: quiet.append(options["quiet"]) or [])
    list(run._runs(Request("net.py", **asked), False))
    assert [bool(asked)] == quiet
