"""One engine in a process of its own, which runs workloads when told to.

A process for each keeps their threads, allocators and peak memory apart; the parent lets them take turns, so that all
are measured at the same time of day on a machine that others use too.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
FLOOR = "tests.bench.floor.namespace"
TURN_MS = 12.0
WARM_RUNS, WARM_MS = 40, 100.0


_clock: Callable[[], float] = time.perf_counter


def serve(pipe: Any, engine: str, processor: bool = False) -> None:
    """Answers ("check" | "turn" | "nodes" | "saved", argument) until None comes.

    With `processor`, times are those the processor worked for this process, not those on the wall.
    """
    global _clock
    if processor:
        _clock = time.process_time
    sys.path[:0] = [str(ROOT), str(ROOT / "core")]
    answers: dict[str, Callable[[str, Any], Any]] = {"check": check, "turn": turn, "nodes": nodes, "saved": saved}
    while (asked := pipe.recv()) is not None:
        what, argument = asked
        try:
            pipe.send(answers[what](engine, argument))
        except ImportError as error:
            pipe.send(error)


def namespace(engine: str) -> Any:
    """What stands for `torch` in the workloads, with the threads that the engine's name says."""
    torch = import_module(FLOOR if engine == "bare" else engine.split(",")[0])
    torch.set_num_threads(os.cpu_count() or 1 if engine.endswith("all threads") else 1)
    return torch


def made(engine: str, name: str, double: bool) -> Any:
    """The function that runs the workload once, or None if the engine has it not."""
    if engine == "by hand":
        from tests.bench.floor.by_hand import ROWS

        return ROWS[name](double) if name in ROWS else None
    if engine.split(",")[0] not in ("dyncore", "torch", "bare"):
        from tests.bench.functional import runner

        import_module(engine)
        return runner(engine, name, double)
    from tests.bench.suite import WORKLOADS

    torch = namespace(engine)
    return WORKLOADS[name].make(torch, torch.float64 if double else torch.float32)


_ready: dict[str, Any] = {}


def check(engine: str, name: str) -> Any:
    """The gradients in float64; afterwards the workload is made in float32 and warm."""
    run = made(engine, name, True)
    if run is None:
        return None
    found = [np.array(each.numpy() if hasattr(each, "numpy") else each, np.float64) for each in run()]
    _ready.clear()
    _ready[name] = run = made(engine, name, False)
    started = _clock()
    for _ in range(WARM_RUNS):
        run()
        if (_clock() - started) * 1e3 > WARM_MS:
            break
    return found


def turn(engine: str, name: str) -> list[float]:
    """Milliseconds of each run of one turn: one run, and more while they are short."""
    run = _ready[name]
    times: list[float] = []
    while sum(times) < TURN_MS and len(times) < 40:
        started = _clock()
        run()
        times.append((_clock() - started) * 1e3)
    return times


def memory(what: str) -> int:
    """Bytes of this process: "VmRSS" now, "VmHWM" the most since `forget_peak`; 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(what)), 0)


def forget_peak() -> None:
    """Lets the peak begin anew."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def nodes(engine: str, count: int) -> dict[str, float]:
    """A chain of `count` scalar nodes, twice: ns a node (the faster), peak bytes a node, seconds to drop it."""
    if engine == "micrograd":
        return _micrograd_nodes(count)
    torch = namespace(engine)
    x = torch.tensor(0.5, requires_grad=True)
    times = []
    for attempt in range(2):
        gc.collect()
        forget_peak()
        before = memory("VmRSS")
        started = _clock()
        y = x
        for _ in range(count // 2):
            y = y * 0.9999
            y = y + x
        y.backward()
        times.append(_clock() - started)
        if not attempt:
            peak = memory("VmHWM") - before
        del y
        x.grad = None
    y = x
    for _ in range(count):
        y = y * 0.9999
    started = _clock()
    del y
    return {"ns": min(times) / count * 1e9, "bytes": peak / count, "drop_s": _clock() - started}


def _micrograd_nodes(count: int) -> dict[str, float]:
    """The same with micrograd, in a thread with a stack deep enough for its recursion."""
    import threading

    from micrograd.engine import Value

    figures: dict[str, float] = {}

    def compute() -> None:
        gc.collect()
        forget_peak()
        before = memory("VmRSS")
        started = _clock()
        x = Value(0.5)
        y = x
        for _ in range(count // 2):
            y = y * 0.9999
            y = y + x
        y.backward()
        figures.update(ns=(_clock() - started) / count * 1e9, bytes=(memory("VmHWM") - before) / count)

    sys.setrecursionlimit(10 * count + 1000)
    threading.stack_size(1 << 30)
    thread = threading.Thread(target=compute)
    thread.start()
    thread.join()
    return figures


def saved(engine: str, count: int) -> dict[str, float]:
    """`count` times tanh on a million elements, every result kept for backward: peak bytes, and ms of a warm run."""
    torch = namespace(engine)
    x = torch.ones(1_000_000, requires_grad=True)

    def run() -> None:
        x.grad = None
        y = x
        for _ in range(count):
            y = torch.tanh(y)
        y.sum().backward()

    forget_peak()
    before = memory("VmRSS")
    run()
    peak = memory("VmHWM") - before
    times = []
    for _ in range(3):
        started = _clock()
        run()
        times.append(_clock() - started)
    return {"bytes": peak, "ms": statistics.median(times) * 1e3}
