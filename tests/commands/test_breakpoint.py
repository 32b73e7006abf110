"""`breakpoint()` in a script that is recorded."""

import subprocess
import sys

SCRIPT = """\
def f(v):
    if v > 1:
        return v
    return 0
def forward(x):
    y = 3
    breakpoint()
    while y > 2:
        y = f(y) - 2 if y else 0
    z = [k for k in range(2) if k]
    return x * y
if __name__ == "plain":
    forward(1.0)
"""
STEPS = "step\n" * 12 + "p y, sorted(locals())\nwhere\ncontinue\n"


def test_steps_as_without_a_recorder(tmp_path, dyncli):
    """`step`, `where` and `p` show the script's own lines and frames, the same as under Python itself."""
    (tmp_path / "net.py").write_text(SCRIPT)
    plain = subprocess.run(
        [sys.executable, "-c", "import runpy; runpy.run_path('net.py', run_name='plain')"],
        input=STEPS, capture_output=True, text=True, cwd=tmp_path, timeout=60,
    ).stdout  # fmt: skip
    recorded = dyncli("run", "net.py", "-i", "1.0", stdin=STEPS).out
    assert _stops(plain) == _stops(recorded)
    assert "dyncli" not in recorded.replace("(dyncli)", "") and "output  []" in recorded


def _stops(text: str) -> list[str]:
    """The lines of the script that were stopped at, in order."""
    return [line for line in text.splitlines() if line.startswith(("-> ", "(Pdb) --"))][:13]
