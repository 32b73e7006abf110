"""What recording costs: the same work with and without a tape that listens, in turns.

    python -m tests.bench.tracing [--rounds N]

`listening` is the engine's own part, an empty listener; the tape is what `dyncli run` writes.  Memory is what a tape
holds for each op of the chain once the run is over.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import gc
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "core")]

import dyncore as torch  # noqa: E402
from dyncli.trace.tape import Tape  # noqa: E402
from dyncore import events  # noqa: E402

GOALS = {"chain of 1,000 on 3": 1.3, "RNN 64, 20 steps": 1.15}


def chain() -> Any:
    """1,000 elementwise ops on a 3-vector, forward and backward."""
    x = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)
    y = x
    for _ in range(250):
        y = torch.tanh(y * 1.01 + x) - 0.1
    y.sum().backward()
    return x.grad


def recurrent() -> Callable[[], Any]:
    """A tanh RNN of 64 units over 20 steps, forward and backward."""
    torch.manual_seed(0)
    steps = [torch.randn(1, 64) for _ in range(20)]
    w, u, b = (torch.randn(*shape, requires_grad=True) for shape in ((64, 64), (64, 64), (64,)))

    def run() -> Any:
        h = torch.zeros(1, 64)
        for step in steps:
            h = torch.tanh(step @ w + h @ u + b)
        w.grad = None
        h.sum().backward()
        return w.grad

    return run


def seconds(work: Callable[[], Any], listener: Any) -> float:
    """Time of one run."""
    started = perf_counter()
    if listener is None:
        work()
    else:
        with events.listen(listener):
            work()
    return perf_counter() - started


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    rounds = parser.parse_args().rounds
    gc.set_threshold(100_000, 20, 50)  # as the command line does
    print(f"{'workload':24}{'plain us':>10}{'listening':>11}{'tape':>7}{'goal':>7}")
    for name, work in (("chain of 1,000 on 3", chain), ("RNN 64, 20 steps", recurrent())):
        with events.listen(Tape([])):
            recorded = work().tolist()
        assert recorded == work().tolist(), "recording changes a gradient"
        best = [float("inf")] * 3
        kept = []  # a tape outlives its run; dropping each would time the return of its memory to the system
        for _ in range(rounds):
            kept.append(Tape([]))
            for place, listener in enumerate((None, events.Listener(), kept[-1])):
                best[place] = min(best[place], seconds(work, listener))
        plain, listening, tape = best
        print(f"{name:24}{plain * 1e6:10.0f}{listening / plain:11.2f}{tape / plain:7.2f}{GOALS[name]:7}")
    held = Tape([])
    tracemalloc.start()
    with events.listen(held):
        chain()
    print(f"{tracemalloc.get_traced_memory()[0] / 1000:.0f} bytes an op of the chain, forward and backward")


if __name__ == "__main__":
    main()
