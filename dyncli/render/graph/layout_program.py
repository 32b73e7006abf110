"""Runs a layout program over DOT text, within limits: the system's `dot`, otherwise `graphviz-pure`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

from dyncli import errors

SECONDS = 20.0
MEMORY_BYTES = 4 << 30


def layout(source: str, format: str, seconds: float = SECONDS, dpi: int | None = None) -> bytes:
    """Return DOT text drawn in `format` (`svg`, `png`, `pdf`).

    Raises LayoutMissing, LayoutFailed or LayoutTooSlow.
    """
    program = find_program(format)
    if program is None:
        raise errors.LayoutMissing(format)
    command = [program, "-Kdot", f"-T{format}", *([f"-Gdpi={dpi}"] if dpi else [])]
    try:
        done = _run(command, source.encode(), seconds)
    except subprocess.TimeoutExpired:
        raise errors.LayoutTooSlow(seconds) from None
    except OSError as error:
        raise errors.LayoutFailed(program, str(error)) from None
    if done.returncode != 0 or not done.stdout:
        why = done.stderr.decode(errors="replace").strip()[:200]
        raise errors.LayoutFailed(program, why or f"exit code {done.returncode}")
    drawn: bytes = done.stdout
    return drawn


def _run(command: list[str], source: bytes, seconds: float) -> subprocess.CompletedProcess[bytes]:
    """Return what the program gave, within limits of time and memory."""
    # A limit set from outside spares the fork that one set from inside needs: 2 ms.
    inside = _limit_memory if sys.platform not in ("linux", "win32") else None
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, preexec_fn=inside) as process:
        if sys.platform == "linux":
            _limit_memory(process.pid)
        try:
            out, err = process.communicate(source, seconds)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def find_program(format: str) -> str | None:
    """Return the program that can draw `format`, or None; `graphviz-pure` writes no pdf."""
    return _found("dot", os.get_exec_path()) or (None if format == "pdf" else _pure())


def _pure() -> str | None:
    """Return the `graphviz-pure` that was installed with this Python, whether or not its folder is on the PATH."""
    found = _found("graphviz-pure", [str(Path(sys.executable).parent)])
    if found is None:
        import sysconfig

        found = _found("graphviz-pure", [sysconfig.get_path("scripts"), *os.get_exec_path()])
    return found


def _found(name: str, folders: Iterable[str]) -> str | None:
    """Return the program of that name in the first of the folders that has it; `shutil` takes 2 ms to load."""
    paths = (os.path.join(folder, f"{name}.exe" if os.name == "nt" else name) for folder in folders)
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), None)


def _limit_memory(process: int = 0) -> None:
    """Limit the memory of another process, which may have ended, or of this one."""
    import resource

    limit = MEMORY_BYTES, MEMORY_BYTES
    if sys.platform == "linux" and process:
        with suppress(OSError):
            resource.prlimit(process, resource.RLIMIT_AS, limit)
    elif sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_AS, limit)
