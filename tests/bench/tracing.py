"""What listening costs: a model alone, recorded as `dyncli run` does, as `dyncli graph` and `--json` do, and looked at
as `dyncli trace` does.

    python tests/bench/tracing.py

Times are the best of many runs in turns, of processor time, as ratios to the model alone; nothing is asserted.
`run` shows what ran, what it decided, outputs and the leaves' gradients: it keeps nothing else.  The whole record
has values and gradients on the way, and the times of each op.
Memory is what recording adds to the chain, forward and backward, an op: at its highest, and what the event log keeps.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import dyncore as torch
from dyncli.recorder.events.collectors import collectors_for
from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.request import Request
from dyncore.graph import events

TURNS = 15
LENGTHS = (100, 1_000, 20_000, 100_000)
RUN, WHOLE, TRACE = Request("", outline=True), Request(""), Request("", watch=True)


def chain(ops: int = 2000, torch: Any = torch) -> None:
    """A vector of three through products and sums, and back."""
    x = torch.ones(3, requires_grad=True)
    y = x
    for _ in range(ops // 2):
        y = y * 0.999
        y = y + x
    y.sum().backward()


def rnn(torch: Any = torch) -> None:
    """A recurrent network of 64 units over 200 steps, and back."""
    u = torch.full((64, 64), 0.01, requires_grad=True)
    w = torch.full((64, 64), 0.02, requires_grad=True)
    x = torch.ones(64)
    h = torch.zeros(64)
    for _ in range(200):
        h = torch.tanh(u @ h + w @ x)
    h.sum().backward()


def items() -> None:
    """A loop that asks `item()` each time whether to go on, and back."""
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    while y.item() < 1000.0:
        y = y * 1.01
    y.backward()


def steps() -> None:
    """Thirty steps of a network of three layers on eight rows."""
    torch.manual_seed(0)
    nn = torch.nn
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    x = torch.ones(8, 8)
    for _ in range(30):
        optimizer.zero_grad()
        (net(x) ** 2).mean().backward()
        optimizer.step()


def scaled() -> None:
    """Two hundred times a vector by its norm and its largest element: ops that keep more than they were given."""
    x = torch.ones(8, requires_grad=True)
    y = x
    for _ in range(200):
        y = y / y.norm() * y.max()
    y.sum().backward()


def large() -> None:
    """A million elements through ten products and tanh, and back."""
    x = torch.ones(1000, 1000, requires_grad=True)
    y = x
    for _ in range(10):
        y = torch.tanh(y * 0.999)
    y.sum().backward()


def log_of(request: Request) -> EventLog:
    """Return an event log with the collectors of a command."""
    return EventLog([], collectors_for(request))


def listening(request: Request | None) -> Any:
    """Return a context in which everything is recorded as a command does."""
    return nullcontext() if request is None else events.listen(log_of(request))


def once(run: Callable[[], None], kind: Request | None) -> int:
    """The processor time of one run, in ns."""
    started = time.process_time_ns()
    with listening(kind):
        run()
    return time.process_time_ns() - started


def memory(ops: int, kind: Request | None) -> tuple[int, int]:
    """The bytes that are held after a chain and its backward, and the most that were held meanwhile."""
    gc.collect()
    tracemalloc.start()
    log = None if kind is None else log_of(kind)
    with nullcontext() if log is None else events.listen(log):
        chain(ops)
    gc.collect()
    found = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return found


def main() -> None:
    """Prints a line for each model, and one for each length of the chain."""
    print(f"{'':8}{'alone':>10}{'run':>8}{'whole':>8}{'trace':>8}")
    for run in (chain, rnn, items, steps, scaled, large):
        turns = [[once(run, kind) for kind in (None, RUN, WHOLE, TRACE)] for _ in range(TURNS)]
        alone, *heard = (min(column) for column in zip(*turns, strict=True))
        print(f"{run.__name__:8}{alone / 1e6:>7.2f} ms", *[f"{each / alone:>7.2f}" for each in heard])
    print(f"\n{'bytes':>8}{'run':>9}{'at most':>9}{'whole':>9}{'at most':>9}")
    for ops in LENGTHS:
        (kept_alone, highest_alone), *found = (memory(ops, kind) for kind in (None, RUN, WHOLE))
        each = [part for kept, highest in found for part in (kept - kept_alone, highest - highest_alone)]
        print(f"{ops:>8}", *[f"{part / ops:>8.0f}" for part in each])


if __name__ == "__main__":
    main()
