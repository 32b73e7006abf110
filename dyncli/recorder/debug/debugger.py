"""Python's debugger at a line of the script, with the op that just ran at hand as `op`, `inputs` and `out`."""

from __future__ import annotations

import bdb
import io
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from types import FrameType, TracebackType
from typing import Any

from dyncli.recorder.debug.script_pdb import ScriptPdb
from dyncli.recorder.settings import Stopped

WAIT_SECONDS = 0.5  # for the first command on a pipe that says nothing


class Debugger:
    """Stops at frames of the script; where no terminal and no commands are, it is not there."""

    def __init__(self, is_users: Callable[[FrameType], bool], at_hand: Callable[[], Mapping[str, Any]]) -> None:
        self._is_users, self._at_hand = is_users, at_hand
        self._pdb: _Pdb | None = None
        self._piped: io.StringIO | None = None
        self._asked = self._terminal = False

    def is_there(self) -> bool:
        """Return whether somebody types at a terminal, or commands are left of those on standard input."""
        if not self._asked:
            self._asked = True
            self._terminal = sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()
            self._piped = None if self._terminal else io.StringIO(_piped())
        if self._piped is None:
            return self._terminal
        return bool(self._piped.getvalue()[self._piped.tell() :].strip())

    def at(self, frame: FrameType) -> None:
        """Open the prompt at a frame.  Raises Stopped if the user quits."""
        if self._pdb is None:
            streams = {} if self._piped is None else {"stdin": self._piped, "stdout": sys.stdout}
            self._pdb = _Pdb(self._is_users, self._at_hand, **streams)
        self._pdb.look_round(frame)

    def is_at(self, frame: FrameType) -> bool:
        """Return whether stepping has just come to the line where a frame is."""
        return self._pdb is not None and self._pdb.last == (frame, frame.f_lineno)


class _Pdb(ScriptPdb):
    def __init__(
        self, is_users: Callable[[FrameType], bool], at_hand: Callable[[], Mapping[str, Any]], **streams: Any
    ) -> None:
        super().__init__(nosigint=True, readrc=False, **streams)
        self.is_users, self.at_hand = is_users, at_hand
        self.last: tuple[FrameType, int] | None = None
        self.steps = False
        self.prompt = "(dyncli) "

    def look_round(self, frame: FrameType) -> None:
        """Prompt for commands at a frame; then go on, stepping if that was asked for."""
        sys.settrace(None)
        self.reset()
        self.steps, self.last = False, None
        frames = list(_users(frame))
        self.botframe = frames[-1]
        self.interaction(frame, None)
        if self.quitting:
            raise Stopped("interrupted", "stopped in the debugger")
        if self.steps:
            for each in frames:
                each.f_trace = self.trace_dispatch
            sys.settrace(self.trace_dispatch)

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        try:
            return super().trace_dispatch(frame, event, arg)
        except bdb.BdbQuit:
            sys.settrace(None)
            raise Stopped("interrupted", "stopped in the debugger") from None

    def dispatch_call(self, frame: FrameType, arg: Any) -> Any:
        return super().dispatch_call(frame, arg) if self.is_users(frame) else None

    def user_line(self, frame: FrameType) -> None:
        self.last = frame, frame.f_lineno
        super().user_line(frame)

    def setup(self, f: FrameType | None, tb: TracebackType | None) -> Any:
        done = super().setup(f, tb)
        if self.at_hand():
            self.curframe_locals: Any = _AtHand(self.curframe_locals, self.at_hand())
        return done

    def set_step(self) -> None:
        self.steps = True
        super().set_step()

    def set_next(self, frame: FrameType) -> None:
        self.steps = True
        super().set_next(frame)

    def set_return(self, frame: FrameType) -> None:
        self.steps = True
        super().set_return(frame)

    def set_until(self, frame: FrameType, lineno: int | None = None) -> None:
        self.steps = True
        super().set_until(frame, lineno)

    def set_continue(self) -> None:
        self.steps = bool(self.breaks)
        super().set_continue()

    def do_EOF(self, arg: str) -> bool:
        """Continue without the debugger at the end of piped commands."""
        self.set_continue()
        return True


class _AtHand(MutableMapping[str, Any]):
    """The local names of a frame, and below them what is at hand."""

    def __init__(self, names: MutableMapping[str, Any], at_hand: Mapping[str, Any]) -> None:
        self.names, self.at_hand = names, at_hand

    def __getitem__(self, name: str) -> Any:
        return self.names[name] if name in self.names else self.at_hand[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self.names[name] = value

    def __delitem__(self, name: str) -> None:
        del self.names[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self.at_hand, **self.names})

    def __len__(self) -> int:
        return len({**self.at_hand, **self.names})


def _users(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the script's frames from `frame` outwards, up to the first of dyncli behind them."""
    seen = False
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        ours = name.partition(".")[0] in ("dyncli", "dyncore")
        if not ours:
            seen = True
            yield frame
        elif seen and name.startswith("dyncli"):
            return
        frame = frame.f_back


def _piped() -> str:
    """Read all that is piped in; nothing if standard input is closed or silent."""
    stdin = sys.stdin
    try:
        if stdin is None or stdin.closed:
            return ""
        kind = os.fstat(stdin.fileno()).st_mode
        waits = not stat.S_ISREG(kind)
        if waits and not select.select([stdin], [], [], WAIT_SECONDS)[0]:
            return ""
        return stdin.read()
    except (OSError, ValueError):
        return ""
