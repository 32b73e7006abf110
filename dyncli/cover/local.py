"""Processes on this machine: each takes a chunk, runs it, takes the next; results come as they are ready."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from dyncli import errors
from dyncli.cover.chunks import Chunk
from dyncli.cover.process import Died, Process
from dyncli.query.coverage import Example, Settings, Tally
from dyncli.query.coverage.coding import tally_in, tally_out
from dyncli.query.coverage.tally import Group

CHUNK_SECONDS = 0.25  # what is lost and run again when everything is killed
SMALLEST, LARGEST = 4, 4096
LOOK_SECONDS = 0.5
MOST_DEATHS = 3  # in a row, before any input was begun

_LATE = "nothing could stop it: its process was ended"

Take = Callable[[int], Chunk | None]


class Pool:
    """Some processes for one model.  Loading happens when it is made; `subject`, `parameters`: what was loaded.

    Raises the DyncliErrors of loading.
    """

    def __init__(self, model: str, entry: str | None, settings: Settings, jobs: int) -> None:
        self.processes = [Process(model, entry, settings) for _ in range(jobs)]
        try:
            greetings = [process.greet() for process in self.processes]
        except Died as died:
            self.close()
            raise errors.ModelLost(model, died.words) from None
        except BaseException:
            self.close()
            raise
        self.subject: Any = greetings[0]["subject"]
        self.parameters: list[str] = greetings[0]["parameters"]
        self.is_over = False

    def results(self, take: Take, wait_seconds: float = 0.2) -> Iterator[Tally | None]:
        """The tallies of all that `take` gives; None every `wait_seconds` in which nothing came."""
        queue: SimpleQueue[Any] = SimpleQueue()
        lock = threading.Lock()

        def next_chunk(most: int) -> Chunk | None:
            with lock:
                return None if self.is_over else take(most)

        def work(process: Process) -> None:
            try:
                for tally in served(process, next_chunk):
                    queue.put(tally)
                queue.put(None)
            except BaseException as error:
                queue.put(error)

        threads = [threading.Thread(target=work, args=(each,), daemon=True) for each in self.processes]
        threads.append(threading.Thread(target=self._look, daemon=True))
        for thread in threads:
            thread.start()
        left = len(self.processes)
        while left:
            try:
                item = queue.get(timeout=wait_seconds)
            except Empty:
                yield None
                continue
            if isinstance(item, BaseException):
                raise item
            if item is None:
                left -= 1
            else:
                yield tally_in(item)
        self.is_over = True

    def close(self) -> None:
        """Ends all processes."""
        self.is_over = True
        for process in self.processes:
            process.close()

    def _look(self) -> None:
        pause = threading.Event()
        while not self.is_over:
            for process in self.processes:
                process.look()
            pause.wait(LOOK_SECONDS)


def served(process: Process, take: Take) -> Iterator[dict[str, Any]]:
    """The tallies of the chunks that one process runs, as JSON values; what it dies of is counted, and it lives again.

    Chunks grow until one takes a quarter of a second.
    """
    size, deaths = SMALLEST, 0
    waiting: list[Chunk] = []
    while True:
        chunk = waiting.pop() if waiting else take(size)
        if chunk is None:
            return
        started = monotonic()
        try:
            tally = process.run(chunk)
        except Died as died:
            position = died.position
            if not chunk.first <= position < chunk.last:
                deaths += 1
                if deaths >= MOST_DEATHS:
                    raise errors.ModelLost(process.model, died.words) from None
                waiting.append(chunk)
            else:
                deaths = 0
                yield tally_out(_lost(chunk, position, died))
                waiting += reversed(list(chunk.without(position)))
            try:
                process.again()
            except Died as again:
                raise errors.ModelLost(process.model, again.words) from None
            continue
        deaths = 0
        yield tally
        elapsed = max(monotonic() - started, 1e-6)
        if len(chunk) >= size or elapsed > CHUNK_SECONDS:
            size = max(SMALLEST, min(LARGEST, size * 4, int(len(chunk) * CHUNK_SECONDS / elapsed)))


def _lost(chunk: Chunk, position: int, died: Died) -> Tally:
    """The tally of an input that ended its process."""
    example = Example(
        chunk.source, position, chunk.place(position), chunk.shown(position), _LATE if died.is_late else died.words
    )
    word = "timeout" if died.is_late else "lost"
    return Tally(ranges={chunk.source: ((position, position + 1),)}, outcomes={word: Group(1, (example,))})
