"""Python's debugger without the frames of the recorder."""

from __future__ import annotations

import bdb
import pdb
from types import FrameType, TracebackType
from typing import Any

from dyncli.instrument.runtime.condition_probes import is_stand_in
from dyncli.instrument.runtime.importer import Importer, NeighbourLoader

Pdb = pdb.Pdb
#: The modules that call a script or its entry, and the functions that run it and what it imports.
_RUNNERS = frozenset({"dyncli.recorder.recorder", "dyncli.script.execute", "dyncli.script.script"})
_RUN_SCRIPTS = frozenset({Importer.execute.__code__, NeighbourLoader.exec_module.__code__})


class ScriptPdb(Pdb):
    """Steps over what the recorder does, and shows no frame of it."""

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "call" and _works_for_the_recorder(frame):
            return None
        if not _is_recorder(frame):
            return super().trace_dispatch(frame, event, arg)
        if event == "call":
            return None
        if _runs_the_script(frame):
            bdb.Bdb.set_continue(self)  # the script is over: what there is to step through is no part of it
        elif event == "return" and self.stopframe is None and frame.f_back is not None:
            frame.f_back.f_trace = self.trace_dispatch  # stepping goes on in whoever called the recorder
        return self.trace_dispatch

    def get_stack(self, f: FrameType | None, t: TracebackType | None) -> tuple[list[tuple[FrameType, int]], int]:
        stack, index = super().get_stack(f, t)
        shown = stack[index : index + 1]
        runners = (place for place, (frame, _) in enumerate(stack[:index]) if _runs_the_script(frame))
        runner = max(runners, default=-1)
        users = [pair for pair in stack[runner + 1 :] if not _is_recorder(pair[0])]
        if not shown or shown[0] not in users:
            return (users, len(users) - 1) if users else (stack, index)
        return users, users.index(shown[0])


def _is_recorder(frame: FrameType) -> bool:
    return _module(frame).partition(".")[0] == "dyncli" or is_stand_in(frame.f_code)


def _works_for_the_recorder(frame: FrameType) -> bool:
    """Return whether a library's frame is called by the recorder, and not by the script on the way."""
    caller: FrameType | None = frame
    while caller is not None and not _has_probes(caller) and not is_stand_in(caller.f_code):
        if _is_recorder(caller):
            return caller is not frame and not _runs_the_script(caller)
        caller = caller.f_back
    return False


def _has_probes(frame: FrameType) -> bool:
    return any(name.startswith("@") for name in frame.f_code.co_names)


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _runs_the_script(frame: FrameType) -> bool:
    """Return whether a frame is the recorder's and is not called by the script."""
    return _module(frame) in _RUNNERS or frame.f_code in _RUN_SCRIPTS
