"""Specialised functions of structured ops do nothing that only a reader of the graph needs."""

from __future__ import annotations

from typing import Any

import dyncore as torch
from dyncore.dispatch.registry import TABLE
from dyncore.ops import indexing


def test_node_of_an_index_is_named_when_somebody_asks(monkeypatch: Any) -> None:
    """The name depends on the shape and the index: working it out takes as long as the rest of `x[0]`."""
    asked: list[Any] = []
    title = indexing.title
    monkeypatch.setattr(indexing, "title", lambda *given, **named: asked.append(given) or title(*given, **named))
    x = torch.ones(3, 4, requires_grad=True)
    for _ in range(100):
        x[0]
    asked.clear()
    rows, row = x[1:], x[:, 0]
    assert [] == asked
    assert ["SliceBackward0", "SelectBackward0"] == [each.grad_fn.name() for each in (rows, row)]
    assert asked


def test_node_of_a_batched_product_is_named_when_somebody_asks(monkeypatch: Any) -> None:
    """The name depends on the shapes and on which operand gets a gradient."""
    matrix, batch = torch.ones(2, 3, requires_grad=True), torch.ones(5, 3, 4, requires_grad=True)
    for _ in range(100):
        matrix @ batch
    op = TABLE["matmul"]
    asked: list[Any] = []
    title: Any = op.choose_title
    monkeypatch.setattr(op, "choose_title", lambda *given: asked.append(given) or title(*given))
    both, second = matrix @ batch, matrix.detach() @ batch
    assert [] == asked
    assert ["CloneBackward0", "UnsafeViewBackward0"] == [each.grad_fn.name() for each in (both, second)]
    assert {("input", "other"), ("other",)} == {tuple(sorted(wanted)) for _, _, wanted in asked}


def test_factor_given_as_a_tensor_stays_a_number_after_many_calls() -> None:
    """The compiled function took it for a number of Python: its result held a tensor in place of an array."""
    x, factor = torch.tensor([1.0, 2.0]), torch.nn.Parameter(torch.tensor(2.0))
    with torch.no_grad():
        for _ in range(40):
            total = torch.addcmul(x, x, x, value=factor)
            outer = torch.ones(2, 2).addr_(x, x, alpha=factor.detach())
    assert ([3.0, 10.0], [[3.0, 5.0], [5.0, 9.0]]) == (total.tolist(), outer.tolist())
    assert (6.5, 5.5) == (total.mean().item(), outer.mean().item())
