"""Where the script built its modules: the line to show of an op inside one that no line of the script calls.

A bare `model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())` runs without a line of the script's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from dyncli.recorder.engine import caller_frame, events, is_engine
from dyncli.script.frames import is_users

Instruction = tuple[CodeType, int]

_built: dict[int, tuple[Any, Instruction]] = {}


@contextmanager
def noted() -> Iterator[None]:
    """Record where each module is built."""
    events.built = _note
    try:
        yield
    finally:
        events.built = None


def _note(module: Any) -> None:
    frame = caller_frame(2)
    _built[id(module)] = module, (frame.f_code, frame.f_lasti)


def forget() -> None:
    """Forget the modules of a script that is loaded again."""
    _built.clear()


def users_instruction(frame: FrameType) -> Instruction:
    """Find the script's instruction that runs an op; else the one that built the innermost module around it."""
    given: FrameType | None = frame
    while _is_engines(frame) and frame.f_back is not None:
        frame = frame.f_back
    if not str(frame.f_globals.get("__name__")).startswith("dyncli."):
        return frame.f_code, frame.f_lasti
    while given is not None and given is not frame:
        found = of_module(given.f_locals.get("self"))
        if found is not None:
            return found
        given = given.f_back
    return frame.f_code, frame.f_lasti


def _is_engines(frame: FrameType) -> bool:
    return is_engine(frame.f_globals)


def of_module(module: Any) -> Instruction | None:
    """Return the script's instruction that built a module; None if the script did not."""
    found = _built.get(id(module))
    if found is None or found[0] is not module or not is_users(found[1][0].co_filename):
        return None
    return found[1]
