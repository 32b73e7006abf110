"""Sparse gradients of embeddings, and writing into sparse tensors in place, as PyTorch prints them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dyncore

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore:Sparse")


def table(torch: Any, kind: str = "Embedding", **options: Any) -> Any:
    """Return a table of six rows whose values are known."""
    made = getattr(torch.nn, kind)(6, 2, sparse=True, **options)
    with torch.no_grad():
        made.weight.copy_(torch.arange(12.0).reshape(6, 2))
    return made


def one_use(torch: Any) -> Any:
    made = table(torch, padding_idx=0)
    made(torch.tensor([[1, 0, 4], [4, 2, 2]])).pow(2).sum().backward()
    return made.weight.grad, made.weight.grad.coalesce()


def two_uses_in_one_backward(torch: Any) -> Any:
    made = table(torch)
    (made(torch.tensor([1, 0, 4])).pow(3).sum() + made(torch.tensor([4, 2, 2])).pow(2).sum()).backward()
    return made.weight.grad


def two_backwards(torch: Any) -> Any:
    made = table(torch)
    for numbers in ([1, 4, 4, 2], [1, 3, 4]):
        made(torch.tensor(numbers)).pow(2).sum().backward()
    return made.weight.grad


def dense_and_sparse(torch: Any) -> Any:
    made = table(torch)
    (made(torch.tensor([1, 1])).sum() + made.weight.sum()).backward()
    made(torch.tensor([2])).sum().backward()
    return made.weight.grad


def dense_after_sparse(torch: Any) -> Any:
    made = table(torch)
    made(torch.tensor([1, 1])).sum().backward()
    made.weight.sum().backward()
    return made.weight.grad


def asked_for(torch: Any) -> Any:
    made = table(torch)
    return torch.autograd.grad(made(torch.tensor([3, 1])).pow(2).sum(), made.weight)


def bags(torch: Any) -> Any:
    found = []
    for mode in ("sum", "mean"):
        made = table(torch, "EmbeddingBag", mode=mode)
        made(torch.tensor([1, 2, 2, 4]), torch.tensor([0, 3])).pow(2).sum().backward()
        found.append(made.weight.grad)
    return found


def set_to_zero(torch: Any) -> Any:
    made = table(torch)
    made(torch.tensor([1, 1])).sum().backward()
    made.zero_grad(set_to_none=False)
    return made.weight.grad


def written_in_place(torch: Any) -> Any:
    s = torch.eye(3).to_sparse()
    s.mul_(4).add_(s, alpha=2).sub_(torch.eye(3).to_sparse()).div_(2).neg_()
    unsorted = torch.sparse_coo_tensor([[0, 0, 1]], [1.0, 2.0, 3.0], (3,))
    shared = s.data
    shared.mul_(3)
    return s, s.to_dense(), unsorted + unsorted, (s + s).is_coalesced(), s.clone().zero_(), s.clone().copy_(s + s)


CASES = [
    one_use, two_uses_in_one_backward, two_backwards, dense_and_sparse, dense_after_sparse, asked_for, bags,
    set_to_zero, written_in_place,
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_sparse_gradient_prints_as_in_pytorch(case: Callable[[Any], Any]) -> None:
    assert str(case(torch)) == str(case(dyncore))


@pytest.mark.parametrize("name", ["SGD", "Adagrad", "SparseAdam", "Adam", "AdamW", "RMSprop", "Adamax"])
def test_optimizer_steps_by_sparse_gradient_or_refuses_it_as_in_pytorch(name: str) -> None:
    seen = []
    for engine in (torch, dyncore):
        made = table(engine)
        optimizer = getattr(engine.optim, name)(made.parameters(), lr=0.1)
        said: Any = []
        for numbers in ([1, 1, 4], [0, 4]):
            optimizer.zero_grad()
            (made(engine.tensor(numbers)) - 2).relu().pow(2).sum().backward()
            try:
                optimizer.step()
            except RuntimeError as error:
                said.append(str(error))
        seen.append((said, str(made.weight)))
    assert seen[0] == seen[1]


@pytest.mark.parametrize(("name", "options"), [("SGD", {"weight_decay": 0.1}), ("Adagrad", {"weight_decay": 0.1})])
def test_weight_decay_with_sparse_gradient_is_refused_as_in_pytorch(name: str, options: dict[str, Any]) -> None:
    said = []
    for engine in (torch, dyncore):
        made = table(engine)
        made(engine.tensor([1])).sum().backward()
        with pytest.raises(RuntimeError) as caught:
            getattr(engine.optim, name)(made.parameters(), lr=0.1, **options).step()
        said.append(str(caught.value))
    assert said[0] == said[1]
