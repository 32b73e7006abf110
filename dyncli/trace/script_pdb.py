"""Python's debugger without the frames of the recorder."""

from __future__ import annotations

import pdb
from types import FrameType, TracebackType
from typing import Any


class ScriptPdb(pdb.Pdb):
    """Steps over what the recorder does, and shows no frame of it."""

    def dispatch_call(self, frame: FrameType, arg: Any) -> Any:
        return None if _is_recorder(frame) else super().dispatch_call(frame, arg)

    def get_stack(self, f: FrameType | None, t: TracebackType | None) -> tuple[list[tuple[FrameType, int]], int]:
        stack, index = super().get_stack(f, t)
        start = 1 + max((place for place, (frame, _) in enumerate(stack) if _is_recorder(frame)), default=-1)
        return (stack[start:], index - start) if start <= index else (stack, index)


def _is_recorder(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "dyncli"
