"""DataLoader: batches of a dataset, loaded in this process, by workers that take turns if there are any."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

from dyncore.creation.factory import empty
from dyncore.dtypes.dtypes import int64
from dyncore.errors.advice import advise

from .collate import at_once, default_collate, default_convert
from .dataset import IterableDataset, TensorDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler
from .workers import Worker

_END = object()

# What the batches are made by, set once.
_FIXED = frozenset(("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"))


def _check_workers(prefetch_factor: Any, persistent_workers: bool, multiprocessing_context: Any) -> None:
    """Raise ValueError for what only other processes have a use for."""
    if prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
            "multiprocessing, otherwise set prefetch_factor to None."
        )
    if persistent_workers:
        raise ValueError("persistent_workers option needs num_workers > 0")
    if multiprocessing_context is not None:
        raise ValueError(
            "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
            "num_workers=0"
        )


class _BaseDataLoaderIter:
    """Iterator over the batches of a DataLoader; its `len` is their number, also when some are taken."""

    def __init__(self, loader: DataLoader) -> None:
        self._loader, self._batches = loader, loader._start()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._batches)

    def __len__(self) -> int:
        return len(self._loader)


class DataLoader:
    """Iterates over a dataset in batches.

    batch_size: samples in a batch, None for no batches.  shuffle: a new random order each time.
    sampler, batch_sampler: an order of one's own.  drop_last: leave out a last batch that is too short.
    collate_fn: makes a batch of a list of samples.  generator: where the order is drawn from.
    num_workers: how many workers take turns in this process, see `workers.py`.
    worker_init_fn: called by each of them before its first batch, with its number.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if not num_workers:
            _check_workers(prefetch_factor, persistent_workers, multiprocessing_context)
        iterable = isinstance(dataset, IterableDataset)
        if iterable:
            _check_iterable(shuffle, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            _check_batch_sampler(batch_size != 1 or shuffle or sampler is not None or drop_last)
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None and not iterable:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None and not iterable:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        elif batch_size is not None and iterable:
            BatchSampler([], batch_size, drop_last)
        self.dataset = dataset
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.prefetch_factor = prefetch_factor
        self.persistent_workers = persistent_workers
        self._workers: list[Worker] | None = None
        batched = batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if batched else default_convert)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED and "collate_fn" in self.__dict__:
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    def __iter__(self) -> Iterator[Any]:
        return _BaseDataLoaderIter(self)

    def _start(self) -> Iterator[Any]:
        """Return an iterator over the batches of one epoch; draw the seed of its workers."""
        if self.pin_memory:
            advise("pin_memory")
        if self._workers is None or not self.persistent_workers:
            # PyTorch draws a seed for its workers here, also when it has none: the numbers after it depend on it.
            base_seed = empty((), dtype=int64).random_(generator=self.generator)._array.item()
            if not self.num_workers:
                return self._samples(self.dataset) if self._iterable() else self._batches()
            total, init = self.num_workers, self.worker_init_fn
            self._workers = [Worker(self.dataset, number, total, base_seed, init) for number in range(total)]
        return self._shared(self._workers) if self._iterable() else self._in_turns(self._workers)

    def _iterable(self) -> bool:
        return isinstance(self.dataset, IterableDataset)

    def _batches(self) -> Iterator[Any]:
        for indices in self._order():
            yield self._batch(self.dataset, indices)

    def _order(self) -> Any:
        """Return the indices of each batch, or of each sample where there are no batches."""
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def _batch(self, dataset: Any, indices: Any) -> Any:
        if self.batch_sampler is None:
            return self.collate_fn(dataset[indices])
        fetch = getattr(dataset, "__getitems__", None)
        if fetch is None and type(dataset) is TensorDataset and self.collate_fn is default_collate:
            batch = at_once(dataset.tensors, indices)
            if batch is not None:
                return batch
        return self.collate_fn(fetch(indices) if fetch else [dataset[index] for index in indices])

    def _in_turns(self, workers: list[Worker]) -> Iterator[Any]:
        """Iterate over the batches, one worker after the other; indices are drawn as early as PyTorch draws them."""
        ahead: deque[Any] = deque()
        order = iter(self._order())
        ahead.extend(islice(order, (self.prefetch_factor or 2) * len(workers)))
        for number in count():
            if not ahead:
                return
            worker = workers[number % len(workers)]
            with worker.at_work():
                batch = self._batch(worker.dataset, ahead.popleft())
            ahead.extend(islice(order, 1))
            yield batch

    def _shared(self, workers: list[Worker]) -> Iterator[Any]:
        """Iterate over the batches of each worker's own dataset in turns, until none has any."""
        active = deque(workers)
        for worker in workers:
            with worker.at_work():
                worker.samples = self._samples(worker.dataset)
        while active:
            worker = active.popleft()
            with worker.at_work():
                batch = next(worker.samples, _END)  # type: ignore[arg-type]
            if batch is not _END:
                active.append(worker)
                yield batch

    def _samples(self, dataset: Any) -> Iterator[Any]:
        """Iterate over the batches of an iterable dataset."""
        if self.batch_size is None:
            yield from map(self.collate_fn, dataset)
            return
        batch: list[Any] = []
        for item in dataset:
            batch.append(item)
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            count = len(self.dataset)  # type: ignore[arg-type]
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)


def _check_batch_sampler(others: Any) -> None:
    if others:
        raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last")


def _check_iterable(shuffle: bool | None, sampler: Any, batch_sampler: Any) -> None:
    start = "DataLoader with IterableDataset: expected unspecified"
    if shuffle:
        raise ValueError(f"{start} shuffle option, but got shuffle={shuffle}")
    if sampler is not None:
        raise ValueError(f"{start} sampler option, but got sampler={sampler}")
    if batch_sampler is not None:
        raise ValueError(f"{start} batch_sampler option, but got batch_sampler={batch_sampler}")
