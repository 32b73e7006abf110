"""The context of every evaluation of a check: probes in the script, a listener on the engine, prints to nowhere."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from os import devnull
from types import CodeType
from typing import Any

import numpy as np

from dyncli.gradchecking import path as paths
from dyncli.gradchecking.evaluation_limit import Guard
from dyncli.gradchecking.listener import Watch
from dyncli.gradchecking.subject import Subject
from dyncli.instrument.program import Program
from dyncli.instrument.runtime import probes
from dyncli.recorder.engine import Parameter, Size, Tensor, events, place_of
from dyncli.recorder.naming import segment
from dyncli.recorder.settings import time_limit
from dyncli.records.gradcheck import Place
from dyncli.records.text import parse
from dyncli.script.frames import is_users
from dyncli.script.paths import display


class Session:
    """One script's log and its places.  evaluations: how often the model was called."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.log = subject.log
        self.evaluations = 0
        self.guard = Guard(subject.log)
        self._names = {str(subject.loaded.target.path): subject.display}

    @property
    def program(self) -> Program:
        """The tables of the script and of its neighbours."""
        return self.subject.importer.program

    @contextmanager
    def open(self) -> Iterator[None]:
        """Attach the probes and hide the script's prints and warnings while the context lasts."""
        readers: Any = {Tensor: _tensor, Parameter: _tensor, Size: _size, np.ndarray: _array, np.generic: _number}
        with ExitStack() as stack:
            stack.enter_context(time_limit(self.subject.settings.timeout))
            stack.enter_context(self.guard.watching())
            stack.enter_context(self.subject.in_double())
            nowhere = stack.enter_context(open(devnull, "w", encoding="utf-8", errors="replace"))
            stack.enter_context(redirect_stdout(nowhere))
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore")
            stack.enter_context(self.subject.importer.recording(self.log, readers))
            yield

    def begin(self) -> None:
        """Count an evaluation, and clear the decision log of the one before."""
        self.log.clear()
        self.evaluations += 1

    @contextmanager
    def listening(self, listener: Any, outcomes: dict[int, list[bool]] | None = None) -> Iterator[None]:
        """Record one evaluation with `listener`; with `outcomes` the script's tests are forced to these."""
        self.begin()
        if outcomes is None:
            with events.listen(listener):
                yield
            return
        pinned = paths.Pinned(self.program, self.log, outcomes)
        with probes.recording(self.log, change=pinned.change), events.listen(listener):
            yield

    def watch(self, base: Any = None, **more: Any) -> Watch:
        """Build the listener of one evaluation."""
        return Watch(self.log, base, **more)

    def place(self, code: CodeType, lasti: int, what: str) -> Place | None:
        """Return the line of an instruction; if it is not the user's, the line that defines the entry."""
        if not is_users(code.co_filename):
            return self._entry(what)
        found = place_of(code, lasti)
        text = segment(found.file, found.line, found.col, found.end_line or found.line, found.end_col)
        return Place(display(found.file, self._names), found.line, text, what)

    def _entry(self, what: str) -> Place | None:
        """Find the line of the script that binds the entry's name, as in `forward = torch.relu`; None if none does."""
        file, name = str(self.subject.loaded.target.path), self.subject.loaded.entry.partition(".")[0]
        lines = linecache.getlines(file)
        for node in parse("".join(lines)).body:
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            if name in (getattr(node, "name", None), *(getattr(each, "id", None) for each in targets)):
                return Place(self.shown(file), node.lineno, lines[node.lineno - 1].strip(), what)
        return None

    def shown(self, file: str) -> str:
        """Return a file's name for display."""
        return display(file, self._names)


def _tensor(tensor: Tensor) -> tuple[Any, int | None]:
    array = tensor._array
    return (array.item() if array.size == 1 else {"type": "Tensor"}), None


def _size(size: Size) -> tuple[Any, int | None]:
    return tuple(size), None


def _array(array: Any) -> tuple[Any, int | None]:
    return {"type": "ndarray"}, None


def _number(number: Any) -> tuple[Any, int | None]:
    value = number.item()
    return (value if type(value) in (bool, int, float, str) else {"type": type(number).__name__}), None
