"""`torch.multiprocessing` in one process.

A function that is started runs at once, in this process, to its end: `spawn` with `nprocs=1`, `Process.start`, `Pool`.
Random numbers it draws leave this process's generator as it was; what it writes into tensors stays, as it does in
shared memory.  What needs two processes at the same time raises: several processes of one `spawn`, a pipe, a barrier, a
manager, an empty queue that is waited for.  Locks, events and values are Python's.
"""

from __future__ import annotations

import multiprocessing
import queue
import sys
from collections.abc import Callable, Iterable
from typing import Any

from dyncore.binding.imports import files
from dyncore.creation.random import fork_rng
from dyncore.errors.explain import missing_name

__path__: list[str] = []

__all__ = [
    "Pool", "Process", "ProcessExitedException", "ProcessRaisedException", "Queue", "SimpleQueue", "SpawnContext",
    "get_all_sharing_strategies", "get_context", "get_sharing_strategy", "get_start_method", "set_sharing_strategy",
    "set_start_method", "spawn", "start_processes",
]  # fmt: skip

_PYTHONS = frozenset((
    "Array", "AuthenticationError", "BoundedSemaphore", "BufferTooShort", "Condition", "Event", "Lock", "ProcessError",
    "RLock", "RawArray", "RawValue", "Semaphore", "TimeoutError", "Value", "active_children", "cpu_count",
    "current_process", "freeze_support", "get_all_start_methods", "get_logger", "log_to_stderr", "parent_process",
))  # fmt: skip
_TOGETHER = frozenset(("Barrier", "Manager", "Pipe"))
_HINT = "hint: dyncore runs everything in one process; call the function here, or use Python's `multiprocessing`"
_chosen = {"sharing": "file_descriptor", "start": "fork"}


def _together(what: str) -> NotImplementedError:
    """Return the error for what needs two processes at the same time."""
    error = NotImplementedError(f"torch.multiprocessing: {what} needs another process that runs at the same time")
    error.add_note(_HINT)
    return error


class ProcessRaisedException(Exception):
    """PyTorch's error of a process that raised; never raised here, where errors come through as they are."""


class ProcessExitedException(Exception):
    """PyTorch's error of a process that ended; never raised here."""


class Process:
    """A process that runs in this one when it is started."""

    def __init__(
        self, group: None = None, target: Callable[..., Any] | None = None, name: str | None = None,
        args: Iterable[Any] = (), kwargs: dict[str, Any] | None = None, *, daemon: bool | None = None,
    ) -> None:  # fmt: skip
        self._target, self._args, self._kwargs = target, tuple(args), dict(kwargs or {})
        self.name, self.daemon = name or "Process-1", bool(daemon)
        self.exitcode: int | None = None
        self.pid = None

    def run(self) -> None:
        """Call the target."""
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self) -> None:
        """Run to the end.  An error goes on to the caller, `sys.exit` sets the exit code."""
        self.exitcode = 1
        try:
            with fork_rng():
                self.run()
            self.exitcode = 0
        except SystemExit as ended:
            self.exitcode = ended.code if isinstance(ended.code, int) else int(ended.code is not None)

    def join(self, timeout: float | None = None) -> None:
        """Do nothing: it has ended."""

    terminate = kill = close = join

    def is_alive(self) -> bool:
        """Return False: it has ended, or was not started."""
        return False


class SpawnContext:
    """The processes of one `start_processes`, which have ended."""

    def __init__(self, processes: list[Process]) -> None:
        self.processes = processes

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Return True: all have ended."""
        return True


ProcessContext = SpawnContext


def start_processes(
    fn: Callable[..., Any], args: Iterable[Any] = (), nprocs: int = 1, join: bool = True, daemon: bool = False,
    start_method: str = "spawn", **options: Any,
) -> SpawnContext | None:  # fmt: skip
    """Call `fn(0, *args)` in this process.  Raises NotImplementedError for more than one process."""
    if nprocs != 1:
        raise _together(f"spawn with nprocs={nprocs}")
    process = Process(target=fn, args=(0, *args), daemon=daemon)
    process.start()
    if process.exitcode:
        raise ProcessExitedException(f"process 0 terminated with exit code {process.exitcode}")
    return None if join else SpawnContext([process])


spawn = start_processes


class Pool:
    """Workers whose calls are made in this process, in order."""

    def __init__(
        self, processes: int | None = None, initializer: Callable[..., Any] | None = None, initargs: Any = (),
        maxtasksperchild: int | None = None, context: Any = None,
    ) -> None:  # fmt: skip
        if initializer is not None:
            initializer(*initargs)

    def apply(self, func: Callable[..., Any], args: Any = (), kwds: Any = None) -> Any:
        """Return `func(*args, **kwds)`."""
        return func(*args, **(kwds or {}))

    def map(self, func: Callable[..., Any], iterable: Iterable[Any], chunksize: int | None = None) -> list[Any]:
        """Return the list of `func` of each."""
        return [func(each) for each in iterable]

    def starmap(self, func: Callable[..., Any], iterable: Iterable[Any], chunksize: int | None = None) -> list[Any]:
        """Return the list of `func` of each, unpacked."""
        return [func(*each) for each in iterable]

    def imap(self, func: Callable[..., Any], iterable: Iterable[Any], chunksize: int = 1) -> Any:
        """Return an iterator of `func` of each."""
        return map(func, iterable)

    imap_unordered = imap

    def apply_async(self, func: Callable[..., Any], args: Any = (), kwds: Any = None, callback: Any = None) -> Any:
        """Return a result that is there: it has `get`, `wait`, `ready` and `successful`."""
        return _Result(self.apply(func, args, kwds), callback)

    def map_async(self, func: Callable[..., Any], iterable: Iterable[Any], *, callback: Any = None) -> Any:
        """Return a result that is there, of the list."""
        return _Result(self.map(func, iterable), callback)

    def close(self) -> None:
        """Do nothing."""

    terminate = join = close

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exc: object) -> None:
        return None


class _Result:
    def __init__(self, value: Any, callback: Any) -> None:
        self._value = value
        if callback is not None:
            callback(value)

    def get(self, timeout: float | None = None) -> Any:
        return self._value

    def wait(self, timeout: float | None = None) -> None:
        pass

    def ready(self) -> bool:
        return True

    successful = ready


class Queue(queue.Queue[Any]):
    """A queue of this process.  Waiting for what nobody can put there raises NotImplementedError."""

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """Return the first item.  Raises queue.Empty at once where a real one would wait for a time."""
        if block and timeout is None and self.empty():
            raise _together("get() of an empty queue")
        return super().get(block=False)

    def close(self) -> None:
        """Do nothing."""

    join_thread = cancel_join_thread = join = close


SimpleQueue = JoinableQueue = Queue


def set_sharing_strategy(new_strategy: str) -> None:
    """Remember it."""
    if new_strategy not in get_all_sharing_strategies():
        raise AssertionError(f"invalid strategy: {new_strategy}")
    _chosen["sharing"] = new_strategy


def get_sharing_strategy() -> str:
    """Return what was set."""
    return _chosen["sharing"]


def get_all_sharing_strategies() -> set[str]:
    """Return PyTorch's names of them."""
    return {"file_descriptor", "file_system"}


def set_start_method(method: str | None, force: bool = False) -> None:
    """Remember it."""
    _chosen["start"] = method or "fork"


def get_start_method(allow_none: bool = False) -> str:
    """Return what was set."""
    return _chosen["start"]


def get_context(method: str | None = None) -> Any:
    """Return this module."""
    return sys.modules[__name__]


def __getattr__(name: str) -> Any:
    if name in _PYTHONS:
        return getattr(multiprocessing, name)
    if name in _TOGETHER:

        def refused(*given: Any, **options: Any) -> Any:
            raise _together(name)

        return refused
    raise missing_name("torch.multiprocessing", name, sys.modules[__name__])


files(__name__, ("pool", "queue", "reductions", "spawn"))
