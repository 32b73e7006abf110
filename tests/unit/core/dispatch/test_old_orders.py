"""Arguments in the order of PyTorch's first years, which old optimizers and lessons are full of."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import dyncore

CALLS = (
    "e.add(x, 2, y)", "x.add(2, y)", "e.sub(x, 2, y)", "x.addcmul(2, x, y)", "e.addcmul(x, 2, x, y)",
    "x.clone().add_(-0.1, y)", "x.clone().sub_(2, y)", "x.clone().addcmul_(2, x, y)", "x.clone().addcdiv_(-0.5, x, y)",
    "e.addmm(1, a, a, a)", "e.addmm(1, a, 2, a, a)", "a.addmm(1, 2, a, a)", "a.addmm(2, a, a)", "e.addmv(2, x, a, x)",
    "x.addmv(2, 3, a, x)", "e.addr(2, a, 3, x, x)", "a.clone().addr_(2, 3, x, x)", "e.addbmm(2, a, a[None], a[None])",
    "e.baddbmm(1, a[None], 2, a[None], a[None])", "e.add(x, 2, y, out=e.empty(2))", "e.add(x.requires_grad_(), 2, y)",
    "x.clone().add_(n, y)", "e.sub(x, n, y)", "x.clone().addcdiv_(n, x, y)", "e.addmm(n, a, n, a, a)",
    "a.addmm(n, 3, a, a)", "e.addmv(n, x, a, x)", "a.clone().addr_(n, x, x)",
    "e.add(2, x, y)", "e.add(x, y, 2)", "e.add(x, 2, 3)", "e.add(x, 2, y, 3)", "e.mul(x, 2, y)",
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_old_orders_are_taken_and_others_refused(call: str) -> None:
    """In the first call and in the fortieth, when the op has an entry of its own."""
    torch = pytest.importorskip("torch")
    assert outcome(torch, call, 1) == outcome(dyncore, call, 40)


def outcome(engine: Any, call: str, times: int) -> set[str]:
    """What the call gives each time."""
    x, y, a = engine.tensor([1.0, 2.0]), engine.tensor([3.0, 5.0]), engine.tensor([[1.0, 2.0], [3.0, 4.0]])
    number, found = engine.tensor(0.5), set()
    for _ in range(times):
        try:
            with warnings.catch_warnings(action="ignore"):
                found.add(str(eval(call, {"e": engine, "x": x.detach(), "y": y, "a": a, "n": number})))
        except TypeError as error:
            found.add(str(error).split("\n")[0])
    return found


def test_adam_as_it_was_once_written() -> None:
    """Its old lines and today's leave the same parameters."""
    torch = dyncore
    torch.manual_seed(0)
    first, g = torch.randn(3), torch.randn(3)
    old, new = (first.clone(), torch.zeros(3), torch.zeros(3)), (first.clone(), torch.zeros(3), torch.zeros(3))
    for _ in range(3):
        p, m, v = old
        m.mul_(0.9).add_(0.1, g)
        v.mul_(0.99).addcmul_(0.01, g, g)
        p.addcdiv_(-0.1, m, v.sqrt().add_(1e-8))
        p, m, v = new
        m.mul_(0.9).add_(g, alpha=0.1)
        v.mul_(0.99).addcmul_(g, g, value=0.01)
        p.addcdiv_(m, v.sqrt().add_(1e-8), value=-0.1)
    assert all(torch.equal(a, b) for a, b in zip(old, new, strict=True))
    assert not torch.equal(old[0], first)


def test_number_in_place_of_a_tensor_is_no_old_order() -> None:
    a = dyncore.eye(2)
    with pytest.raises(TypeError, match=r"^addmm\(\) takes 3 positional arguments but 4 were given"):
        dyncore.addmm(1, 2, a, a)
