"""A Dask cluster instead of processes here: chunks are tasks, tallies are merged where they were made.

The tasks of `remote` run in processes of their own beside each worker, exactly as on one machine.
Tallies are merged eight by eight, and their results again, so that one comes back where there were many.
A worker that dies takes nothing along: the scheduler gives its tasks to the others, and what they had begun, the inputs
of a second or two, begins again there; it counts once, because one result of a task is merged.
What is merged comes here every two seconds and goes to the journal; if this process or the scheduler dies, a run
goes on from there.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic
from typing import Any

from dyncli import errors
from dyncli.analysis.coverage import Settings, Tally
from dyncli.analysis.coverage.coding import tally_in
from dyncli.coverage import remote
from dyncli.coverage.checkpoint import Parts
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.process import Died, Process
from dyncli.script import script
from dyncli.version import __version__

CONNECT_SECONDS = 5.0
WAIT_SECONDS = 0.2  # for a tally, before the caller may look around
WORKERS_SECONDS = 10.0
CHUNK_SECONDS = 1.0
SMALLEST, LARGEST = 16, 16384
GROUP = 8  # tallies merged by one task
FLUSH_SECONDS = 2.0  # what a kill of this process loses at most, with a journal
RETRIES = 3
LOOK_SECONDS = 5.0  # without a result, after which the workers are counted


class Cluster:
    """The workers of one scheduler.  Raises ClusterMissing, ClusterUnreachable, and the DyncliErrors of loading."""

    def __init__(self, address: str, model: str, entry: str | None, settings: Settings) -> None:
        try:
            import distributed
        except ImportError:
            raise errors.ClusterMissing from None
        self.distributed = distributed
        self.address = address
        greeting = _greeting(model, entry, settings)
        self.subject: Any = greeting["subject"]
        self.parameters: list[str] = greeting["parameters"]
        self.parts: Parts | None = None
        self.client = self._connected()
        try:
            self.threads = self._threads()
            self._check_versions()
        except BaseException:
            self.close()
            raise
        target = script.find(model)
        texts = {file: text for file, _, text in self.subject["sources"]}
        self.spec = json.dumps(
            {
                "model": str(target.path),
                "entry": self.subject["entry"],
                "display": target.display,
                "folder": os.getcwd(),
                "sources": texts,
                "settings": dataclasses.asdict(settings),
            }
        )

    def results(self, take: Callable[[int], Chunk | None]) -> Iterator[Tally | None]:
        """Run all chunks that `take` returns, and yield merged tallies; None after WAIT_SECONDS without one."""
        try:
            yield from _Run(self, take).results()
        except (OSError, RuntimeError, ValueError) as error:  # what the client says when it has lost the scheduler
            raise errors.ClusterFailed(str(error).splitlines()[0] if str(error) else type(error).__name__) from None

    def end(self) -> None:
        """Nothing: the tasks that run are waited for."""

    def close(self) -> None:
        """End the child processes beside the workers, and disconnect."""
        client = getattr(self, "client", None)
        if client is not None:
            with suppress(Exception):
                client.run(remote.forget, self.spec)
            with suppress(Exception):
                client.close(timeout=5)

    def _connected(self) -> Any:
        import logging

        for name in ["distributed", *logging.root.manager.loggerDict]:  # each has a level of its own
            if name.partition(".")[0] == "distributed":
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            connect: Any = self.distributed.Client
            return connect(self.address, timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise errors.ClusterUnreachable(self.address, why) from None

    def _threads(self) -> int:
        """Return how many tasks can run at a time.  Raises ClusterUnreachable if no worker comes."""
        try:
            self.client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except (TimeoutError, OSError):
            raise errors.ClusterUnreachable(self.address, f"no worker came within {WORKERS_SECONDS:g} s") from None
        return sum(self.client.nthreads().values())

    def _check_versions(self) -> None:
        """Raise ClusterFailed unless scheduler and workers, who all unpickle the tasks, have this dyncli."""
        try:
            self.client.run_on_scheduler(remote.version)
        except Exception as error:
            raise errors.ClusterFailed(f"its scheduler cannot load dyncli: {_cause(error)}") from None
        try:
            found = set(self.client.run(remote.version).values())
        except Exception as error:
            raise errors.ClusterFailed(f"its workers cannot run dyncli: {error}") from None
        if found != {__version__}:
            raise errors.ClusterFailed(f"its workers have dyncli {', '.join(sorted(found))}, here is {__version__}")


class _Run:
    """The tasks of one run.  levels: tallies that wait to be merged; `merging`: task -> the level of its result."""

    def __init__(self, cluster: Cluster, take: Callable[[int], Chunk | None]) -> None:
        self.cluster, self.client, self.take = cluster, cluster.client, take
        self.running: dict[Any, int] = {}
        self.merging: dict[Any, int] = {}
        self.levels: list[list[Any]] = [[], []]
        self.is_over = False
        self.size = SMALLEST
        self.started = self.flushed = self.seen = monotonic()
        self.done = 0

    def results(self) -> Iterator[Tally | None]:
        """Yield each tally that needs no further merging as soon as it is ready."""
        while True:
            self._submit()
            if not self.running and not self.merging:
                if not any(self.levels):
                    return
                self._merge(len(self.levels), [each for level in self.levels for each in level])
            for future in self._finished():
                if future in self.running:
                    self.done += self.running.pop(future)
                    self.levels[0].append(future)
                    self._adapt()
                else:
                    level = self.merging.pop(future)
                    if level < len(self.levels):
                        self.levels[level].append(future)
                    else:
                        yield self._gathered(future)
            self._group()
            yield None

    def _submit(self) -> None:
        while not self.is_over and len(self.running) < 2 * self.cluster.threads:
            chunk = self.take(self.size)
            if chunk is None:
                self.is_over = True
                return
            text = json.dumps(chunk.out())
            future = self.client.submit(remote.run, self.cluster.spec, text, pure=False, retries=RETRIES)
            self.running[future] = len(chunk)

    def _merge(self, level: int, futures: list[Any]) -> None:
        for each in self.levels:
            each[:] = [future for future in each if future not in futures]
        merged = self.client.submit(remote.merge, futures, pure=False, retries=RETRIES)
        self.merging[merged] = level

    def _group(self) -> None:
        for level, waiting in enumerate(self.levels):
            while len(waiting) >= GROUP:
                self._merge(level + 1, waiting[:GROUP])
        waiting = [each for level in self.levels for each in level]
        if waiting and monotonic() - self.flushed > FLUSH_SECONDS:
            self.flushed = monotonic()
            self._merge(len(self.levels), waiting)

    def _finished(self) -> list[Any]:
        futures = [*self.running, *self.merging]
        try:
            found = self.cluster.distributed.wait(futures, timeout=WAIT_SECONDS, return_when="FIRST_COMPLETED").done
        except (TimeoutError, self.cluster.distributed.TimeoutError):
            if self.client.status not in ("running", "connecting"):
                raise errors.ClusterFailed("the scheduler is gone") from None
            self._look()
            return []
        except self.cluster.distributed.CancelledError:
            raise errors.ClusterFailed("the scheduler is gone") from None
        for future in found:
            if future.status in ("error", "cancelled", "lost"):
                error = future.exception() if future.status == "error" else None
                raise errors.ClusterFailed(str(error).splitlines()[0] if error else f"a task was {future.status}")
        return list(found)

    def _look(self) -> None:
        """Raise ClusterFailed if no worker has been there for WORKERS_SECONDS."""
        if monotonic() - self.seen < LOOK_SECONDS:
            return
        self.seen = monotonic()
        try:
            self.client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except (TimeoutError, self.cluster.distributed.TimeoutError, OSError):
            raise errors.ClusterFailed("no worker is left") from None

    def _gathered(self, future: Any) -> Tally:
        try:
            answer = json.loads(future.result(timeout=60))
        except Exception as error:
            raise errors.ClusterFailed(str(error).splitlines()[0] if str(error) else type(error).__name__) from None
        if "error" in answer:
            raise errors.ModelRefused(*answer["error"])
        return tally_in(answer)

    def _adapt(self) -> None:
        """Adjust the chunk size to about CHUNK_SECONDS of work."""
        rate = self.done / max(monotonic() - self.started, 1e-3) / max(self.cluster.threads, 1)
        self.size = max(SMALLEST, min(LARGEST, self.size * 2, int(rate * CHUNK_SECONDS) or 1))


def _cause(error: BaseException) -> str:
    """Return what an error began with, in one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _greeting(model: str, entry: str | None, settings: Settings) -> dict[str, Any]:
    """Return what the script is, loaded once here."""
    process = Process(model, entry, settings)
    try:
        return process.handshake()
    except Died as died:
        raise errors.ModelLost(model, died.words) from None
    finally:
        process.close()
