"""Where ops stood: modules, phases, and the order of what happened between two entries."""

import sys
from typing import Any

from dyncli.instrument.runtime import probes
from dyncli.instrument.transform import Program, instrument
from dyncli.recorder.decisions.replay import Mark, Replayed, replay

SOURCE = """\
def forward(x):
    mark("op")
    if x > 0:
        mark("enter", "layer")
        mark("op")
        block(x)
        mark("exit")
        mark("op")
    for k in range(2):
        mark("op")
    mark("phase", "backward")
    y = x or 1
    mark("phase", "forward")
    mark("op")
    return x and 2
def block(x):
    while x > 1:
        x -= 1
        mark("op")
"""


def played() -> tuple[Replayed, list[Mark]]:
    """A run whose script says itself when an op runs."""
    marks: list[Mark] = []
    log: list[Any] = []
    names: dict[str, Any] = {"mark": lambda what, more=None: marks.append((len(log), what, more))}
    program = Program()
    with probes.recording(log):
        exec(instrument(SOURCE, "/nowhere/net.py", "net.py", program).code, names)
        names["forward"](2)
    return replay(program, log, marks), marks


def path(found: Replayed, scope: int) -> str:
    """A scope and those around it, outermost first."""
    names = []
    number: int | None = scope
    while number is not None:
        at = found.scopes[number]
        names.append(at.name + (f"#{at.index}" if at.index is not None else ""))
        number = at.parent
    return "/".join(reversed(names))


def test_places_of_ops() -> None:
    """Each op has its scope, its controlling decision and the functions on the stack."""
    found, marks = played()
    places = [place for place, mark in zip(found.places, marks) if mark[1] == "op"]
    assert [
        ("/forward", None, ("forward",)),
        ("/forward/then/layer", 0, ("forward",)),
        ("/forward/then/layer/block/while x > 1#0", 1, ("forward", "block")),
        ("/forward/then", 0, ("forward",)),
        ("/forward/for k in range(2)#0", 3, ("forward",)),
        ("/forward/for k in range(2)#1", 3, ("forward",)),
        ("/forward", None, ("forward",)),
    ] == [(path(found, place.scope), place.under, place.call_path) for place in places if place is not None]


THREADED = """\
import threading
def job():
    sign(1)
def sign(n):
    return n and 1
def forward(x):
    if x > 0:
        other = threading.Thread(target=job)
        other.start()
        other.join()
        mark()
        sign(2)
        return 1
    return 0
"""


def test_who_waited_for_a_thread_goes_on() -> None:
    """What follows `join()` stands in the function that called it, under its decisions."""
    marks: list[Mark] = []
    log: list[Any] = []

    def mark() -> None:
        frame = sys._getframe(1)
        marks.append((len(log), "op", (frame.f_code.co_filename, frame.f_lineno, frame.f_code, frame.f_lasti)))

    names: dict[str, Any] = {"mark": mark}
    program = Program()
    with probes.recording(log):
        exec(instrument(THREADED, "/nowhere/net.py", "net.py", program).code, names)
        names["forward"](2)
    found = replay(program, log, marks)
    (place,) = (place for place in found.places if place is not None)
    assert (0, ("forward",)) == (place.under, place.call_path)
    assert [("forward",), ("job", "sign"), ("forward", "sign")] == [each.call_path for each in found.decisions]


def test_phases() -> None:
    """A decision carries the phase it was made in."""
    found, _ = played()
    phases = [(decision.site.text, decision.phase) for decision in found.decisions[-2:]]
    assert [("x or 1", "backward"), ("x and 2", "forward")] == phases


def test_scopes_are_numbered_as_they_are_needed() -> None:
    """The root is number 0, parents come before children, and scopes that hold nothing have no number."""
    found, _ = played()
    assert ("root", None) == (found.scopes[0].kind, found.scopes[0].parent)
    assert all(scope.parent is not None and scope.parent < scope.id for scope in found.scopes[1:])
    used = {decision.scope for decision in found.decisions}
    used |= {place.scope for place in found.places if place is not None}
    parents = {scope.parent for scope in found.scopes}
    assert {scope.id for scope in found.scopes} == used | {parent for parent in parents if parent is not None}
