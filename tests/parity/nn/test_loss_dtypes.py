"""Losses of two tensors of different dtypes: the result's dtype, the gradients and the errors are PyTorch's."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import dyncore

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

DTYPES = ("float32", "float64", "int64", "bool")
LOSSES = [
    "mse_loss(x, t)", "mse_loss(x, t, reduction='none')", "l1_loss(x, t)", "l1_loss(x, t, reduction='sum')",
    "smooth_l1_loss(x, t)", "smooth_l1_loss(x, t, reduction='none')", "huber_loss(x, t)",
    "huber_loss(x, t, reduction='none', delta=0.3)", "huber_loss(x, t, reduction='sum')",
    "huber_loss(x, t[:, None])", "binary_cross_entropy_with_logits(x, t)", "binary_cross_entropy(x, t)",
    "soft_margin_loss(x, t + 0)",
    "poisson_nll_loss(x, t)", "kl_div(x, t)",
]  # fmt: skip


def outcome(engine: Any, loss: str, dtypes: tuple[str, str], requires: tuple[bool, bool]) -> tuple[str, list[Any]]:
    """Return dtypes, or the error of the call or of backward, and all numbers."""
    values = [0.2, 0.5, 0.9] if dtypes[0].startswith("f") else [0, 1, 1]
    x = engine.tensor(values, dtype=engine.float64).to(getattr(engine, dtypes[0])).requires_grad_(requires[0])
    t = engine.tensor([1.0, 0.0, 1.0]).to(getattr(engine, dtypes[1])).requires_grad_(requires[1])
    try:
        y = eval(loss, {**vars(engine.nn.functional), "x": x, "t": t})
        y.sum().backward()
    except RuntimeError as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}", []
    tensors = [y, *(each.grad for each in (x, t) if each.grad is not None)]
    return str([each.dtype for each in tensors]), [each.detach().flatten().tolist() for each in tensors]


@pytest.mark.parametrize("dtypes", list(itertools.permutations(DTYPES, 2)))
@pytest.mark.parametrize("loss", LOSSES)
def test_loss_of_two_dtypes_is_that_of_pytorch(loss: str, dtypes: tuple[str, str]) -> None:
    for requires in itertools.product((False, True), repeat=2):
        if any(needed and dtype[0] != "f" for needed, dtype in zip(requires, dtypes, strict=True)) or not any(requires):
            continue
        kind, numbers = outcome(torch, loss, dtypes, requires)
        own_kind, own_numbers = outcome(dyncore, loss, dtypes, requires)
        assert kind == own_kind
        for one, other in zip(numbers, own_numbers, strict=True):
            assert one == pytest.approx(other, rel=1e-5, nan_ok=True)


def test_huber_loss_of_two_dtypes_has_no_gradient() -> None:
    x = dyncore.ones(3, requires_grad=True)
    y = dyncore.nn.functional.huber_loss(x, dyncore.zeros(3, dtype=dyncore.float64))
    assert dyncore.float32 == y.dtype
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Float"):
        y.backward()


def test_mse_loss_takes_integers_beside_floats_however_often_it_is_called() -> None:
    for _ in range(40):
        y = dyncore.nn.functional.mse_loss(dyncore.tensor([1, 2]), dyncore.tensor([1.0, 4.0]))
        assert 2.0 == y.item()
