"""The process that runs a model: chunks come in on one pipe, tallies go out on another, one line of JSON each.

It has no terminal and no standard output: what a script prints goes nowhere, and Ctrl-C is its parent's affair.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import signal
import sys
from contextlib import redirect_stderr, suppress
from typing import IO, Any


def main() -> None:
    """Serve one parent until the pipe ends."""
    gc.set_threshold(100_000, 20, 50)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    incoming, outgoing = _pipes()
    with suppress(BrokenPipeError):
        _serve(incoming, outgoing)
    os._exit(0)  # what a script registered for its end is not waited for


def _pipes() -> tuple[IO[str], IO[str]]:
    """Move both pipes to other descriptors, and give the script /dev/null to read and print to."""
    incoming = os.fdopen(os.dup(0), "r", encoding="ascii", newline="\n")
    outgoing = os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return incoming, outgoing


def _serve(incoming: IO[str], outgoing: IO[str]) -> None:
    from dyncli import errors
    from dyncli.analysis.coverage.coding import subject_out, tally_out
    from dyncli.coverage.runner import Runner
    from dyncli.recorder.engine import process

    process.keep_memory()

    runner = None
    for line in incoming:
        message = json.loads(line)
        try:
            if runner is None:
                runner = Runner(_spec(message))
                if message["beat"]:
                    # Windows starts the Python of a venv through a launcher, whose child this is then.
                    runner.parent = os.getppid() if os.name == "nt" else message["parent"]
                    runner.progress = _heartbeat(message["beat"], runner.parent)  # type: ignore[method-assign]
                answer: Any = {
                    "subject": subject_out(runner.subject),
                    "parameters": [each.name for each in runner.feed.signature.parameters],
                }
            else:
                answer = tally_out(_run(runner, message))
        except errors.DyncliError as error:
            answer = {"error": [error.message, error.hint, list(error.detail), error.exit_code]}
        outgoing.write(json.dumps(answer, separators=(",", ":")) + "\n")
        outgoing.flush()
    sys.stderr.flush()


def _run(runner: Any, message: dict[str, Any]) -> Any:
    """Run a chunk and return its tally."""
    from dyncli.coverage.checkpoint import Part
    from dyncli.coverage.chunks import Chunk
    from dyncli.coverage.runner import NullStream

    chunk = Chunk(*message["chunk"])
    part = None if message["part"] is None else Part(chunk, *message["part"])
    try:
        with redirect_stderr(NullStream()):
            return runner.run(chunk, part)
    finally:
        if part is not None:
            part.close()


def _spec(message: dict[str, Any]) -> Any:
    from dyncli.analysis.coverage import Settings
    from dyncli.coverage.runner import Spec

    settings = message["settings"]
    return Spec(
        message["model"],
        message["entry"],
        message["display"],
        Settings(**{**settings, "given": tuple(settings["given"]), "arguments": tuple(settings["arguments"])}),
    )


def _heartbeat(path: str, parent: int) -> Any:
    """Return the callback that records which input runs and decides whether to go on.

    The parent can read the record even if this process dies.

    An input is begun only while somebody waits for it: if the parent is gone, the next run takes it.
    """
    with open(path, "r+b") as file:
        view = memoryview(mmap.mmap(file.fileno(), 16)).cast("q")
    getppid = os.getppid

    def beat(position: int) -> bool:
        view[0] = position
        return not view[1] and getppid() == parent

    return beat
