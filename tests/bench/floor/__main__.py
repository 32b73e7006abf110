"""The small suite's floor: what an engine over NumPy must take, beside what dyncore and PyTorch take.

    python -m tests.bench.floor [NAME ...]

`bare` is an engine of the same design without features (`engine.py`), `by hand` NumPy without an engine (`by_hand.py`).
Both run the rows' own calls, take turns with the other two, and agree with PyTorch's gradients to 1e-6 first.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "core")]

from tests.bench.__main__ import Engine, geometric, measured  # noqa: E402
from tests.bench.suite import WORKLOADS  # noqa: E402

ENGINES = ("dyncore", "torch", "bare", "by hand")


def main() -> None:
    """Prints each row as parts of PyTorch's time, and the means."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.floor", description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=25)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only the rows whose names hold one of these")
    options = parser.parse_args()
    engines = [Engine(name, processor=True) for name in ENGINES]
    shares: dict[str, list[float]] = {name: [] for name in ENGINES if name != "torch"}
    print(f"{'parts of PyTorch time':26}{'dyncore':>9}{'bare':>9}{'by hand':>9}{'dyncore / bare':>16}")
    for name, each in WORKLOADS.items():
        if each.group != "small" or (options.names and not any(part in name for part in options.names)):
            continue
        taken = measured(name, engines, options.turns)
        ratios = {engine: taken[engine][0] / taken["torch"][0] for engine in shares if engine in taken}
        for engine, ratio in ratios.items():
            shares[engine].append(ratio)
        cells = "".join(f"{ratios[engine]:9.3f}" if engine in ratios else f"{'':9}" for engine in shares)
        print(f"{name:26}{cells}{ratios['dyncore'] / ratios['bare']:16.2f}", flush=True)
    means = "".join(f"{geometric(values):9.3f}" for values in shares.values())
    print(f"{'geometric mean':26}{means}\n{'worst':26}" + "".join(f"{max(each):9.3f}" for each in shares.values()))
    for engine in engines:
        engine.close()


if __name__ == "__main__":
    main()
