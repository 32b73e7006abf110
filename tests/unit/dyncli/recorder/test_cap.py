"""A bound on the decision log: how a run began and how it went on last are kept, the middle is taken out."""

import signal
from pathlib import Path
from typing import Any

import pytest

from dyncli.instrument.runtime import probes
from dyncli.instrument.transform import Program, instrument
from dyncli.recorder.decisions.decision_log import Cap, capped
from dyncli.recorder.decisions.log_gap import Gap, beginning
from dyncli.recorder.decisions.replay import Replayed, replay
from tests.golden.paths.test_paths import MARK, SCRIPTS
from tests.playing import play

LOOPS = """\
def count(n):
    k = 0
    while k < n:
        k += 1
    return k

def run():
    total = 0
    for step in range(300):
        total += count(step % 7)
        if total % 2 == 0 and step:
            total += 1
    for last in range(2000):
        total += last > 1990
    return total
"""


def played(source: str, most: int, every: int) -> tuple[Replayed, Replayed, Cap]:
    """The log as it was, the log with its middle taken out, looking at it after so many entries, and the cap."""
    program = Program()
    code = instrument(source, "/nowhere/x.py", "x.py", program).code
    logs = []
    for bound in (10**9, most):
        log: list[Any] = []
        cap = Cap(log, program, most=bound)

        def look(names: probes.Probes, cap: Cap = cap) -> probes.Probes:
            calls = 0

            def looking(probe: probes.Probe) -> probes.Probe:
                def before(*arguments: Any) -> Any:
                    nonlocal calls
                    calls += 1
                    if calls % every == 0:
                        cap.look()
                    return probe(*arguments)

                return before

            return {name: looking(probe) for name, probe in names.items()}

        names: dict[str, Any] = {}
        with probes.recording(log, change=look):
            exec(code, names)
            names["run"]()
        logs.append((log, cap))
    (whole, _), (cut, cap) = logs
    assert cap.gap is not None and len(cut) < len(whole)
    return replay(program, whole), replay(program, cut, gap=cap.gap), cap


@pytest.mark.parametrize(("most", "every"), [(900, 7), (900, 60), (3000, 31), (6000, 100)])
def test_what_is_kept_is_as_it_was(most: int, every: int) -> None:
    """Decisions at both ends have the arms, iterations and trips of the whole log; how many are left out is told."""
    whole, cut, cap = played(LOOPS, most, every)
    assert cap.gap is not None
    assert len(whole.decisions) == len(cut.decisions) + cap.gap.decisions
    pairs = zip(whole.decisions, cut.decisions)
    assert 50 < sum((a.site, a.arm, a.iteration) == (b.site, b.arm, b.iteration) for a, b in pairs)
    last = cut.decisions[-1]
    assert (whole.decisions[-1].site, 2000, "exhausted") == (last.site, last.trips, last.exit) or last.site.line != 13
    assert whole.calls == cut.calls


@pytest.mark.parametrize("most", [400, 900, 2500])
@pytest.mark.parametrize("bound", [10**9, 3000, 900])
def test_a_run_that_was_stopped_keeps_both_ends(most: int, bound: int) -> None:
    """Shortened once more at its end, a log has what it had at its ends; calls are counted, loops go on counting."""
    source = LOOPS.replace("last > 1990", "1 if last > 1990 else 0")
    program = Program()
    code = instrument(source, "/nowhere/x.py", "x.py", program).code
    names: dict[str, Any] = {}
    log: list[Any] = []
    with probes.recording(log):
        exec(code, names)
        names["run"]()
    whole = replay(program, list(log))
    cap = Cap(log, program, [[0] * 5], most=bound)
    if bound < len(log):
        cap.gap = beginning(program, log, bound // 2)
        before = len(log)
        cap.gap.skip(program, log, beginning(program, log, len(log) - bound // 2).at)
        cap.cuts.append(([5], before - len(log)))
    cap.shorten(0, most)
    assert cap.gap is not None and len(log) <= min(most, bound) + 20
    cut = replay(program, log, gap=cap.gap)
    assert len(whole.decisions) == len(cut.decisions) + cap.gap.decisions
    for first, second in ((whole.decisions[:20], cut.decisions[:20]), (whole.decisions[-20:], cut.decisions[-20:])):
        for a, b in zip(first, second, strict=True):
            assert (a.site, a.arm, a.iteration, a.call_path) == (b.site, b.arm, b.iteration, b.call_path)
    assert whole.calls == cut.calls


def test_the_callers_of_what_runs_at_the_end_are_known() -> None:
    """A function that is called in the middle of a run, and never ends, has its call path."""
    source = "def last(n):\n    while n:\n        n -= 1\ndef run():\n    for k in range(500):\n        k > 3 and k\n"
    source += "    last(900)\n    assert False\n"
    program = Program()
    code = instrument(source, "/nowhere/x.py", "x.py", program).code
    names: dict[str, Any] = {}
    log: list[Any] = []
    with probes.recording(log):
        exec(code, names)
        with pytest.raises(AssertionError):
            names["run"]()
    whole, cap = replay(program, list(log)), Cap(log, program)
    cap.shorten(0, 300)
    cut = replay(program, log, gap=cap.gap)
    test, again = (found.decisions[-1] for found in (whole, cut))
    assert ("last", 900, ("run", "last")) == (again.site.function, again.iteration, again.call_path)
    assert test.call_path == again.call_path


ENDLESS = """\
def forward():
    for outer in range(3):
        k = 0
        while k < 400 * (outer + 1):
            k += 1
            if k % 5 == 0:
                k += 0
forward()
"""


@pytest.mark.parametrize("every", [11, 50, 333])
def test_iterations_go_on_counting(every: int) -> None:
    """The last test of a `while` knows its iteration, in a loop that began before the gap, in it, or after it."""
    program = Program()
    code = instrument(ENDLESS, "/nowhere/x.py", "x.py", program).code
    log: list[Any] = []
    cap = Cap(log, program, most=1500)
    real = log

    def look(names: probes.Probes) -> probes.Probes:
        count = 0

        def single(point: int, call_id: int, *more: Any, probe: Any = None) -> Any:
            nonlocal count
            count += 1
            if count % every == 0:
                cap.look()
            return probe(point, call_id, *more)

        return {
            name: (lambda *a, probe=probe: single(*a, probe=probe)) if name == "@compared" else probe
            for name, probe in names.items()
        }

    with probes.recording(log, change=look):
        exec(code, {})
    assert real is log and cap.gap is not None and cap.cuts
    decisions = replay(program, log, gap=cap.gap).decisions
    tests = [decision for decision in decisions if decision.site.kind == "while"]
    for decision in tests:
        assert decision.iteration == decision.conditions[0].lhs
    assert 1200 == tests[-1].iteration


def test_positions_of_what_was_noted_beside() -> None:
    """Ops keep their place: before the gap, at it if they fell into it, behind it."""
    log: list[Any] = list(range(100))
    cap = Cap(log, Program())
    cap.gap = Gap(10)
    cap.cuts = [([3], 40), ([5], 20)]
    # whole lengths: 5, 10, 30 before the first cut; 12 + 40, 15 + 40 before the second; 11 + 60, 30 + 60 after it
    assert [5, 10, 10, 10, 10, 11, 30] == cap.positions(0, [5, 10, 30, 12, 15, 11, 30])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_gap_over_a_whole_log_counts_its_decisions(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each kind of decision is counted once, by the `Kind` of its role, also a test that raised."""
    run = play(script.read_text(encoding="utf-8").partition(MARK)[0] + "\n")
    gap, log = Gap(0), list(run.log)
    gap.skip(run.program, log, len(log))
    assert len(run.decisions) == gap.decisions
    assert [] == log


@pytest.mark.whole
@pytest.mark.parametrize(("later", "expected"), [((False, 3), (False, 8)), ((True, 3), (True, 3))])
def test_steps_of_a_loop_in_two_gaps_add_up_unless_it_began_anew(later: Any, expected: Any) -> None:
    """Steps that a loop made before it began anew say nothing of those it makes now."""
    gap = Gap(0, steps={(1, 2): (False, 5)})
    gap.add(Gap(0, steps={(1, 2): later}))
    assert {(1, 2): expected} == gap.steps


def test_a_timer_looks() -> None:
    """A script that decides for a while is cut short by the timer, and runs on to its end."""
    source = "import time\nn = 0\nuntil = time.process_time() + 0.4\nwhile time.process_time() < until:\n    n += 1\n"
    log: list[Any] = []
    names: dict[str, Any] = {}
    program = Program()
    code = instrument(source, "/nowhere/x.py", "x.py", program).code
    before = signal.getsignal(signal.SIGVTALRM)
    with probes.recording(log), capped(Cap(log, program, most=1000)) as cap:
        exec(code, names)
    assert before is signal.getsignal(signal.SIGVTALRM)
    assert cap.gap is not None and cap.cuts
    decisions = replay(program, log, gap=cap.gap).decisions
    assert ("exit", names["n"]) == (decisions[-1].arm, decisions[-1].iteration)
    assert names["n"] + 1 == len(decisions) + cap.gap.decisions


def test_a_short_run_is_kept_whole() -> None:
    """Below the bound all is recorded."""
    log: list[Any] = []
    program = Program()
    with probes.recording(log), capped(Cap(log, program)) as cap:
        exec(instrument("for k in range(3): pass\n", "/nowhere/x.py", "x.py", program).code, {})
    assert cap.gap is None and 3 + 3 * 2 + 2 + 6 + 2 == len(log)


def test_limit_that_strikes_while_signals_are_blocked_leaves_none_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocking signals runs handlers that are due; a limit raised there left SIGALRM blocked for good."""
    block = signal.pthread_sigmask

    def interrupted(how: int, numbers: Any) -> Any:
        """Block, then raise, as `pthread_sigmask` does where a handler that is due raises."""
        before = block(how, numbers)
        if how == signal.SIG_BLOCK and numbers:
            raise KeyboardInterrupt
        return before

    with capped(Cap([], Program())):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        look: Any = signal.getsignal(signal.SIGVTALRM)
        monkeypatch.setattr(signal, "pthread_sigmask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            look(signal.SIGVTALRM, None)
        monkeypatch.undo()
    assert set() == block(signal.SIG_BLOCK, ())
