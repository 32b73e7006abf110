"""A script played with probes in it, and its decisions as short lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dyncli.instrument.runtime import probes
from dyncli.instrument.transform import Program, instrument
from dyncli.recorder.decisions.replay import Replayed, replay
from dyncli.records.model import Condition, Decision, Value


@dataclass(frozen=True)
class Played:
    """What a script left behind: its names, its log as decisions, and what it raised."""

    names: dict[str, Any]
    program: Program
    log: list[Any]
    replayed: Replayed
    error: BaseException | None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Its decisions."""
        return self.replayed.decisions

    @property
    def lines(self) -> list[str]:
        """Its decisions as lines."""
        return [line(decision) for decision in self.decisions]


def play(source: str, *, name: str = "__main__", path: str = "/nowhere/script.py", **recording: Any) -> Played:
    """The script `source` run as it stands."""
    program = Program()
    log: list[Any] = []
    names: dict[str, Any] = {"__name__": name, "__file__": path}
    error: BaseException | None = None
    code = instrument(source, path, "script.py", program).code
    with probes.recording(log, **recording):
        try:
            exec(code, names)
        except Exception as raised:
            error = raised
    return Played(names, program, log, replay(program, log), error)


def line(decision: Decision) -> str:
    """One decision on one line: `3 2:if x > 0 -> then [4 > 0] m4 | in 1.0 | f g r1 | under 2`."""
    site = decision.site
    text = f"{decision.seq} {site.line}:{site.kind} `{site.text}` -> {decision.arm}"
    if decision.forced:
        text += " forced"
    if decision.iteration is not None:
        text += f" #{decision.iteration}"
    if decision.trips is not None:
        text += f" x{decision.trips} {decision.exit}"
    if decision.exception is not None:
        text += f" !{decision.exception}"
    if decision.conditions:
        text += " [" + ", ".join(map(condition_text, decision.conditions)) + "]"
    if decision.margin is not None:
        text += f" m{decision.margin:g}"
    if decision.origin != "python":
        text += f" {decision.origin}"
    if decision.iterations:
        text += " | in " + " ".join(f"{line}.{index}" for line, index in decision.iterations)
    if decision.call_path:
        text += " | " + " ".join(decision.call_path)
    if decision.recursion:
        text += f" r{decision.recursion}"
    if decision.under is not None:
        text += f" | under {decision.under}"
    return text


def condition_text(condition: Condition) -> str:
    """One condition: `3 > 0 T`, or `x=3 T` for a bare truth test."""
    outcome = "T" if condition.outcome else "F"
    if condition.op is None:
        return f"{condition.text}={value_text(condition.value)} {outcome}"
    return f"{value_text(condition.lhs)} {condition.op} {value_text(condition.rhs)} {outcome}"


def value_text(value: Value) -> str:
    """A value: `3`, `'text'`, `list of 2`, `Node`."""
    if isinstance(value, dict):
        length = f" of {value['len']}" if "len" in value else ""
        return f"{value['type']}{length}"
    return repr(value)
