"""The seed of a run: for dyncore's generator, Python's and NumPy's.

A generator that nobody has imported yet is seeded when the script imports it: NumPy's alone takes 8 ms to load.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from dyncli.recorder.engine import random

GENERATORS = ("random", "numpy.random")


def reseed(seed: int) -> None:
    """Seed every generator that is loaded."""
    random.manual_seed(seed)
    for name in GENERATORS:
        if name in sys.modules:
            sys.modules[name].seed(_own(name, seed))


def _own(name: str, seed: int) -> int:
    """Return one generator's seed; NumPy's takes 32 bits."""
    return seed % 2**32 if name == "numpy.random" else seed


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed every generator, and each one imported while the context lasts."""
    reseed(seed)
    finder = _Finder(seed)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder:
    def __init__(self, seed: int) -> None:
        self.seed = seed

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a generator's module, with a loader that seeds it; None for every other module."""
        if name not in GENERATORS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = _Loader(spec.loader, self.seed)  # type: ignore[assignment]
        return spec


class _Loader:
    """A module's own loader, which also seeds what it has loaded."""

    def __init__(self, loader: Any, seed: int) -> None:
        self.loader, self.seed = loader, seed

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module and seed it, then restore its own loader."""
        self.loader.exec_module(module)
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        module.seed(_own(module.__name__, self.seed))


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
