"""Python's debugger without the frames of the recorder."""

from __future__ import annotations

import bdb
import dis
import pdb
import sys
from collections.abc import Iterator, MutableMapping
from functools import cache
from itertools import islice
from types import CodeType, FrameType, TracebackType
from typing import Any

from dyncli.load.instrument.program import Program
from dyncli.load.probes import ACTIVATION

AGAIN_AFTER_CALLS = sys.version_info[:2] == (3, 12)
Pdb = pdb.Pdb
#: The modules that call a script, its entry, or what it imports.
_RUNNERS = frozenset({"dyncli.trace.recorder", "dyncli.load.execute", "dyncli.load.script", "dyncli.load.importer"})


class ScriptPdb(Pdb):
    """Steps over what the recorder does, and shows no frame and no variable of it.

    program: of the script that runs.
    """

    program: Program | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._steps: dict[FrameType, tuple[int, int]] = {}  # the line of the last event in each frame, and where
        self._probed: FrameType | None = None

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not _is_recorder(frame):
            if event == "line" and self._is_no_line(frame):
                return self.trace_dispatch
            if event == "return":
                self._steps.pop(frame, None)
            return super().trace_dispatch(frame, event, arg)
        if event == "call":
            self._probed = frame.f_back
            return None
        if _runs_the_script(frame):
            bdb.Bdb.set_continue(self)  # the script is over: what there is to step through is no part of it
        elif event == "return" and self.stopframe is None and frame.f_back is not None:
            frame.f_back.f_trace = self.trace_dispatch  # stepping goes on in whoever called the recorder
        return self.trace_dispatch

    def _is_no_line(self, frame: FrameType) -> bool:
        """Whether Python comes to a line only because of a probe: to the call for a whole test, after its parts.

        Python 3.12 also comes to a line again after a call of a function, in the middle of an expression.
        """
        before, probed = self._steps.get(frame, (0, 0)), self._probed is frame
        line, lasti = self._steps[frame] = frame.f_lineno, frame.f_lasti
        self._probed = None
        code = frame.f_code
        if AGAIN_AFTER_CALLS and probed and before[0] == line and before[1] < lasti and lasti not in _loops(code):
            return True
        if dis.opname[code.co_code[lasti]] not in ("CALL", "PRECALL") or self.program is None:
            return False
        first, last, col, end_col = next(islice(code.co_positions(), lasti // 2, None))
        return (code.co_filename, (first, col, last, end_col)) in self._tests(self.program)

    def _tests(self, program: Program) -> set[tuple[str, Any]]:
        """Where the tests that have several parts stand."""
        found = set()
        for construct in program.constructs:
            site = construct.site
            if site is not None and construct.formula not in (None, 0):
                span = (site.line, site.col, site.end_line, site.end_col)
                found.add((program.functions[construct.function].path, span))
        return found

    def get_stack(self, f: FrameType | None, t: TracebackType | None) -> tuple[list[tuple[FrameType, int]], int]:
        stack, index = super().get_stack(f, t)
        shown = stack[index : index + 1]
        runners = (place for place, (frame, _) in enumerate(stack[:index]) if _runs_the_script(frame))
        runner = max(runners, default=-1)
        users = [pair for pair in stack[runner + 1 :] if not _is_recorder(pair[0])]
        if not shown or shown[0] not in users:
            return (users, len(users) - 1) if users else (stack, index)
        return users, users.index(shown[0])

    def setup(self, f: FrameType | None, tb: TracebackType | None) -> Any:
        done = super().setup(f, tb)
        self._show_names()
        return done

    def _select_frame(self, number: int) -> None:
        super()._select_frame(number)
        self._show_names()

    def _show_names(self) -> None:
        """Leaves the recorder's own name out of the local ones."""
        self.curframe_locals: Any = _Shown(self.curframe_locals)


class _Shown(MutableMapping[str, Any]):
    """The local names of a frame without the recorder's own; a name that is deleted from a copy would be lost there."""

    def __init__(self, names: MutableMapping[str, Any]) -> None:
        self.names = names

    def __getitem__(self, name: str) -> Any:
        return self.names[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self.names[name] = value

    def __delitem__(self, name: str) -> None:
        del self.names[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.names if name != ACTIVATION)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return repr(dict(self))


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
