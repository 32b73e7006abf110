"""What comparing two runs costs: seconds of processor time for runs of several sizes, and how that grows.

    python tests/bench/diff.py

Runs are made by hand, so that only the comparison is measured; the best of several, nothing is asserted.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "core")]

from dyncli.analysis.diff import diff  # noqa: E402
from dyncli.records.model import Record  # noqa: E402
from dyncli.render.export.diff_json import render  # noqa: E402
from tests import records  # noqa: E402

SIZES = (1_000, 10_000, 100_000)
REPEATS = 3


def seconds(work: Callable[[], object]) -> float:
    """Return the least time of several tries."""
    best = float("inf")
    for _ in range(REPEATS):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def line(size: int) -> str:
    """Return the times for runs of so many ops."""
    run, shorter = records.long_loop(size), records.long_loop(size // 2)
    same: Record = run._replace(ops=tuple(run.ops))
    found = diff(run, shorter)
    times = [seconds(lambda: diff(run, same)), seconds(lambda: diff(run, shorter)), seconds(lambda: render(found))]
    return f"{size:>9,} " + " ".join(f"{each:>8.3f}s" for each in times)


def main() -> None:
    """Print one line for each size."""
    print(f"{'ops':>9} {'equal':>9} {'longer':>9} {'as JSON':>9}")
    for size in SIZES:
        print(line(size))


if __name__ == "__main__":
    main()
