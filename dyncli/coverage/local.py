"""Processes on this machine: each takes a chunk, runs it, takes the next; results come as they are ready.

The first one loads the model.  The others start when it has run for a while: few inputs need one process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from dyncli import errors
from dyncli.analysis.coverage import Example, Settings, Tally
from dyncli.analysis.coverage.coding import tally_in, tally_out
from dyncli.analysis.coverage.tally import Group
from dyncli.coverage.checkpoint import Parts
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.process import Died, Process

CHUNK_SECONDS = 0.25
SMALLEST, LARGEST = 4, 4096
WAIT_SECONDS = 0.2  # for a tally, before the caller may look around
LOOK_SECONDS = 0.5
ALONE_SECONDS = 0.25  # which the first process has to itself, about what starting another takes
MOST_DEATHS = 3  # in a row, before any input was begun

_LATE = "nothing could stop it: its process was ended"

Take = Callable[[int], Chunk | None]


class Pool:
    """At most `jobs` processes for one model.  `subject`, `parameters`: what was loaded when it was made.

    Raises the DyncliErrors of loading.
    """

    def __init__(self, model: str, entry: str | None, settings: Settings, jobs: int) -> None:
        self.jobs = jobs
        self.is_over = False
        self.parts: Parts | None = None
        self._loading = model, entry, settings
        self._lock = threading.Lock()
        self._exhausted = threading.Event()
        self.processes = [Process(*self._loading)]
        try:
            greeting = self.processes[0].handshake()
        except Died as died:
            self.close()
            raise errors.ModelLost(model, died.words) from None
        except BaseException:
            self.close()
            raise
        self.subject: Any = greeting["subject"]
        self.parameters: list[str] = greeting["parameters"]

    def results(self, take: Take) -> Iterator[Tally | None]:
        """Run all chunks that `take` returns and yield their tallies; None after WAIT_SECONDS without one.

        Whoever asks for the next one has the one before in the journal: its part is removed.
        """
        queue: SimpleQueue[Any] = SimpleQueue()

        def next_chunk(most: int) -> Chunk | None:
            with self._lock:
                chunk = None if self.is_over else take(most)
                if chunk is None:
                    self._exhausted.set()
                return chunk

        def work(process: Process | None) -> None:
            try:
                process = process or self._another()
                for answer in served(process, next_chunk, self.parts) if process else ():
                    queue.put(answer)
                queue.put(None)
            except BaseException as error:
                queue.put(error)

        workers = [self.processes[0], *[None] * (self.jobs - 1)]
        threads = [threading.Thread(target=work, args=(each,), daemon=True) for each in workers]
        threads.append(threading.Thread(target=self._look, daemon=True))
        for thread in threads:
            thread.start()
        left = len(workers)
        while left:
            try:
                item = queue.get(timeout=WAIT_SECONDS)
            except Empty:
                yield None
                continue
            if isinstance(item, BaseException):
                raise item
            if item is None:
                left -= 1
            else:
                tally, part = item
                yield tally_in(tally)
                if part is not None:
                    part.unlink(missing_ok=True)
        self.is_over = True

    def _another(self) -> Process | None:
        """Start one more process; return None if the first runs out of inputs before."""
        if self._exhausted.wait(ALONE_SECONDS):
            return None
        with self._lock:
            if self.is_over:
                return None
            process = Process(*self._loading)
            self.processes.append(process)
        try:
            process.handshake()
        except Died as died:
            if self._exhausted.is_set():
                return None
            raise errors.ModelLost(process.model, died.words) from None
        return process

    def end(self) -> None:
        """Tell every process to finish its input and begin no other."""
        self._stop()
        for process in self.processes:
            process.end()

    def close(self) -> None:
        """End all processes."""
        self._stop()
        for process in self.processes:
            process.close()

    def _stop(self) -> None:
        with self._lock:
            self.is_over = True
        self._exhausted.set()

    def _look(self) -> None:
        pause = threading.Event()
        while not self.is_over:
            for process in self.processes:
                process.look()
            pause.wait(LOOK_SECONDS)


def served(process: Process, take: Take, parts: Parts | None = None) -> Iterator[tuple[dict[str, Any], Path | None]]:
    """Yield (tally as JSON values, its part) of the chunks that one process runs.  An input that kills it is counted.

    Chunks grow until one takes a quarter of a second.
    """
    size, deaths = SMALLEST, 0
    waiting: list[Chunk] = []
    while True:
        chunk = waiting.pop() if waiting else take(size)
        if chunk is None:
            return
        part = None if parts is None else parts.new()
        started = monotonic()
        try:
            tally = process.run(chunk, part, "" if parts is None else parts.key)
        except Died as died:
            done = Tally() if parts is None or part is None else parts.tally(part)
            ranges = done.ranges.get(chunk.source, ())
            position = died.position
            if not chunk.first <= position < chunk.last or any(first <= position < last for first, last in ranges):
                deaths += 1
                if deaths >= MOST_DEATHS:
                    raise errors.ModelLost(process.model, died.words) from None
            else:
                deaths = 0
                done.absorb(_lost(chunk, position, died))
            yield tally_out(done), part
            waiting += reversed(list(chunk.rest(done.ranges.get(chunk.source, ()))))
            try:
                process.again()
            except Died as again:
                raise errors.ModelLost(process.model, again.words) from None
            continue
        deaths = 0
        yield tally, part
        elapsed = max(monotonic() - started, 1e-6)
        if len(chunk) >= size or elapsed > CHUNK_SECONDS:
            size = max(SMALLEST, min(LARGEST, size * 4, int(len(chunk) * CHUNK_SECONDS / elapsed)))


def _lost(chunk: Chunk, position: int, died: Died) -> Tally:
    """Build the tally of an input that ended its process."""
    example = Example(
        chunk.source, position, chunk.place(position), chunk.shown(position), _LATE if died.is_late else died.words
    )
    word = "timeout" if died.is_late else "lost"
    return Tally(ranges={chunk.source: ((position, position + 1),)}, outcomes={word: Group(1, (example,))})
