"""What recording decisions costs: per decision while running, per script while loading, per decision afterwards.

    python tests/bench/decisions.py

Times are the best of several runs, in ns of processor time for each pass of the loop; nothing is asserted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dyncli.instrument.runtime import probes
from dyncli.instrument.transform import Program, instrument
from dyncli.recorder.decisions.replay import replay

PASSES = 200_000
REPEATS = 5

EMPTY = "def run(n):\n    x = 0.5\n    for k in range(n):\n        pass\n"
BODIES = {
    "loop alone": "pass",
    "if compare": "if x < 1.0:\n            pass",
    "if name": "if x:\n            pass",
    "if/else, both with code": "if x < 1.0:\n            y = 1\n        else:\n            y = 2",
    "if and not": "if x < 1.0 and not k < 0:\n            pass",
    "conditional expression": "y = 1 if x < 1.0 else 2",
    "value of `or`": "y = x or 1.0",
    "value of `and`": "y = x < 1.0 and k",
    "while once": "while x > 0:\n            break",
    "call with an if": "y = f(x)",
}
FUNCTION = """\
def f{n}(x, y):
    for k in range(x):
        if k > y and x:
            y = k if x else {n}
    return y


"""
CALLED = "def f(x):\n    if x > 1:\n        return 1\n    return 2\n\n"


def best(run: Callable[[], Any]) -> float:
    """The least processor time of some runs, in ns."""
    times = []
    for _ in range(REPEATS):
        started = time.process_time_ns()
        run()
        times.append(time.process_time_ns() - started)
    return min(times)


def passes(body: str) -> tuple[float, float, float]:
    """Time for one pass without probes and with them, and how many items it adds to the log."""
    source = CALLED + EMPTY.replace("        pass\n", f"        {body}\n")
    plain: dict[str, Any] = {}
    exec(compile(source, "plain.py", "exec"), plain)
    recorded: dict[str, Any] = {}
    log: list[Any] = []
    with probes.recording(log):
        exec(instrument(source, "script.py", "script.py").code, recorded)

        def run() -> None:
            log.clear()
            recorded["run"](PASSES)

        with_probes = best(run)
        items = len(log) / PASSES
    return best(lambda: plain["run"](PASSES)) / PASSES, with_probes / PASSES, items


def loading() -> None:
    """Time to load a script of 200 lines, with probes and without."""
    source = "".join(FUNCTION.format(n=n) for n in range(28))
    plain = best(lambda: compile(source, "plain.py", "exec"))
    probed = best(lambda: instrument(source, "script.py", "script.py"))
    print(f"load {source.count(chr(10))} lines: {plain / 1e6:.2f} ms plain, {probed / 1e6:.2f} ms with probes")


def replaying() -> None:
    """Time to play a log again, for each decision."""
    source = CALLED + "def run(n):\n    for k in range(n):\n        if k % 3 == 0 and k > 1:\n            f(k)\n"
    program = Program()
    log: list[Any] = []
    names: dict[str, Any] = {}
    code = instrument(source, "script.py", "script.py", program).code
    with probes.recording(log):
        exec(code, names)
        names["run"](50_000)
    started = time.process_time()
    count = len(replay(program, log).decisions)
    elapsed = time.process_time() - started
    print(f"replay {count:,} decisions: {elapsed / count * 1e6:.1f} us each")


def main() -> None:
    """Prints the table."""
    print(f"{'one pass of a loop with':28}{'plain':>8}{'recorded':>10}{'added':>8}{'ratio':>8}{'items':>8}")
    loop = 0.0
    for name, body in BODIES.items():
        plain, recorded, items = passes(body)
        added = recorded - plain
        loop = loop or added
        print(f"{name:28}{plain:8.0f}{recorded:10.0f}{added:8.0f}{recorded / plain:8.1f}{items:8.0f}")
    print(f"(of which the pass itself adds {loop:.0f} ns)")
    loading()
    replaying()


if __name__ == "__main__":
    main()
