"""A DataLoader with workers has PyTorch's order and PyTorch's random numbers, without processes."""

from __future__ import annotations

import importlib
import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")


def listed(values: Any) -> Any:
    """A batch with its tensors as lists."""
    if hasattr(values, "tolist"):
        return values.tolist()
    return [listed(each) for each in values] if isinstance(values, (list, tuple)) else values


def datasets(data: Any, engine: Any) -> tuple[Any, Any]:
    """A dataset that draws from three generators, and an iterable one whose workers share the work but for a few."""

    class Drawing(data.Dataset):
        loaded = 0

        def __len__(self) -> int:
            return 23

        def __getitem__(self, index: int) -> Any:
            worker, self.loaded = data.get_worker_info(), self.loaded + 1
            draws = engine.rand(1).item(), random.random(), np.random.rand()
            return index, *draws, worker.id, worker.num_workers, worker.seed, self.loaded

    class Stream(data.IterableDataset):
        end = 11

        def __iter__(self) -> Any:
            worker = data.get_worker_info()
            for number in range(self.end):
                if number % worker.num_workers == worker.id or number < 3:
                    yield number, engine.rand(1).item()

    return Drawing(), Stream()


def loaded(name: str, options: dict[str, Any], iterable: bool) -> list[Any]:
    engine = importlib.import_module(name)
    data = importlib.import_module(f"{name}.utils.data")
    engine.manual_seed(5)
    random.seed(6)
    np.random.seed(7)

    def own_seed(worker: int) -> None:
        engine.manual_seed(worker * 7)

    def own_end(worker: int) -> None:
        data.get_worker_info().dataset.end = worker + 2

    inits = {"own_seed": own_seed, "own_end": own_end}
    options = {**options, "worker_init_fn": inits.get(options.get("worker_init_fn", ""))}
    loader = data.DataLoader(datasets(data, engine)[iterable], **options)
    found = []
    for _ in range(2):
        found.append([listed(batch) for batch in loader])
        found.append([engine.rand(1).item(), random.random() if name else 0, np.random.rand()])
        random.seed(8)
    return [*found, data.get_worker_info()]


@pytest.mark.parametrize(("options", "iterable"), [
    ({"num_workers": 2, "batch_size": 4}, False),
    ({"num_workers": 3, "batch_size": 4, "shuffle": True}, False),
    ({"num_workers": 2, "batch_size": 4, "worker_init_fn": "own_seed", "drop_last": True}, False),
    ({"num_workers": 2, "batch_size": 4, "shuffle": True, "persistent_workers": True}, False),
    ({"num_workers": 2, "batch_size": None}, False),
    ({"num_workers": 2, "batch_size": 3}, True),
    ({"num_workers": 3, "batch_size": 2, "worker_init_fn": "own_end"}, True),
    ({"num_workers": 2, "batch_size": None, "prefetch_factor": 3}, True),
])  # fmt: skip
def test_workers_load_as_pytorchs_processes(options: dict[str, Any], iterable: bool) -> None:
    theirs, ours = loaded("torch", options, iterable), loaded("dyncore", options, iterable)
    assert theirs == ours


def test_an_error_of_a_worker_comes_through_and_leaves_the_generators_alone() -> None:
    from dyncore.utils import data

    import dyncore

    class Failing(data.Dataset):
        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> Any:
            dyncore.rand(2)
            raise KeyError("no such sample")

    dyncore.manual_seed(1)
    loader = data.DataLoader(Failing(), num_workers=2)
    batches = iter(loader)
    expected = dyncore.get_rng_state()
    with pytest.raises(KeyError, match="no such sample"):
        next(batches)
    assert dyncore.equal(expected, dyncore.get_rng_state()) and data.get_worker_info() is None
