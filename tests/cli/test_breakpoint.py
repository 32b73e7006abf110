"""`breakpoint()` and `pdb` in a script that is recorded."""

import re
import subprocess
import sys

import pytest

SCRIPT = """\
import pdb
from pdb import set_trace
class Number:
    def __init__(self, value):
        self.value = value
    def __lt__(self, other):
        return self.value < other.value
def f(v):
    if v > 1 and v < 9:
        return v
    return 0
def forward(x):
    y = 3
    STOP
    while y > 2 and not y == 7:
        y = f(y) - 2 if y else 0
    z = [k for k in range(2) if k and k > 0]
    w = y and z or 4
    if Number(1) < Number(2):
        y = w
    if (y and
            z):
        y = [q
             for q in z]
    return x
if __name__ == "plain":
    forward(1.0)
"""
STOPS = ("breakpoint()", "pdb.set_trace()", "set_trace()", "pdb.Pdb().set_trace()")
COMMANDS = {
    "step": "step\n" * 28 + "p y, list(locals())\ncontinue\n",
    "next": "next\n" * 11
    + "p y, sorted(locals())\np locals().keys(), list(locals().items())[1:], type(locals().items())\ncontinue\n",
    "up": "b 7\ncontinue\np sorted(locals())\nup\np sorted(locals())\ndown\nreturn\nnext\nnext\ncontinue\n",
}

#: The line of a comprehension's loop, as the debugger shows it.
INSIDE = "-> for q in z]"

#: The recorder's variable among the names of a frame, as OBSERVABLE.md lists it.
_CALL_ID = re.compile(r"'@call', |\('@call', \d+\), ")


@pytest.mark.parametrize(
    ("stop", "commands"), [(STOPS[0], "step"), (STOPS[1], "step"), (STOPS[2], "next"), (STOPS[3], "up")]
)
def test_steps_as_without_a_recorder(stop, commands, tmp_path, dyncli):
    """The debugger shows the lines and frames that Python itself does, and one name more: `@call`."""
    (tmp_path / "net.py").write_text(SCRIPT.replace("STOP", stop))
    plain = subprocess.run(
        [sys.executable, "-c", "import runpy; runpy.run_path('net.py', run_name='plain')"],
        input=COMMANDS[commands], capture_output=True, text=True, cwd=tmp_path, timeout=60,
    ).stdout  # fmt: skip
    recorded = dyncli("run", "net.py", "-i", "1.0", stdin=COMMANDS[commands]).out
    assert _as_recorded(_said(plain)) == _said(_CALL_ID.sub("", recorded))
    assert len(_said(plain)) > 10
    assert "dyncli" not in recorded.replace("(dyncli)", "") and "output  []" in recorded


def test_steps_no_further_than_the_script(tmp_path, dyncli):
    """Stepping beyond the end of the entry does not come to the recorder."""
    (tmp_path / "net.py").write_text("def forward(x):\n    breakpoint()\n    return x * 2\n")
    recorded = dyncli("run", "net.py", "-i", "1.0", stdin="next\n" * 6)
    assert (0, 1) == (recorded.code, recorded.out.count("--Return--"))
    assert "recorder" not in recorded.out and "output  []" in recorded.out


def _said(text: str) -> list[str]:
    """What the debugger said up to the last command."""
    return [line for line in text.splitlines() if line.startswith(("-> ", "(Pdb) "))][:-1]


def _as_recorded(lines: list[str]) -> list[str]:
    """Return what is shown of a recorded script by as many commands: from Python 3.12 on one stop more.

    There a comprehension is part of the function around it, and its line is stopped at before that of its loop.
    """
    if sys.version_info < (3, 12) or INSIDE not in lines:
        return lines
    frame = lines.index(INSIDE) - 1
    last = max(place for place, line in enumerate(lines) if line.startswith("-> ")) - 1
    rest = lines[:last] + lines[last + 2 :]
    return [*rest[:frame], lines[frame].replace("(24)", "(23)"), "-> y = [q", *rest[frame:]]
