"""The engine's speed beside its peers: `make bench`, or `python -m tests.bench [--quick] [--save FILE] [NAME ...]`.

Gradients are computed in float64 first and must agree with PyTorch's to 1e-6. Then the engines, each in a process of
its own, take turns in float32, and the smallest and the median time of many runs are kept.
The ratio to PyTorch is the result; milliseconds only give the scale. README.md beside this file says what is aimed at.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import math
import multiprocessing
import statistics
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "core")]

from tests.bench.suite import WORKLOADS  # noqa: E402
from tests.bench.worker import serve  # noqa: E402

OWN, BASE = "dyncore", "torch"
PEERS = (OWN, BASE, "torch, all threads", "autograd", "mygrad", "jax", "micrograd")
QUICK = (OWN, BASE, "autograd", "mygrad", "micrograd")
BUDGET_MS = 700.0  # no engine gets more turns than this for one workload, and each gets one
GOALS = {"small": (0.33, 0.5), "mid": (1.05, 1.25), "large": (1.0, 1.2)}


class Engine:
    """A peer in a process of its own."""

    def __init__(self, name: str, processor: bool = False) -> None:
        self.name = name
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, name, processor), daemon=True)
        self.process.start()
        theirs.close()

    def ask(self, what: str, argument: Any) -> Any:
        """What the worker answers.  Raises ImportError if the engine cannot be imported."""
        self.pipe.send((what, argument))
        found = self.pipe.recv()
        if isinstance(found, ImportError):
            raise found
        return found

    def close(self) -> None:
        """Ends the process."""
        self.pipe.send(None)
        self.process.join()


def installed(names: tuple[str, ...]) -> list[str]:
    """Those of the engines that are installed; says which are not."""
    found = [name for name in names if find_spec(name.split(",")[0]) is not None]
    for name in names:
        if name not in found:
            print(f"{name} is not installed: no comparison with it")
    return found


def agree(name: str, one: list[Any], two: list[Any], engines: tuple[str, str]) -> None:
    """Raises AssertionError unless the gradients agree to 1e-6 of the largest element."""
    assert len(one) == len(two), f"{name}: {engines[0]} and {engines[1]} give different numbers of gradients"
    for a, b in zip(one, two, strict=True):
        away = np.max(np.abs(a - b), initial=0) / max(np.max(np.abs(b), initial=0), 1e-30)
        assert away <= 1e-6, f"{name}: {engines[0]} and {engines[1]} differ by {away:.1e}"


def measured(name: str, engines: list[Engine], turns: int) -> dict[str, tuple[float, float]]:
    """(smallest, median) milliseconds of each engine that has the workload, all having agreed first."""
    results = {engine.name: engine.ask("check", name) for engine in engines}
    running = [engine for engine in engines if results[engine.name] is not None]
    for engine in running:
        if BASE in results and results[engine.name]:
            agree(name, results[engine.name], results[BASE], (engine.name, BASE))
    times: dict[str, list[float]] = {engine.name: engine.ask("turn", name) for engine in running}
    for _ in range(1, turns):
        for engine in running:
            if sum(times[engine.name]) < BUDGET_MS:
                times[engine.name] += engine.ask("turn", name)
    return {peer: (min(taken), statistics.median(taken)) for peer, taken in times.items()}


def geometric(values: list[float]) -> float:
    return math.exp(statistics.fmean(math.log(value) for value in values))


def rows(engines: list[Engine], names: list[str], turns: int) -> dict[str, Any]:
    """Measures and prints the table, a row for each workload."""
    figures: dict[str, Any] = {}
    others = [engine.name for engine in engines if engine.name != OWN]
    head = "".join(f"{other.replace('torch, all threads', 'torch all'):>10}" for other in others)
    print(f"{'dyncore / peer, smallest times':31} {'ms':>9} {head}  medians")
    for name in names:
        taken = figures[name] = measured(name, engines, turns)
        own = taken[OWN]
        cells = "".join(f"{own[0] / taken[o][0]:10.3f}" if o in taken else f"{'':10}" for o in others)
        median = f"{own[1] / taken[BASE][1]:9.2f}" if BASE in taken else ""
        print(f"{name:31} {own[0]:9.3f} {cells}{median}", flush=True)
    return figures


def groups(figures: dict[str, Any]) -> None:
    """Prints the geometric mean and the worst ratio of each group beside what is aimed at."""
    for group, (goal, goal_worst) in GOALS.items():
        taken = [each for name, each in figures.items() if WORKLOADS[name].group == group]
        for peer in PEERS[1:]:
            ratios = [each[OWN][0] / each[peer][0] for each in taken if peer in each]
            if not ratios:
                continue
            aim = f"   (aim: {goal}, worst {goal_worst})" if peer == BASE else ""
            print(f"{group:6} / {peer:20} mean {geometric(ratios):6.3f}   worst {max(ratios):6.3f}{aim}")


def single(what: str, argument: int, names: list[str], processor: bool) -> dict[str, Any]:
    """A measurement of memory, each engine in a fresh process."""
    found = {}
    for name in names:
        engine = Engine(name, processor)
        found[name] = engine.ask(what, argument)
        engine.close()
    return found


def memory(names: list[str], quick: bool, processor: bool) -> dict[str, Any]:
    """Measures and prints chains of scalar nodes and the peak of saved activations."""
    figures: dict[str, Any] = {}
    print(f"\n{'chain of nodes':16}{'engine':12}{'ns a node':>10}{'bytes a node':>14}{'s to drop':>11}")
    for count in (1_000, 10_000, 100_000) if quick else (1_000, 10_000, 100_000, 1_000_000):
        peers = names if count < 100_000 else [name for name in names if name != "micrograd"]
        figures[f"{count:,} nodes"] = found = single("nodes", count, peers, processor)
        for name, each in found.items():
            size = f"{each['bytes']:14.0f}" if count > 10_000 else f"{'':14}"
            print(f"{count:<16,}{name:12}{each['ns']:10.0f}{size}{each.get('drop_s', math.nan):11.3f}", flush=True)
    others = [name for name in names if name != "micrograd"]
    figures["50 tanh on 1e6"] = found = single("saved", 50, others, processor)
    for name, each in found.items():
        print(f"50 tanh on 1e6  {name:12}{each['bytes'] / 1e6:7.0f} MB at most{each['ms']:9.1f} ms")
    return figures


def main() -> None:
    """Measures, prints the table and saves it if asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer turns, the lighter peers: under a minute")
    parser.add_argument(
        "--processor", action="store_true", help="count processor time: for a machine that others use, one thread each"
    )
    parser.add_argument("--save", type=Path, default=None, metavar="FILE", help="write the figures to this JSON file")
    parser.add_argument("--against", nargs="*", metavar="PEER", help=f"only these of {', '.join(PEERS[1:])}")
    parser.add_argument("--group", choices=sorted({each.group for each in WORKLOADS.values()}), help="only this group")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only the workloads whose names hold one of these")
    options = parser.parse_args()
    peers = installed((OWN, *options.against) if options.against else QUICK if options.quick else PEERS)
    names = [
        name
        for name, each in WORKLOADS.items()
        if (not options.names or any(part in name for part in options.names)) and options.group in (None, each.group)
    ]
    engines = [Engine(name, options.processor) for name in peers]
    figures = rows(engines, names, 4 if options.quick else 25)
    for engine in engines:
        engine.close()
    print()
    groups(figures)
    if not options.names and options.group is None:
        alone = [name for name in peers if name in (OWN, BASE, "micrograd")]
        figures.update(memory(alone, options.quick, options.processor))
    if options.save is not None:
        options.save.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        print(f"Wrote {options.save}")


if __name__ == "__main__":
    main()
