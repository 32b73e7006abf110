"""Datasets, samplers and loaders give PyTorch's batches in PyTorch's order for a seed."""

from __future__ import annotations

import importlib.util
import sys
from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from dyncore.utils import data
from dyncore.utils.data import DataLoader, Dataset, IterableDataset, Subset, TensorDataset, default_collate

import dyncore

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
Point = namedtuple("Point", "x y")


def library(t: Any) -> Any:
    """`torch.utils.data` of one of the two."""
    if t is dyncore:
        return data
    import torch.utils.data

    return torch.utils.data


RUNS = [
    "list(d.DataLoader(range(7), batch_size=3))",
    "list(d.DataLoader(range(7), batch_size=3, drop_last=True))",
    "list(d.DataLoader(range(7), shuffle=True))",
    "list(d.DataLoader(range(23), batch_size=4, shuffle=True)) + list(d.DataLoader(range(9), shuffle=True))",
    "list(d.DataLoader(range(23), batch_size=4, shuffle=True, generator=t.Generator().manual_seed(4)))",
    "list(d.DataLoader(list('abcde'), batch_size=2))",
    "list(d.DataLoader([1.5, 2.5, 3.5], batch_size=2))",
    "list(d.DataLoader([{'a': 1, 'b': [2.0, 3]}] * 3, batch_size=2))",
    "list(d.DataLoader([(1, (2.0, t.ones(2)))] * 3, batch_size=2))",
    "list(d.DataLoader(range(4), batch_size=None))",
    "list(d.DataLoader(range(4), sampler=[3, 1, 0]))",
    "list(d.DataLoader(range(4), batch_sampler=[[3, 1], [0]]))",
    "list(d.DataLoader(d.TensorDataset(t.arange(6.).reshape(3, 2), t.arange(3)), batch_size=2))",
    "list(d.RandomSampler(range(9)))",
    "list(d.RandomSampler(range(9), replacement=True, num_samples=70))",
    "list(d.RandomSampler(range(4), num_samples=10))",
    "list(d.SubsetRandomSampler([5, 6, 7, 8]))",
    "list(d.WeightedRandomSampler([0.1, 0.9, 0.4], 12))",
    "list(d.WeightedRandomSampler([0.1, 0.9, 0.4], 3, replacement=False))",
    "list(d.BatchSampler(d.SequentialSampler(range(5)), 2, False))",
    "[s.indices for s in d.random_split(range(10), [3, 7])]",
    "[s.indices for s in d.random_split(range(10), [0.5, 0.3, 0.2])]",
    "[s.indices for s in d.random_split(range(11), [0.34, 0.33, 0.33], generator=t.Generator().manual_seed(1))]",
    "len(d.DataLoader(range(7), batch_size=3)), len(d.DataLoader(range(7), batch_size=3, drop_last=True))",
    "d.default_collate([t.ones(2), t.zeros(2)])",
    "d.default_collate([np.ones(2), np.zeros(2)])",
    "d.default_collate([np.float32(1), np.float32(2)])",
    "d.default_collate([True, False])",
    "d.default_convert((np.ones(2), 'a', 3))",
]


@needs_torch
@pytest.mark.parametrize("expression", RUNS)
def test_batches_are_those_of_pytorch(expression: str) -> None:
    """The same batches, printed alike, and the generator left in the same place."""
    import torch

    texts = []
    for t in (torch, dyncore):
        t.manual_seed(3)
        texts.append(repr(eval(expression, {"t": t, "d": library(t), "np": np})) + repr(t.rand(1)))
    assert texts[0] == texts[1]


class Drawn(Dataset[int]):
    """NumPy's random numbers."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, place: int) -> int:
        return int(np.random.randint(1000))


def test_workers_draw_numbers_of_numpy_by_the_seed_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """As PyTorch's do, also where no one imported `numpy.random` before; the program's own stay as they were."""
    before = np.random.get_state()[1].tolist()
    monkeypatch.delitem(sys.modules, "numpy.random")
    dyncore.manual_seed(0)
    batches = [batch.item() for batch in DataLoader(Drawn(), num_workers=2)]
    assert ([522, 234, 297, 407], before) == (batches, np.random.get_state()[1].tolist())


ERRORS = [
    "d.DataLoader(range(3), shuffle=True, sampler=[1])",
    "d.DataLoader(range(3), batch_sampler=[[1]], batch_size=2)",
    "d.DataLoader(range(3), batch_size=None, drop_last=True)",
    "d.DataLoader(range(3), batch_size=0)",
    "d.DataLoader([], shuffle=True)",
    "d.DataLoader(range(3), num_workers=-1)",
    "d.DataLoader(range(3), prefetch_factor=2)",
    "d.DataLoader(range(3), persistent_workers=True)",
    "d.DataLoader(range(3), multiprocessing_context='spawn')",
    "setattr(d.DataLoader(range(3)), 'batch_size', 2)",
    "d.random_split(range(3), [1, 1])",
    "d.TensorDataset(t.ones(2), t.ones(3))",
    "d.default_collate([object()])",
    "d.default_collate([[1, 2], [1]])",
    "d.ConcatDataset([])",
    "d.WeightedRandomSampler([1.0], 0)",
    "d.Dataset()[0]",
]


@pytest.mark.parametrize("expression", ERRORS)
def test_errors_are_those_of_pytorch(expression: str) -> None:
    """The same kind and sentence."""
    with pytest.raises(Exception) as found:
        eval(expression, {"t": dyncore, "d": data})
    assert "dyncore" not in str(found.value)
    if importlib.util.find_spec("torch") is not None:
        import torch

        with pytest.raises(found.type) as expected:
            eval(expression, {"t": torch, "d": library(torch)})
        assert str(expected.value) == str(found.value)


class Countdown(IterableDataset[int]):
    """3, 2, 1."""

    def __iter__(self) -> Any:
        yield from (3, 2, 1)


class Squares(Dataset[tuple[int, int]]):
    """Pairs of a number and its square."""

    def __len__(self) -> int:
        return 5

    def __getitem__(self, index: int) -> tuple[int, int]:
        return index, index * index


def test_iterable_dataset_is_batched_in_order() -> None:
    assert [[3, 2], [1]] == [each.tolist() for each in DataLoader(Countdown(), batch_size=2)]
    assert [3, 2, 1, 3, 2, 1] == list(Countdown() + Countdown())
    with pytest.raises(ValueError, match="expected unspecified shuffle option"):
        DataLoader(Countdown(), shuffle=True)


def test_written_dataset_gives_a_list_of_tensors() -> None:
    """A batch of tuples is a list with one tensor for each entry."""
    first, second = next(iter(DataLoader(Squares(), batch_size=4)))
    assert [0, 1, 2, 3] == first.tolist()
    assert [0, 1, 4, 9] == second.tolist()


def test_datasets_join_and_part() -> None:
    """`+` appends; negative indices count from the end; a subset keeps its order."""
    both = Squares() + Squares()
    assert 10 == len(both)
    assert (1, 1) == both[6]
    assert (4, 16) == both[-1]
    assert [(3, 9), (1, 1)] == list(map(Subset(Squares(), [3, 1]).__getitem__, range(2)))


def test_collate_keeps_named_tuples_and_dicts() -> None:
    made = default_collate([Point(1, 2.0), Point(3, 4.0)])
    assert isinstance(made, Point)
    assert "Point(x=tensor([1, 3]), y=tensor([2., 4.], dtype=torch.float64))" == repr(made)


def test_batches_carry_history() -> None:
    """Stacking samples is an op like any other."""
    weights = dyncore.ones(4, 2, requires_grad=True)
    (batch,) = next(iter(DataLoader(TensorDataset(weights), batch_size=4)))
    batch.sum().backward()
    assert [[1.0, 1.0]] * 4 == weights.grad.tolist()
