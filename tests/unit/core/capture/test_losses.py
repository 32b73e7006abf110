"""Losses whose backward is replayed: the gradients of an ordinary call, however the backward is started."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore.nn import functional as F
from tests.unit.core.capture.check import bits

LOSSES = [
    "s",
    "s * s * s",
    "s.clone().exp()",
    "(w @ v).sum()",
    "w[0] @ v",
    "F.linear(v, w).tanh().sum()",
    "F.linear(F.linear(v, w).relu(), w, v).sum()",
    "F.linear(w.detach(), w, v).sum()",
    "F.linear(w[:2], w, v).tanh().sum() + F.linear(v, w).sum()",
    "sum(F.linear(row, w, v).tanh().sum() for row in w)",
    "roll(lambda h, x: torch.tanh(w @ h + x), 6).sum()",
    "roll(lambda h, x: torch.tanh(F.linear(h, w, v) + x), 6).sum()",
    "roll(lambda h, x: torch.sigmoid(F.linear(h, w, v)) * h + x, 3).sum() * s",
    "roll(lambda h, x: h * v + x.expand(3), 9).prod()",
    "sum(F.linear(b * k, b * s, b[0] * s).tanh().sum() for k in range(5))",
    "w.max(0).values.sum() + w.min(1).values[0] * 2",
    "w.max() * w.argmax()",
    "torch.split(w, [1, 2])[1].sum()",
    "torch.split(v, 1)[0].sum() + torch.split(v, 1)[2].exp().sum()",
    "w.sort(0)[0][0].sum() + w.unbind(1)[2].prod() + w.topk(2)[0].sum()",
    "torch.cat([v, v * 2, c]).sum() + torch.cat((w, w), 1).tanh().sum()",
    "torch.stack([v, c, v * v]).prod()",
    "torch.where(v > 1, v, v * 2).sum() + torch.where(v > 1, 0, v).sum() + torch.where(v > 1, v, 3.0).sum()",
    "v.cumsum(0).prod() + v.cumprod(0).sum()",
    "torch.linalg.inv(w + 5 * torch.eye(3)).sum() + torch.linalg.det(w)",
    "torch.linalg.svdvals(w + torch.diag(v)).sum() + torch.linalg.qr(w)[0].sum()",
    "F.layer_norm(w, (3,), v, v).tanh().sum() + F.batch_norm(w, None, None, v, v, True).tanh().sum()",
    "F.log_softmax(w, 1)[:, 0].sum() * s + F.cross_entropy(w, torch.tensor([0, 2, 1]))",
    "F.conv1d(w[None], w[None, :, :2]).sum() + F.max_pool1d(w[None], 2).sum()",
    "(w.expand(2, 3, 3) * v).sum() * s + w.t().contiguous().view(9)[4] + w.diagonal().sum()",
    "(v[[0, 0, 2]] * c).sum() + w.index_select(0, torch.tensor([0, 0])).sum() + v[v > 1].sum()",
    "torch.complex(v, v * 2).abs().sum() + torch.view_as_real(torch.complex(v, v) ** 2).sum()",
    "v.double() @ v.double() + w.half().float().sum()",
    "torch.einsum('ij,j->i', w, v).norm() + w.norm() + (w - w).norm()",
    "F.embedding(torch.tensor([1, 1, 2]), w).prod()",
    "F.dropout(v, 0.5).sum() + torch.rand_like(v) @ v",
    "v.clamp(0, 1).sum() + v.clamp(min=s).sum() + torch.logsumexp(w, 1).sum()",
    "(v * 1).mul_(v).add_(c).sum()",
    "filled(v).sum()",
    "w.sum().item() * v.sum() if w.sum() > 0 else v.prod()",
    "(v + c).mean() / (w.var() + s.abs()) + torch.atan2(v, c).sum()",
    "v.sum() if s.item() > 100 else (v * s).sum() if 0 < s.item() else s",
    "big(v).sum() + big(v * 2)[:, 1:].exp().mul(0.5).sum()",
]


def roll(cell: Any, count: int) -> Any:
    """A recurrence of some steps."""
    h = torch.zeros(3)
    for k in range(count):
        h = cell(h, torch.full((3,), 0.25 * k - 0.5))
    return h


def filled(v: Any) -> Any:
    """A tensor that is written through views."""
    made = torch.zeros(2, 3)
    made[0] = v
    made[1, :2] = v[1:] * v[0]
    made.t()[2].mul_(2)
    return made


def big(v: Any) -> Any:
    """Arrays of more than a megabyte, whose elements are computed in blocks, of two shapes and no whole number."""
    first = v.sum() * torch.linspace(0, 1, 300_001)
    second = v[0] * torch.linspace(0, 1, 290_004).view(-1, 4)
    one, two = (first + 1).tanh() * first, (second - 1) * 2 + second
    return two * one.sum()


NAMES: dict[str, Any] = {
    "torch": torch,
    "F": F,
    "roll": roll,
    "filled": filled,
    "big": big,
    "c": torch.tensor([1.0, -2.0, 0.5]),
}
SEED = torch.Generator().manual_seed(3)
NAMES["b"] = torch.randn(40, 40, generator=SEED)
W = torch.randn(3, 3, generator=SEED)


def simply(loss: Any, leaves: list[Any]) -> list[Any]:
    loss.backward()
    return []


def twice(loss: Any, leaves: list[Any]) -> list[Any]:
    loss.backward(retain_graph=True)
    loss.backward(torch.tensor(0.5, dtype=loss.dtype))
    return []


def hooked(loss: Any, leaves: list[Any]) -> list[Any]:
    """Return the gradients that hooks of each leaf and of the loss were called with."""
    seen: list[list[Any]] = [[] for _ in (loss, *leaves)]
    handles = [t.register_hook(lambda g, n=n: seen[n].append(bits(g))) for n, t in enumerate((loss, *leaves))]
    (loss * 2).backward()
    for each in [*handles, *(t.register_post_accumulate_grad_hook(lambda t: None) for t in leaves)]:
        each.remove()
    return seen


def curved(loss: Any, leaves: list[Any]) -> list[Any]:
    first = torch.autograd.grad(loss, leaves, create_graph=True, allow_unused=True)
    found = [each for each in first if each is not None and each.requires_grad]
    if found:
        sum(each.double().sum() for each in found).backward()
    return [bits(each) for each in first]


@pytest.mark.parametrize("text", LOSSES)
def test_gradients_are_those_of_an_ordinary_call(text: str) -> None:
    """With one backward, two, hooks on loss and leaves, a second derivative, and none of them again."""
    leaves = [
        W.clone().requires_grad_(),
        torch.tensor([1.5, 0.25, -2.0], requires_grad=True),
        torch.tensor(1.25, requires_grad=True),
    ]

    exec(f"def ordinary(w, v, s): return {text}", space := dict(NAMES))
    ordinary, compiled = space["ordinary"], torch.compile(space["ordinary"])
    for backward in (simply, twice, hooked, curved, simply):
        results = []
        for function in (ordinary, compiled, compiled, compiled):
            torch.manual_seed(5)
            for each in leaves:
                each.grad = None
            loss = function(*leaves)
            results.append([bits(loss), backward(loss, leaves), [bits(each.grad) for each in leaves]])
        assert [results[0]] * 3 == results[1:], backward.__name__


def test_hook_of_a_leaf_in_every_step_of_a_compiled_cell_runs_once() -> None:
    """The gradient of the weight comes from each call, twice from some, before its hook is called."""

    def cell(h: Any, x: Any) -> Any:
        return torch.tanh(w @ h + x * w.sum())

    w = W.clone().requires_grad_()
    seen: list[Any] = []
    w.register_hook(lambda g: seen.append(bits(g)))
    compiled = torch.compile(cell)
    results = []
    for each in (cell, compiled, compiled, compiled):
        w.grad = None
        roll(each, 4).sum().backward()
        first = torch.autograd.grad(roll(each, 4).sum(), w)
        second = torch.autograd.grad(roll(each, 4).prod(), w, create_graph=True)
        results.append([bits(w.grad), *map(bits, (*first, *second)), *seen])
        seen.clear()
    assert 3 == len(results[0]) - 3
    assert [results[0]] * 3 == results[1:]
