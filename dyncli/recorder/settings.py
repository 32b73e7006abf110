"""The process while a script runs: its random seeds, its limits of time and recursion, and its stops.

Limits, `--timeout` and Ctrl-C leave the record of what ran before.  A random number generator that nobody has imported
yet is seeded when the script imports it: NumPy's alone takes 8 ms to load.
"""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from time import monotonic, process_time
from types import FrameType, ModuleType
from typing import Any, NoReturn

from dyncli.recorder.engine import random

#: The modules whose functions run as objects go; an exception there is printed and dropped, and ends nothing.
FINALIZERS = frozenset(
    {"weakref", "_weakrefset", "dyncore.graph.versions", "dyncore.tensors.set_data", "dyncore.tensors.lazy_conj"}
)
SOON = 0.01  # seconds until a limit is looked at again
PATIENCE_SECONDS = 1.0  # of processor time, which a limit waits for a finalizer to end: a busy machine may take long
LONGEST_PATIENCE_SECONDS = 30.0  # of time


class Stopped(BaseException):
    """Ends a run at a limit; no `except Exception` of the script holds it up."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def enough_steps(steps: int) -> Stopped:
    """Return what ends a run after as many backwards as were asked for: not at a limit, and well."""
    return Stopped("ok", f"stopped after {steps} {'backward' if steps == 1 else 'backwards'}, as asked")


def held_too_long(pin: str, times: int) -> NoReturn:
    """Raise Stopped for an arm that was forced against its test so often that a loop may never end."""
    stopped = Stopped("limit", f"stopped: `--force {pin}` went against its test {times:,} times in a row")
    line, _, arm = pin.partition("=")
    once = f"{line.strip().removeprefix('line ')} iteration 3 = {arm.strip()}"
    stopped.add_note(f"hint: a loop may never end so; `--force 'line {once}'` takes the arm in one iteration alone")
    raise stopped


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise Stopped in the running script after `seconds`, even in a loop that runs no op."""
    if not seconds:
        yield
        return
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        with _by_thread(seconds):
            yield
        return

    patience = Patience()

    def late(number: int, frame: FrameType | None) -> None:
        if patience.lasts(frame):
            signal.setitimer(signal.ITIMER_REAL, SOON, 0.5)
            return
        raise Stopped("timeout", f"stopped after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Patience:
    """Lets a limit that is over wait for a finalizer, where what is raised would be printed and dropped.

    since: the processor time and the time when the first of the looks came that all fell into finalizers.
    """

    def __init__(self) -> None:
        self.since: tuple[float, float] | None = None

    def lasts(self, frame: FrameType | None) -> bool:
        """Return whether the limit waits; call it with the frame that runs each time that the timer goes off."""
        if not finalizing(frame):
            self.since = None
            return False
        worked, now = process_time(), monotonic()
        began = self.since = self.since or (worked, now)
        return worked - began[0] <= PATIENCE_SECONDS and now - began[1] <= LONGEST_PATIENCE_SECONDS


def finalizing(frame: FrameType | None) -> bool:
    """Return whether a frame runs in a `__del__`, a callback of the collector or of a weak reference."""
    of_collector = [getattr(each, "__code__", None) for each in gc.callbacks]
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__del__" or code in of_collector or frame.f_globals.get("__name__") in FINALIZERS:
            return True
        frame = frame.f_back
    return False


@contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    """Limit the time where there is no alarm signal: another thread raises Stopped in this one."""
    import ctypes

    target = threading.get_ident()
    reason = type(
        "Late", (Stopped,), {"__init__": lambda self: Stopped.__init__(self, "timeout", f"stopped after {seconds:g} s")}
    )
    raise_in: Any = ctypes.pythonapi.PyThreadState_SetAsyncExc
    timer = threading.Timer(seconds, lambda: raise_in(ctypes.c_ulong(target), ctypes.py_object(reason)))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def recursion_limit_restored() -> Iterator[None]:
    """Restore the recursion limit that a script may have changed."""
    limit = sys.getrecursionlimit()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


GENERATORS = ("random", "numpy.random")


def reseed(seed: int) -> None:
    """Seed every generator that is loaded."""
    random.manual_seed(seed)
    for name in GENERATORS:
        if name in sys.modules:
            _seed(sys.modules[name], seed)


def _seed(generator: Any, seed: int) -> None:
    """Seed a module; NumPy's seeds have 32 bits."""
    generator.seed(seed % 2**32 if generator.__name__ == "numpy.random" else seed)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed every generator, and each one imported while the context lasts."""
    random.manual_seed(seed)
    with modules_changed(dict.fromkeys(GENERATORS, lambda generator: _seed(generator, seed))):
        yield


@contextmanager
def modules_changed(changes: Mapping[str, Callable[[ModuleType], object]]) -> Iterator[None]:
    """Change modules by name: now where they are loaded, else as they are imported while the context lasts."""
    for name, change in changes.items():
        if name in sys.modules:
            change(sys.modules[name])
    finder = _Finder(changes)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder:
    def __init__(self, changes: Mapping[str, Callable[[ModuleType], object]]) -> None:
        self.changes = changes

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module that is to be changed, with a loader that does; None for every other module."""
        if name not in self.changes:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = _Loader(spec.loader, self.changes[name])  # type: ignore[assignment]
        return spec


class _Loader:
    """A module's own loader, which also changes what it has loaded."""

    def __init__(self, loader: Any, change: Callable[[ModuleType], object]) -> None:
        self.loader, self.change = loader, change

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module and change it, then restore its own loader."""
        self.loader.exec_module(module)
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.change(module)


State = tuple[Any, Any, Any]


def rng_state() -> State:
    """Return the state of the three random number streams."""
    import random as python_random

    import numpy as np

    return random.get_rng_state(), np.random.get_state(), python_random.getstate()


def restore(state: State | None) -> None:
    """Reset the random number streams of the engine, NumPy and Python."""
    import random as python_random

    import numpy as np

    if state is not None:
        random.set_rng_state(state[0])
        np.random.set_state(state[1])
        python_random.setstate(state[2])


def same_rng_state(one: State, other: State) -> bool:
    """Return whether no random number was drawn between two states."""
    import numpy as np

    legacy = all(np.array_equal(a, b) for a, b in zip(one[1], other[1]))
    return bool(np.array_equal(one[0]._array, other[0]._array)) and legacy and one[2] == other[2]
