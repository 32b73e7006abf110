"""User frames of a traceback: not of dyncli, the engine or the standard library."""

from __future__ import annotations

import linecache
import os
import sys
from functools import lru_cache
from pathlib import Path
from types import TracebackType

from dyncli.records.model import Frame
from dyncli.script.paths import PACKAGE, display, folder

INSTALLED = ("/site-packages/", "/dist-packages/")  # of this Python or of another on the path
INTERACTIVE = ("<stdin>", "<console>", "<ipython-input-", "<python-input-", "<doctest ")  # what is typed
COMPILED = (".pyx", ".pxd", ".pxi")  # of Cython, whose frames name files that are nowhere
LONGEST = 20  # a recursion that never ends has thousands of frames, and says nothing after a few


def user_frames(traceback: TracebackType | None, names: dict[str, str] | None) -> tuple[Frame, ...]:
    """Return the frames in the user's files, outermost first.

    names: the name that a file is shown by.  Of more than 20 frames the first and the last 10 are kept.
    """
    from traceback import walk_tb

    frames = [
        Frame(
            file=display(frame.f_code.co_filename, names),
            line=line,
            function=frame.f_code.co_qualname,
            text=linecache.getline(frame.f_code.co_filename, line).strip(),
        )
        for frame, line in walk_tb(traceback)
        if is_users(frame.f_code.co_filename)
    ]
    if len(frames) > LONGEST:
        frames = frames[: LONGEST // 2] + frames[-LONGEST // 2 :]
    return tuple(frames)


def trimmed(traceback: TracebackType | None) -> TracebackType | None:
    """Return a traceback with the frames in the user's files alone; the whole one if there are none."""
    from traceback import walk_tb

    kept: TracebackType | None = None
    for frame, line in reversed([*walk_tb(traceback)]):
        if is_users(frame.f_code.co_filename):
            kept = TracebackType(kept, frame, frame.f_lasti, line)
    return kept or traceback


def frame_line(frame: Frame) -> str:
    """Return one frame as one line: `at samples/first.py:12 in forward: `h = x @ w``."""
    where = f"at {frame.file}:{frame.line}"
    if frame.function != "<module>":
        where += f" in {frame.function}"
    return f"{where}: `{frame.text}`" if frame.text else where


@lru_cache(4096)  # asked at every call while lines are traced
def is_users(filename: str) -> bool:
    """Return True for a file of the user's, neither ours nor installed, and for what is typed."""
    if filename.startswith(INTERACTIVE):
        return True
    if filename.startswith("<") or filename.endswith(COMPILED):
        return False
    bundled = any(filename.startswith(str(folder(name))) for name in ("models", "samples"))
    installed = any(place in filename.replace("\\", "/") for place in INSTALLED)
    return bundled or not (installed or filename.startswith(_not_the_users()))


def _not_the_users() -> tuple[str, ...]:
    import sysconfig

    ours = [str(PACKAGE), str(PACKAGE.parent / "core" / "dyncore")]
    engine = sys.modules.get("dyncore")
    if engine is not None and engine.__file__:
        ours.append(str(Path(engine.__file__).parent))
    installed = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return tuple(f"{path}{os.sep}" for path in (*ours, *installed) if path)
