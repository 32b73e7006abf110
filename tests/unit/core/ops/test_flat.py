"""Where a function is flat its gradient is 0, also of an infinite or NaN gradient, as in PyTorch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import dyncore as torch
from dyncore import inf, nan

BAD = [inf, nan, -inf, 1.0]
X = torch.tensor([-1.5, 0.0, 0.5, 2.0])
ONE = torch.tensor([1.0, -1.0, 2.0, 3.0])
FIRST = torch.tensor([True, True, True, True])
FLAT: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "floor": lambda x: x.floor(),
    "ceil": lambda x: x.ceil(),
    "trunc": lambda x: x.trunc(),
    "round": lambda x: x.round(decimals=1),
    "sign": lambda x: x.sign(),
    "sgn": lambda x: x.sgn(),
    "angle": lambda x: x.angle(),
    "floor division": lambda x: torch.div(x, ONE, rounding_mode="floor"),
    "divisor": lambda x: torch.div(ONE, x, rounding_mode="trunc"),
    "power 0": lambda x: x**0,
    "powers 0": lambda x: x ** torch.zeros(4),
    "sign of copysign": lambda x: torch.copysign(ONE, x),
    "nextafter": lambda x: torch.nextafter(ONE, x),
    "fill_": lambda x: x.clone().fill_(3.0),
    "zero_": lambda x: x.clone().zero_(),
    "copy_": lambda x: x.clone().copy_(ONE),
    "overwritten": lambda x: x.index_put((torch.arange(4),), ONE),
    "put": lambda x: x.put(torch.arange(4), ONE),
    "scattered over": lambda x: x.slice_scatter(torch.full((4,), inf)),
    "masked": lambda x: x.masked_scatter(FIRST, ONE),
    "normal": lambda x: torch.normal(x, 1.0),
    "bernoulli": lambda x: torch.bernoulli(x.sigmoid()),
}


@pytest.mark.parametrize("name", FLAT)
def test_a_flat_function_ends_an_infinite_gradient(name: str) -> None:
    """The gradient is 0, whether it is recorded or not."""
    for record in (False, True):
        x = X.clone().requires_grad_()
        (found,) = torch.autograd.grad(FLAT[name](x), x, torch.tensor(BAD), create_graph=record)
        assert found.tolist() == [0.0] * 4


def test_a_scalar_and_a_compiled_function_too() -> None:
    """0-d tensors and recorded plans take the same way."""
    x = torch.tensor(1.5, requires_grad=True)
    x.floor().backward(torch.tensor(inf))
    assert x.grad.item() == 0.0
    function = torch.compile(lambda x: x.round() * x.sign())
    for _ in range(3):
        x = X.clone().requires_grad_()
        function(x).backward(torch.tensor(BAD))
        assert x.grad.tolist() == [0.0] * 4


def test_what_a_mask_left_out_gets_no_gradient() -> None:
    """`masked_select`, and the losses that choose by target, keep infinities where they belong."""
    x = X.clone().requires_grad_()
    x.masked_select(torch.tensor([True, False, True, False])).backward(torch.tensor([inf, nan]))
    assert [str(each) for each in x.grad.tolist()] == ["inf", "0.0", "nan", "0.0"]
    x = torch.tensor([3.0, -3.0], requires_grad=True)
    target = torch.tensor([1.0, -1.0])
    torch.nn.functional.hinge_embedding_loss(x, target, reduction="none").backward(torch.tensor([inf, inf]))
    assert x.grad.tolist() == [inf, -inf]


@pytest.mark.parametrize("name", ["relu6", "hardtanh", "hardshrink", "softshrink"])
def test_nan_has_no_gradient_where_a_mask_decides(name: str) -> None:
    """A bound is not passed by NaN."""
    x = torch.tensor([nan, 0.7], requires_grad=True)
    getattr(torch.nn.functional, name)(x).sum().backward()
    assert x.grad.tolist() == [0.0, 1.0]


def test_borders_are_pytorchs() -> None:
    """NaN has no sign; 0 has no direction in `polar`, and 0 / 0 of them in `hypot`; tiny numbers have a sinc."""
    assert torch.tensor([nan, -2.0, 3.0]).sign().tolist() == [0.0, -1.0, 1.0]
    zero, one = torch.tensor(0.0, requires_grad=True), torch.tensor(1.0, requires_grad=True)
    assert torch.autograd.grad(torch.polar(zero, one).real, zero)[0].item() == 0.0
    assert torch.autograd.grad(torch.hypot(zero, torch.tensor(0.0)), zero)[0].isnan()
    tiny = torch.tensor(1e-30, requires_grad=True)
    assert torch.autograd.grad(tiny.sinc(), tiny)[0].item() == 0.0
    below = torch.tensor(-inf, requires_grad=True)
    assert torch.autograd.grad(torch.remainder(one.detach(), below), below)[0].item() == 1.0
    assert torch.autograd.grad(torch.nextafter(one, one.detach()), one)[0].item() == 0.0


def test_large_arguments_end() -> None:
    """Series and recurrences stop at arguments no series is for."""
    a = torch.tensor([1e6, 1e30, 2e5], dtype=torch.float64)
    x = torch.tensor([1e6 + 500, 1e29, 2e5], dtype=torch.float64)
    expected = torch.tensor([0.6915504757698484, 0.0, 0.5002973540234812], dtype=torch.float64)
    assert torch.allclose(torch.igamma(a, x), expected, atol=1e-9)
    assert torch.allclose(torch.igammac(a, x), 1 - expected, atol=1e-9)
    high = torch.tensor([1e30, 1e6, 3e6, 9.0])
    points = torch.tensor([0.5, 3.0, -1.0, 1.0])
    assert torch.special.chebyshev_polynomial_t(points, high).tolist()[2:] == [1.0, 1.0]
    assert torch.special.legendre_polynomial_p(points[:2], high[:1]).tolist() == [0.0, 0.0]
    assert torch.special.zeta(torch.tensor(1.0), torch.tensor(2.0)).item() == inf
