"""A search in a process of its own, so that an input that ends the process ends nothing else."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator

from dyncli.analysis.coverage.report import ArmRow
from dyncli.analysis.coverage.tally import SearchResult

ENDED = "the process ended while it was searched for"


def in_child(work: Callable[[], Iterator[SearchResult]], missed: tuple[ArmRow, ...]) -> Iterator[SearchResult]:
    """Begin to do `work` in a child and return what it yields; what is missing when the child ends was not found."""
    if not hasattr(os, "fork"):
        return work()
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():  # what other threads there are wait for pipes, or for work of BLAS's
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        child = os.fork()
    if not child:
        _child(work, reading, writing)
    os.close(writing)
    return _results_of(child, reading, {(arm.site.id, arm.index): arm for arm in missed})


def _results_of(child: int, reading: int, arms: dict[tuple[str, int], ArmRow]) -> Iterator[SearchResult]:
    try:
        with os.fdopen(reading, encoding="utf-8") as lines:
            for line in lines:
                site, index, found, how, runs = json.loads(line)
                arm = arms.pop((site, index))
                yield SearchResult(arm.site, index, arm.name, found, how, runs)
    finally:
        _end(child)
    yield from (SearchResult(arm.site, arm.index, arm.name, None, ENDED, 0) for arm in arms.values())


def _child(work: Callable[[], Iterator[SearchResult]], reading: int, writing: int) -> None:
    code = 1
    try:
        os.close(reading)
        with os.fdopen(writing, "w", encoding="utf-8") as lines:
            for each in work():
                lines.write(json.dumps([each.site.id, each.index, each.input, each.how, each.runs]) + "\n")
                lines.flush()
        code = 0
    finally:
        os._exit(code)


def _end(child: int) -> None:
    """Wait for the child; end it if it is still searching."""
    import signal

    finished, _ = os.waitpid(child, os.WNOHANG)
    if not finished:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
