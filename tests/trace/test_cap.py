"""A bound on the decision log."""

import signal
from typing import Any

import pytest

from dyncli.load import probes
from dyncli.load.instrument import Program, instrument
from dyncli.trace.cap import capped
from dyncli.trace.replay import replay

ENDLESS = """\
import time
def count(until):
    n = 0
    while time.process_time() < until:
        n += 1
    return n
def run():
    for k in range(2):
        n = count(time.process_time() + 0.3)
    return n
n = run()
"""


@pytest.mark.slow
def test_a_long_loop_is_cut_short_but_runs_on() -> None:
    """Past the bound nothing is added, the script ends as ever, and an open loop's exit is unknown."""
    log: list[Any] = []
    names: dict[str, Any] = {}
    program = Program()
    code = instrument(ENDLESS, "/nowhere/x.py", "x.py", program).code
    before = signal.getsignal(signal.SIGVTALRM)
    with probes.recording(log), capped(log, most=1000) as cap:
        exec(code, names)
    assert cap.reached and names["n"] > 0
    length = len(log)
    assert 1000 < length and before is signal.getsignal(signal.SIGVTALRM)
    exec(code, names)
    assert length == len(log)
    decisions = replay(program, log, complete=False).decisions
    assert ("for", 1, None) == (decisions[0].site.kind, decisions[0].trips, decisions[0].exit)


def test_a_short_run_is_not() -> None:
    """Below the bound all is recorded."""
    log: list[Any] = []
    with probes.recording(log), capped(log) as cap:
        exec(instrument("for k in range(3): pass\n", "/nowhere/x.py", "x.py").code, {})
    assert not cap.reached and 3 + 3 * 2 + 2 + 4 + 2 == len(log)
