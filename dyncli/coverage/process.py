"""A process that runs a model, seen from outside: started, spoken to, watched, killed, started again.

It has a session of its own.  When its parent is gone it finishes the input it is at, writes that down, and ends.
"""

from __future__ import annotations

import dataclasses
import json
import mmap
import os
import signal
import struct
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from dyncli import errors
from dyncli.analysis.coverage import Settings
from dyncli.coverage.chunks import Chunk

_BOOT = """\
import json, sys
sys.path[:] = json.loads(sys.argv.pop())
from dyncli.coverage.child import main
main()
"""
GRACE_SECONDS = 2.0  # past twice the limit of an input, after which a process that hangs outside Python is killed


class Died(Exception):
    """The process ended by itself, or was killed because it hung: at which input, and in what words."""

    def __init__(self, position: int, is_late: bool, words: str) -> None:
        super().__init__(words)
        self.position = position
        self.is_late = is_late
        self.words = words


class Process:
    """One child.  `handshake` must be called once, before `run`.

    display: the name the script is shown by, if not as it is named.  folder: where it runs, here by default.
    """

    def __init__(
        self,
        model: str,
        entry: str | None,
        settings: Settings,
        display: str | None = None,
        folder: str | None = None,
    ) -> None:
        self.settings = settings
        self.model = model
        self.folder = folder
        self.message = {"model": model, "entry": entry, "display": display, "settings": dataclasses.asdict(settings)}
        self.is_late = self.is_closed = self.is_ending = False
        self.chunk: Chunk | None = None
        self._seen = (-1, 0.0)
        self._start()

    def _start(self) -> None:
        handle, self._heartbeat_path = tempfile.mkstemp(prefix="dyncli-cover-")
        os.write(handle, struct.pack("2q", -1, self.is_ending))
        self._heartbeat = memoryview(mmap.mmap(handle, 16)).cast("q")
        os.close(handle)
        self.is_late = False
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-c", _BOOT, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"OPENBLAS_NUM_THREADS": "1", **os.environ},
            cwd=self.folder,
            start_new_session=True,  # a signal to the group ends the parent alone: the input that is run is finished
        )
        self._send({**self.message, "beat": self._heartbeat_path, "parent": os.getpid()})

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._child.pid

    def handshake(self) -> dict[str, Any]:
        """Return what the child says once the script is loaded.  Raises the DyncliErrors of loading, Died."""
        try:
            return self._answer()
        finally:
            self._forget_file()

    def run(self, chunk: Chunk, part: Path | None = None, journal: str = "") -> dict[str, Any]:
        """Run a chunk in the child; return its tally as JSON values, of its beginning only after `end`.  Raises Died.

        part: where each input that is done is written down.
        """
        self._seen = (-1, monotonic())
        self._heartbeat[0] = -1
        self.chunk = chunk
        try:
            self._send({"chunk": chunk.out(), "part": None if part is None else [str(part.absolute()), journal]})
            return self._answer()
        finally:
            self.chunk = None

    def end(self) -> None:
        """Tell the child to finish its input and begin no other."""
        self.is_ending = True
        self._heartbeat[1] = 1

    def look(self) -> None:
        """Kill the child if it is at one input for much longer than the limit; call this now and then."""
        if self.chunk is None or not self.settings.timeout:
            return
        position, since = int(self._heartbeat[0]), self._seen[1]
        if position != self._seen[0]:
            self._seen = (position, monotonic())
        elif position >= 0 and monotonic() - since > 2 * self.settings.timeout + GRACE_SECONDS:
            self.is_late = True
            self.kill()

    def again(self) -> None:
        """Start a new child for one that died.  Raises what `handshake` does, and Died once closed."""
        if self.is_closed:
            raise Died(-1, False, "it was closed")
        self._child.wait()
        self._close_pipes()
        self._start()
        self.handshake()

    def kill(self) -> None:
        """Kill the child."""
        with suppress(OSError):
            self._child.kill()

    def close(self) -> None:
        """Kill the child, wait for it, and remove its file."""
        self.is_closed = True
        self.kill()
        self._child.wait()
        self._close_pipes()
        self._forget_file()

    def _forget_file(self) -> None:
        """Unlink the shared file; both processes keep it mapped, so a kill leaves nothing behind."""
        with suppress(OSError):
            os.unlink(self._heartbeat_path)

    def _close_pipes(self) -> None:
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()

    def _send(self, message: Any) -> None:
        assert self._child.stdin is not None
        with suppress(BrokenPipeError):  # it died: the answer that does not come says so
            self._child.stdin.write(json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n")
            self._child.stdin.flush()

    def _answer(self) -> dict[str, Any]:
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if not line.endswith(b"\n"):
            raise Died(int(self._heartbeat[0]), self.is_late, _how(self._child.wait()))
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise errors.ModelRefused(*answer["error"])
        return answer


def _how(code: int) -> str:
    """Return how a process ended."""
    if code >= 0:
        return f"the process ended with exit code {code}"
    with suppress(ValueError):
        return f"the process was killed by {signal.Signals(-code).name}"
    return f"the process was killed by signal {-code}"
