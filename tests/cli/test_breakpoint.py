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
    expected, given = _said(plain), COMMANDS[commands]
    if _stops_once_more(commands):
        given = f"{commands}\n{given}"
        frame = expected.index(INSIDE) - 1
        expected[frame:frame] = [expected[frame].replace("(24)", "(23)"), "-> y = [q"]
    recorded = dyncli("run", "net.py", "-i", "1.0", stdin=given).out
    assert expected == _said(_CALL_ID.sub("", recorded))
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


def _stops_once_more(commands: str) -> bool:
    """Return whether the recorded script stops at the line of a comprehension before that of its loop.

    From Python 3.12 on a comprehension is part of the function around it; 3.13 stops there only when it steps.
    """
    return sys.version_info >= (3, 12) and (commands == "step" or (commands == "next" and sys.version_info < (3, 13)))
