"""What a picture costs beside the run it shows: a loop of so many ops as `dyncli run` and as `dyncli graph`.

    python -m tests.bench.drawing

Whole commands, wall time, the least of several turns; nothing is asserted.
Folded is to take twice the time of the run and a second, 10,000 ops unfolded five seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
TURNS = 3
SIZES = (2_000, 10_000, 100_000)
MODEL = """\
import dyncore as torch

def forward(x, steps: int):
    n = 0
    while n < steps:
        x = x * 1.0001
        n += 1
    return x.sum()
"""
COMMANDS = {
    "run": ["run", "--show", "outputs"],
    "folded": ["graph", "--overwrite", "-o", "folded.svg"],
    "unfolded": ["graph", "--overwrite", "-o", "unfolded.svg", "--expand", "all", "--max-nodes", "1000000"],
}


def seconds(folder: Path, command: list[str], steps: int) -> float:
    """Return the wall time of one command."""
    words = [sys.executable, "-m", "dyncli", *command, "net.py", "-i", "x=[1, 2, 3]", "-i", f"steps={steps}"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "core")])}
    started = time.perf_counter()
    subprocess.run(words, cwd=folder, env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    """Print one line for each size; a loop of 100,000 is drawn folded only."""
    print(f"{'ops':>9}" + "".join(f"{name:>11}" for name in COMMANDS))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.py").write_text(MODEL)
        for size in SIZES:
            kinds = [kind for kind in COMMANDS if size <= 10_000 or kind != "unfolded"]
            times = [[seconds(folder, COMMANDS[kind], size) for kind in kinds] for _ in range(TURNS)]
            print(f"{size:>9,}" + "".join(f"{min(turn[k] for turn in times):>10.2f}s" for k in range(len(kinds))))


if __name__ == "__main__":
    main()
