"""`dyncli run --source`: scripts of real runs, read whole."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record, Site, Source
from dyncli.render.reports.run import RunOptions, render
from tests import records

CONSOLE = Console()


def printed(record: Record, width: int = 80, colour: bool = False) -> str:
    """What a terminal of `width` columns would show below the heading."""
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=colour, color_system="standard" if colour else None)
    console.print(render(record, RunOptions(source=True)))
    lines = [line.rstrip() for line in file.getvalue().splitlines()]
    return "\n".join(lines[2:]).rstrip() + "\n"


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs a script on inputs."""

    def run(source: str, *inputs: str, **more: object) -> Record:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "net.py").write_text(source)
        return next(record_model(Request("net.py", inputs, **more)))

    return run


NET = '''\
"""Doubles until it is large."""

def forward(x):
    # how often?
    while x.sum() < 100:
        x = x * 2
        if x.max() > 500: return x

    y = x - 1 if x[0] > 90 else x
    if len(y) == 1:
        z = y
        # nothing more
    elif len(y) == 2:
        return y
    else:

        return x
    return z

def never():
    return 1

# the end
'''


def test_a_script(recorded) -> None:
    """Counts, arms and values beside the lines; what was never reached counts 0; the last comments are left out."""
    assert (
        printed(recorded(NET, "[1, 1]"))
        == '''\
net.py  8 of 13 statements reached
 1    │ """Doubles until it is large."""
 2    │
 3  1 │ def forward(x):
 4    │     # how often?
 5  7 │     while x.sum() < 100:             T x6, F   2.0 … 128.0 < 100
 6  6 │         x = x * 2
 7  6 │         if x.max() > 500: return x   F F F F F F   2.0 … 64.0 > 500
 8    │
 9  1 │     y = x - 1 if x[0] > 90 else x    if x[0] > 90: F   64.0 > 90
10  1 │     if len(y) == 1:                  F   2 == 1
11  0 │         z = y
12    │         # nothing more
13  1 │     elif len(y) == 2:                T   2 == 2
14  1 │         return y
15    │     else:
16    │
17  0 │         return x
18  0 │     return z
19    │
20  0 │ def never():
21  0 │     return 1
'''
    )


def test_lines_that_never_ran_are_dim(recorded) -> None:
    """Comments and heads of such a block too; without colour the count says it."""
    text = printed(recorded(NET, "[1, 1]"), colour=True)
    numbered = [Text.from_ansi(line) for line in text.splitlines()[1:]]
    dim = {
        int(line.plain[:2])
        for line in numbered
        if line.plain[:2].strip() and line.plain.partition("│")[2].strip() and line.get_style_at_offset(CONSOLE, -1).dim
    }
    assert {11, 12, 15, 17, 18, 20, 21} == dim


def test_narrow_and_long(recorded) -> None:
    """No line is wider than the terminal: code and notes go on below themselves."""
    test = "x.sum() > 0 and x.max() > 0 and x.min() < 0"
    source = f"def forward(x):\n    if {test}:\n        return x{' + 1' * 40}\n    return x\n"
    text = printed(recorded(source, "[1, -1, 2]"), width=50)
    assert 50 >= max(map(len, text.splitlines()))
    assert "T 2.0 > 0 True, 2.0 > 0 True, -1.0 < 0" in " ".join(text.replace("│", " ").split())
    assert 40 == text.count("+")


def test_long_note_in_narrow_terminal_is_broken_beside_its_line(recorded) -> None:
    """Each of its parts stands behind the bar, indented more than the code, with room for the indent."""
    test = "x.sum() > 0 and x.max() > 0 and x.min() < 0"
    source = f"def forward(x):\n    if {test}:\n        return x\n    return -x\n"
    lines = printed(recorded(source, "[1, -1, 2]"), width=40).splitlines()[2:]
    assert ["│" in line for line in lines] == [True] * len(lines)
    assert ["     │         T   2.0 > 0 True, 2.0 > 0", "     │         True, -1.0 < 0 True"] == lines[3:5]


def test_a_run_that_raised(recorded) -> None:
    """The message stands at its line, and what comes after it was not reached."""
    text = printed(recorded("def forward(x):\n    y = x + 1\n    y = y.reshape(7)\n    return y\n", "[1, 2]"))
    assert "3  1 │     y = y.reshape(7)\n     │         RuntimeError: shape '[7]' is invalid" in text
    assert "4  0 │     return y" in text


def test_forced_arms_are_marked(recorded) -> None:
    """`forced` stands behind the arm."""
    assert "if x.sum() > 0:   F forced   3.0 > 0" in printed(
        recorded("def forward(x):\n    if x.sum() > 0:\n        return x\n    return -x\n", "[1, 2]", force=("2=else",))
    )


@pytest.mark.parametrize("build", records.ALL, ids=lambda build: build.__name__)
def test_any_record(build) -> None:
    """Hand-built, large and hostile records are shown without a control character."""
    text = printed(build())
    assert not set(text) & {chr(code) for code in range(32) if code != 10}


def test_a_source_that_is_no_python() -> None:
    """Shown as it is, without counts."""
    site = Site("a" * 12, "net.py", 1, 0, 1, 1, "if", "x", "<module>", ("then", "else"))
    record = Record("net.py", "forward", sources=(Source("net.py", "", "if x >\n"),), sites=(site,))
    assert "net.py  0 of 0 statements reached\n1    │ if x >\n" == printed(record)


def test_tabs_are_four_columns(recorded):
    """Control characters are escaped, tabs are not."""
    text = printed(recorded("def forward(x):\n\tif x > 0:\n\t\tx = x * 2  # \x07\n\treturn x\n", "1.0"))
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if "def forward" in line)
    code = [line[lines[first].index("def") :].rstrip() for line in lines[first : first + 4]]
    wanted = ["def forward(x):", "    if x > 0:", "        x = x * 2  # \\x07", "    return x"]
    assert wanted == [line[: len(want)] for line, want in zip(code, wanted, strict=True)]
