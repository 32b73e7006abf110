"""The path of a run as a hash."""

import os
import subprocess
import sys

import pytest

from dyncli.recorder.decisions.finish import signature
from tests.playing import play

SOURCE = """\
def f(x):
    total = 0
    for name in {"a", "b", "c"}:
        if name != "z" and x > 1:
            total += x
    while total > 3:
        total -= 2
    return total
f(2)
"""


@pytest.mark.whole
def test_signature_is_the_same_everywhere() -> None:
    """Neither the hash seed, nor comments, nor where the script lies, nor the Python version count."""
    here = play("# a comment\n\n" + SOURCE).replayed.signature
    assert "32e91e7a7d6a4bb0" == here
    program = f"from tests.playing import play\nprint(play({SOURCE!r}, path='/other.py').replayed.signature)"
    path = os.pathsep.join(path for path in sys.path if path)
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
        assert (here, "") == (done.stdout.strip(), done.stderr)


@pytest.mark.parametrize("changed", ["f(3)", "f(1)", "f(2); f(2)"])
def test_other_paths_have_other_signatures(changed: str) -> None:
    """Trips, arms and order count."""
    assert play(SOURCE).replayed.signature != play(SOURCE.replace("f(2)", changed)).replayed.signature


def test_recomputation_counts_for_nothing() -> None:
    """What runs again in backward leaves the path as it is."""
    decisions = play(SOURCE).decisions
    again = tuple(decision._replace(phase="recompute") for decision in decisions)
    assert signature(decisions) == signature((*decisions, *again))
