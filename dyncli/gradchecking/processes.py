"""Pieces of work in processes of their own, each with a copy of the model as it stands."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

Work = Callable[[], Any]


def spread(pieces: list[Work], jobs: int, done: Callable[[int], None]) -> list[Any]:
    """Return what each piece of work returns, in order; in this process where there is one job or no `fork`.

    done: told how many are.  What a piece raises is raised here.
    """
    jobs = min(jobs, len(pieces))
    if jobs < 2 or not hasattr(os, "fork"):
        found = []
        for number, piece in enumerate(pieces):
            done(number)
            found.append(piece())
        return found
    import multiprocessing  # 5 ms

    context: Any = multiprocessing.get_context("fork")
    pipes, processes = [], []
    try:
        for job in range(jobs):
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_run, args=(theirs, pieces[job::jobs]), daemon=True)
            process.start()
            theirs.close()
            pipes.append(ours)
            processes.append(process)
        return _gathered(pipes, len(pieces), done)
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _gathered(pipes: list[Any], count: int, done: Callable[[int], None]) -> list[Any]:
    found: list[Any] = []
    for number in range(count):
        done(number)
        try:
            result = pipes[number % len(pipes)].recv()
        except EOFError:
            raise RuntimeError("a process of `--jobs` ended before its work was done") from None
        if isinstance(result, BaseException):
            raise result
        found.append(result)
    return found


def _run(pipe: Any, pieces: list[Work]) -> None:
    """Run a child process: do its pieces in order, and send what each returns or raises."""
    for piece in pieces:
        try:
            result = piece()
        except BaseException as error:
            result = error
        try:
            pipe.send(result)
        except Exception as error:  # an exception of the script's that cannot be sent
            pipe.send(RuntimeError(f"{type(result).__name__}: {result} ({error})"))
