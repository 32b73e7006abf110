"""Derivatives of third and higher order, and of ops one of whose inputs is made of another."""

from __future__ import annotations

from typing import Any


def _orders(torch: Any, function: Any, count: int = 4) -> list[Any]:
    """For each order the derivative's values, and whether it can be differentiated again."""
    x = torch.tensor([1.5, 0.7], dtype=torch.float64, requires_grad=True)
    found = []
    value = function(x).sum()
    while len(found) < count and value.requires_grad:
        (g,) = torch.autograd.grad(value, x, create_graph=True, allow_unused=True)
        if g is None:
            return [*found, None]
        found.append((g.detach().round(decimals=6), g.requires_grad))
        value = g.sum()
    return found


def powers(torch: Any) -> Any:
    """The slope of the slope of x^2 is 2 and has a slope, zeros."""
    functions = (
        lambda x: x**2,
        lambda x: x**3,
        lambda x: x**4,
        torch.square,
        lambda x: x**1,
        lambda x: x.float_power(2),
    )
    return [_orders(torch, each) for each in functions]


def signs(torch: Any) -> Any:
    """The sign of a real number has no slope that could be followed further."""
    return [_orders(torch, each) for each in (torch.abs, torch.sgn, torch.angle, torch.sign)]


def of_complex(torch: Any) -> Any:
    """Powers, lengths and angles of complex numbers."""
    z = torch.tensor([1 + 2j, 0.5 - 1j], dtype=torch.complex128, requires_grad=True)
    found = []
    for function in (lambda z: z**2, lambda z: z.square(), torch.sgn, torch.angle, torch.abs):
        (g,) = torch.autograd.grad(function(z).sum().abs(), z, create_graph=True)
        (h,) = torch.autograd.grad(g.abs().sum(), z)
        found.append((torch.view_as_real(g.detach()).round(decimals=6), torch.view_as_real(h).round(decimals=6) + 0.0))
    return found


def an_input_made_of_another(torch: Any) -> Any:
    """What is differentiated by running the formula again counts a way through the other input once."""
    functional = torch.nn.functional
    x = torch.tensor([1.5, 0.7], dtype=torch.float64, requires_grad=True)
    calls = (
        lambda: functional.cosine_similarity(x, x * x, dim=0),
        lambda: functional.bilinear(x[None], (x * x)[None], torch.ones(1, 2, 2, dtype=torch.float64) * x.sum()),
        lambda: functional.rms_norm(x[None], (2,), x * x),
    )
    return [
        torch.autograd.grad(call().sum(), x, create_graph=graph)[0].detach().round(decimals=6)
        for call in calls
        for graph in (False, True)
    ]


def hessian_of_a_square(torch: Any) -> Any:
    """With create_graph it can be differentiated again; forward mode gives lists, cut off from no history."""
    jacobian, hessian = torch.autograd.functional.jacobian, torch.autograd.functional.hessian
    x, y = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0])
    found = [hessian(lambda x: (x**2).sum(), x, create_graph=True).requires_grad]
    forward = {"strategy": "forward-mode", "vectorize": True}
    for inputs in (x, y, (x, y), (y, y)):
        for function in (lambda *a: a[0] * a[-1], lambda *a: (a[0] * a[-1], a[0].sum())):
            made = jacobian(function, inputs, **forward)
            found.append((_values(made), _kinds(made)))
    made = hessian(lambda x, y: (x**3 * y**3).sum(), (x, y), outer_jacobian_strategy="forward-mode", vectorize=True)
    return [*found, _kinds(made)]


def _kinds(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [_kinds(each) for each in value]
    return value.requires_grad


def _values(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_values(each) for each in value]
    return value.detach()


def views_written_in_place(torch: Any) -> Any:
    """The slope of the slope goes through the write once, whether base or view is used and whatever is dropped."""
    found = []
    for name in ("relu_", "exp_", "tanh_", "sigmoid_", "sqrt_", "sin_", "rsqrt_"):
        for through_base in (False, True):
            x = torch.tensor([1.2, 0.7], dtype=torch.float64, requires_grad=True)
            base = x * x * 3
            view = base.view(2, 1)
            getattr(view, name)()
            value = (base if through_base else view).pow(3).sum()
            del base, view
            (g,) = torch.autograd.grad(value, x, create_graph=True)
            (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
            (k,) = torch.autograd.grad(h.sum(), x)
            found.append([each.detach().round(decimals=6) for each in (g, h, k)])
    return found
