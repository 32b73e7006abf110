"""Random programs of nested loops, handlers, contexts and ways out of them, whose log is what they say themselves."""

from __future__ import annotations

from typing import Any

import pytest

from dyncli.instrument.runtime import probes
from dyncli.instrument.transform import Program, instrument
from dyncli.recorder.decisions.replay import replay
from tests.unit.dyncli.recorder.random_programs import HELPERS, Asked, TooLong, Writer, run

TESTS = ("if", "elif", "while", "ifexp", "guard")


@pytest.mark.whole
def test_tests_and_steps() -> None:
    """Every test is logged, in order, in the steps of the loops it stands in, and the results are the same."""
    compared = 0
    for seed in range(100):
        lines = Writer(seed).lines
        source = "\n".join(lines) + "\n" + HELPERS
        plain = run(compile(source, "net.py", "exec"), seed)
        program, log = Program(), list[Any]()
        code = instrument(source, "net.py", "net.py", program).code
        with probes.recording(log):
            recorded = run(code, seed)
        assert plain == recorded, source
        decisions = replay(program, log).decisions
        found: Asked = [
            (each.site.line, each.iterations)
            for each in decisions
            if each.site.kind in TESTS and each.site.function == "f"
        ]
        asked = recorded[0]
        if recorded[1] is TooLong:  # in the middle of a test
            asked = asked[: len(found)]
        assert asked == found, source
        compared += len(found)
    assert compared > 300
