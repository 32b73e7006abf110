"""The engine's speed beside its peers: `make bench`, or `python -m tests.bench [--quick] [--save FILE]`.

Every workload is one function of the namespace (`dyncore` or `torch`), so that both run the same text.
Results are compared before anything is timed; then the engines take turns, one thread each, and the smallest and the
median time of many turns are kept.
The ratio to PyTorch is the result; milliseconds only give the scale.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import statistics
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "core")]

from tests.bench.workloads import WORKLOADS  # noqa: E402

PEERS = ("dyncore", "torch")


def engines() -> dict[str, Any]:
    """The engines that are installed, by name, each set to one thread."""
    found = {}
    for name in PEERS:
        try:
            found[name] = import_module(name)
        except ImportError:
            print(f"{name} is not installed: no comparison with it")
    if "torch" in found:
        found["torch"].set_num_threads(1)
    return found


def same(results: dict[str, Any]) -> None:
    """Raises AssertionError unless all engines computed the same gradients."""
    first = results["dyncore"]
    for name, other in results.items():
        for one, two in zip(first, other, strict=True):
            close = np.allclose(
                np.asarray(one), two.numpy() if name == "torch" else np.asarray(two), rtol=1e-3, atol=1e-5
            )
            assert close, f"dyncore and {name} differ"


def measured(work: Any, found: dict[str, Any], turns: int) -> dict[str, tuple[float, float]]:
    """(smallest, median) milliseconds of each engine, taken in turns."""
    runs = {name: work(engine) for name, engine in found.items()}
    same({name: run() for name, run in runs.items()})
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(turns):
        for name, run in runs.items():
            started = time.perf_counter()
            run()
            times[name].append((time.perf_counter() - started) * 1e3)
    return {name: (min(taken), statistics.median(taken)) for name, taken in times.items()}


def main() -> None:
    """Measures, prints the table and saves it if asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer turns: under a minute")
    parser.add_argument("--save", type=Path, help="write the figures to this JSON file")
    parser.add_argument("names", nargs="*", help="only these workloads")
    options = parser.parse_args()
    found = engines()
    figures: dict[str, Any] = {}
    print(f"{'workload':28} {'dyncore ms':>11} {'torch ms':>9} {'ratio':>6} {'of medians':>10}")
    for name, work in WORKLOADS.items():
        if options.names and name not in options.names:
            continue
        taken = measured(work, found, 7 if options.quick else 40)
        figures[name] = taken
        own = taken["dyncore"]
        line = f"{name:28} {own[0]:11.3f}"
        if "torch" in taken:
            peer = taken["torch"]
            line += f" {peer[0]:9.3f} {own[0] / peer[0]:6.2f} {own[1] / peer[1]:10.2f}"
        print(line, flush=True)
    if "torch" in found and figures:
        ratios = [taken["dyncore"][0] / taken["torch"][0] for taken in figures.values()]
        print(f"{'geometric mean':28} {'':11} {'':9} {statistics.geometric_mean(ratios):6.2f}")
    if options.save:
        options.save.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
        print(f"Wrote {options.save}")


if __name__ == "__main__":
    main()
