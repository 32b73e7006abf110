"""Python's debugger without the frames of the recorder."""

from __future__ import annotations

import bdb
import dis
import pdb
import sys
from functools import cache
from types import CodeType, FrameType, TracebackType
from typing import Any

AGAIN_AFTER_CALLS = sys.version_info[:2] == (3, 12)
Pdb = pdb.Pdb
#: The modules that call a script, its entry, or what it imports.
_RUNNERS = frozenset({"dyncli.trace.recorder", "dyncli.load.execute", "dyncli.load.script", "dyncli.load.importer"})


class ScriptPdb(Pdb):
    """Steps over what the recorder does, and shows no frame of it."""

    hears_the_recorder = True

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.again = Again()

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not _is_recorder(frame):
            if AGAIN_AFTER_CALLS and self.again.is_no_line(frame, event):
                return self.trace_dispatch
            return super().trace_dispatch(frame, event, arg)
        if event == "call":
            self.again.probes(frame.f_back)
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


class Again:
    """Finds lines that Python 3.12 comes to a second time because a function was called in the middle of an expression.

    Where all such functions are probes, nothing would be called without a recorder.
    """

    def __init__(self) -> None:
        self._probed: set[int] = set()  # frames that called a probe since their last event, or else a function
        self._called: set[int] = set()
        self._steps: dict[int, tuple[int, int]] = {}  # of each frame the line of its last event, and where

    def probes(self, frame: FrameType | None) -> None:
        """Notes that a frame calls a probe."""
        self._probed.add(id(frame))

    def is_no_line(self, frame: FrameType, event: str) -> bool:
        """Whether an event in a frame of the script is such a line."""
        number = id(frame)
        if event == "call":
            self._forget(number)  # of another frame before, perhaps
            caller = frame.f_back
            while caller is not None and _is_recorder(caller):
                caller = caller.f_back
            self._called.add(id(caller))
        if event != "line":
            if event == "return" or number not in self._steps:
                self._forget(number)
            return False
        (line, lasti), after = self._steps.get(number, (0, 0)), (frame.f_lineno, frame.f_lasti)
        probed = number in self._probed and number not in self._called
        self._forget(number)
        self._steps[number] = after
        return probed and line == after[0] and lasti < after[1] and after[1] not in _loops(frame.f_code)

    def _forget(self, number: int) -> None:
        self._steps.pop(number, None)
        self._probed.discard(number)
        self._called.discard(number)


@cache
def _loops(code: CodeType) -> frozenset[int]:
    """Where the code jumps back to."""
    return frozenset(each.argval for each in dis.get_instructions(code) if "JUMP_BACKWARD" in each.opname)


def _is_recorder(frame: FrameType) -> bool:
    return _module(frame).partition(".")[0] == "dyncli"


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _runs_the_script(frame: FrameType) -> bool:
    """Whether a frame is the recorder's and is not called by the script."""
    return _module(frame) in _RUNNERS
