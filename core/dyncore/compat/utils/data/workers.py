"""The workers of a DataLoader, which take turns in this process.

Each has what a process of its own would have: a shallow copy of the dataset, random generators of its own, seeded as
PyTorch seeds them (`base_seed + id` for the engine's and Python's, a mix of both for NumPy's), and its `WorkerInfo`.
Its `worker_init_fn` runs before its first batch.  Batches come in the order of PyTorch, with PyTorch's random numbers;
the generators of the program stay as they were.  An error comes through as it is.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from dyncore.rng.generator import default_generator


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """Worker that loads, as `get_worker_info` returns it to the dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


_current: list[WorkerInfo] = []


def get_worker_info() -> WorkerInfo | None:
    """Return the worker that loads now, None in the program itself."""
    return _current[-1] if _current else None


class Worker:
    """One of the workers: its dataset and where its random generators stand."""

    def __init__(
        self, dataset: Any, number: int, count: int, base_seed: int, init: Callable[[int], Any] | None
    ) -> None:
        self.info = WorkerInfo(number, count, base_seed + number, copy.copy(dataset))
        self._base_seed, self._init = base_seed, init
        self._states: Any = None
        self.samples: Iterator[Any] | None = None  # of an iterable dataset

    @property
    def dataset(self) -> Any:
        """The worker's copy of the dataset."""
        return self.info.dataset

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Run a block with this worker's generators and information."""
        outside = _states()
        _current.append(self.info)
        try:
            if self._states is None:
                self._seed()
                if self._init is not None:
                    self._init(self.info.id)
            else:
                _restore(self._states)
            yield
        finally:
            self._states = _states()
            _current.pop()
            _restore(outside)

    def _seed(self) -> None:
        seed = self.info.seed
        default_generator.manual_seed(seed)
        random.seed(seed)
        low, high = self._base_seed & 0xFFFFFFFF, self._base_seed >> 32
        np.random.seed(np.random.SeedSequence([self.info.id, low, high, 0]).generate_state(4))


def _states() -> tuple[Any, ...]:
    """Return where the generators of the process stand."""
    return default_generator.get_state(), random.getstate(), np.random.get_state()


def _restore(states: tuple[Any, ...]) -> None:
    engine, python, numpy = states
    default_generator.set_state(engine)
    random.setstate(python)
    np.random.set_state(numpy)
