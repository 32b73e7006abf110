"""`autograd.functional`, `func` and forward mode against each other and against PyTorch."""

import importlib

import pytest

from .test_backward import leaf


def functional(torch):
    return importlib.import_module(torch.__name__ + ".autograd.functional")


def func(torch):
    return importlib.import_module(torch.__name__ + ".func")


def forward(torch):
    return importlib.import_module(torch.__name__ + ".autograd.forward_ad")


def cube(x):
    return x**3


def close(torch, found, expected):
    assert torch.allclose(found, torch.tensor(expected, dtype=found.dtype))


def test_products(torch):
    """v^T J and J v."""
    f = functional(torch)
    x, v = leaf(torch, 1, 2), leaf(torch, 5, 7).detach()
    for product in (f.vjp, f.jvp):
        out, found = product(cube, x, v)
        close(torch, out, [1.0, 8.0])
        close(torch, found, [15.0, 84.0])
        assert not found.requires_grad


def test_jacobian_and_hessian(torch):
    """One block for each output and input."""
    f = functional(torch)
    x, y = leaf(torch, 1, 2), leaf(torch, 3, 4)
    close(torch, f.jacobian(cube, x), [[3.0, 0.0], [0.0, 12.0]])
    blocks = f.jacobian(lambda a, b: (a * b, a.sum()), (x, y))
    assert [[tuple(b.shape) for b in row] for row in blocks] == [[(2, 2), (2, 2)], [(2,), (2,)]]
    close(torch, blocks[0][1], [[1.0, 0.0], [0.0, 2.0]])
    close(torch, f.hessian(lambda a: (a**3).sum(), x), [[6.0, 0.0], [0.0, 12.0]])
    close(torch, f.hessian(lambda a, b: (a * b).sum(), (x, y))[0][1], [[1.0, 0.0], [0.0, 1.0]])


def test_hessian_products(torch):
    """H v and v^T H."""
    f = functional(torch)
    x, v = leaf(torch, 1, 2), leaf(torch, 5, 7).detach()
    for product in (f.hvp, f.vhp):
        out, found = product(lambda a: (a**3).sum(), x, v)
        assert out.item() == 9
        close(torch, found, [30.0, 84.0])


def test_results_can_be_differentiated(torch):
    """With create_graph."""
    f = functional(torch)
    x = leaf(torch, 1, 2)
    f.jacobian(cube, x, create_graph=True).sum().backward()
    close(torch, x.grad, [6.0, 12.0])
    x.grad = None
    f.hessian(lambda a: (a**4).sum(), x, create_graph=True).sum().backward()
    close(torch, x.grad, [24.0, 48.0])
    x.grad = None
    f.hvp(lambda a: (a**3).sum(), x, torch.ones(2, dtype=torch.float64), create_graph=True)[1].sum().backward()
    close(torch, x.grad, [6.0, 6.0])


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (
            lambda f, t, x: f.vjp(lambda a: (a, 3), x),
            TypeError,
            "The outputs of the user-provided function given to vjp must be either",
        ),
        (
            lambda f, t, x: f.vjp(cube, 3),
            TypeError,
            "The inputs given to vjp must be either a Tensor or a tuple of Tensors",
        ),
        (
            lambda f, t, x: f.vjp(cube, x),
            RuntimeError,
            "The vector v can only be None if the user-provided function returns",
        ),
        (lambda f, t, x: f.vjp(cube, x, t.ones(3)), RuntimeError, r"v has invalid size: should be torch.Size\(\[2\]\)"),
        (
            lambda f, t, x: f.jvp(cube, x, (t.ones(2), t.ones(2))),
            RuntimeError,
            "The given v should contain a single Tensor.",
        ),
        (
            lambda f, t, x: f.hessian(cube, x),
            RuntimeError,
            "The Tensor returned by the function given to hessian should contain a",
        ),
        (
            lambda f, t, x: f.vjp(lambda a: a.detach(), x, t.ones(2), strict=True),
            RuntimeError,
            "Output 0 of the user-provided function does not require",
        ),
        (
            lambda f, t, x: f.jacobian(lambda a, b: a * 2, (x, x.clone()), strict=True),
            RuntimeError,
            "is independent of input 1",
        ),
        (
            lambda f, t, x: f.hessian(lambda a: a.sum(), x, strict=True),
            RuntimeError,
            "jacobian of the user-provided function with respect",
        ),
    ],
)
def test_what_is_refused(torch, call, kind, sentence):
    """PyTorch's sentences."""
    with pytest.raises(kind, match=sentence):
        call(functional(torch), torch, leaf(torch, 1, 2))


def test_transforms(torch):
    """grad, value, vjp, jvp, Jacobians, Hessians."""
    f = func(torch)
    x, v = leaf(torch, 1, 2).detach(), leaf(torch, 5, 7).detach()
    close(torch, f.grad(lambda a: (a**3).sum())(x), [3.0, 12.0])
    gradient, value = f.grad_and_value(lambda a: (a**3).sum())(x)
    assert value.item() == 9
    assert not gradient.requires_grad
    _, pullback = f.vjp(cube, x)
    close(torch, pullback(v)[0], [15.0, 84.0])
    close(torch, f.jvp(cube, (x,), (v,))[1], [15.0, 84.0])
    for jacobian in (f.jacrev, f.jacfwd):
        close(torch, jacobian(cube)(x), [[3.0, 0.0], [0.0, 12.0]])
    close(torch, f.hessian(lambda a: (a**3).sum())(x), [[6.0, 0.0], [0.0, 12.0]])


@pytest.mark.parametrize("name", ["jacrev", "jacfwd"])
def test_jacobian_by_a_complex_input_is_refused_by_its_own_name(torch, name):
    with pytest.raises(RuntimeError, match=f"{name}: Expected all inputs to be real"):
        getattr(func(torch), name)(cube)(torch.ones(2, dtype=torch.complex64))


def test_transforms_of_trees(torch):
    """Dicts and tuples of tensors, chosen arguments, other results beside."""
    f = func(torch)
    x = leaf(torch, 1, 2).detach()
    found = f.grad(lambda p, k: (p["w"] * p["b"][0]).sum() * k)({"w": x, "b": (x * 3,)}, 2)
    close(torch, found["w"], [6.0, 12.0])
    close(torch, found["b"][0], [2.0, 4.0])
    a, _ = f.grad(lambda x, y: (x * y).sum(), argnums=(0, 1))(x, x * 2)
    close(torch, a, [2.0, 4.0])
    _, aux = f.grad(lambda a: ((a * a).sum(), a * 2), has_aux=True)(x)
    close(torch, aux, [2.0, 4.0])


def test_transforms_nest(torch):
    """Derivatives of derivatives, also by what only the closure sees."""
    f = func(torch)
    x = torch.tensor(2.0, dtype=torch.float64)
    assert f.grad(f.grad(f.grad(lambda a: a**4)))(x).item() == 48
    assert f.grad(lambda a: f.grad(lambda b: a * b**2)(a))(x).item() == 8
    w = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    f.grad(lambda a: a**2 * w)(x).backward()
    assert w.grad.item() == 4


def test_dual_tensors(torch):
    """Tangents follow operations, views, in-place writes."""
    fw = forward(torch)
    x, t = leaf(torch, 1, 2).detach(), leaf(torch, 1, 10).detach()
    with fw.dual_level():
        d = fw.make_dual(x, t)
        for out, expected in (
            (d.exp() * 3 + d, (3 * x.exp() + 1) * t),
            (torch.stack([d, x]).sum(), torch.tensor(11.0, dtype=torch.float64)),
            (d[1], t[1]),
            (d @ d, 2 * (x @ t)),
            (d.unbind()[1], t[1]),
        ):
            assert torch.allclose(fw.unpack_dual(out).tangent, expected)
        a = d.clone()
        a[0] = 5.0
        a.mul_(d)
        close(torch, fw.unpack_dual(a).tangent, [5.0, 40.0])
        base = torch.zeros(2, dtype=torch.float64)
        base[:1].copy_(d[:1])
        close(torch, fw.unpack_dual(base).tangent, [1.0, 0.0])
        assert fw.unpack_dual(x).tangent is None
        assert fw.unpack_dual(d.detach()).tangent is None
    assert fw.unpack_dual(d).tangent is None


def test_dual_tensors_and_backward(torch):
    """The tangent of a result can be differentiated by primal and tangent."""
    fw = forward(torch)
    x, t = leaf(torch, 1, 2), leaf(torch, 1, 1)
    with fw.dual_level():
        tangent = fw.unpack_dual((fw.make_dual(x, t) ** 3).sum()).tangent
        tangent.backward()
    close(torch, x.grad, [6.0, 12.0])
    close(torch, t.grad, [3.0, 12.0])


def test_custom_functions_in_forward_mode(torch):
    """By their jvp, or a sentence that it is missing."""
    fw = forward(torch)

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            return x * x

        @staticmethod
        def jvp(ctx, t):
            return 2 * ctx.saved_tensors[0] * t

    class Without(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

    x = leaf(torch, 1, 2).detach()
    with fw.dual_level():
        d = fw.make_dual(x, x * 10)
        close(torch, fw.unpack_dual(Square.apply(d)).tangent, [20.0, 80.0])
        with pytest.raises(
            NotImplementedError, match="You must implement the jvp function for custom autograd.Function"
        ):
            Without.apply(d)


def test_levels(torch):
    """One at a time, entered before tensors are made."""
    fw = forward(torch)
    x = torch.ones(2)
    with pytest.raises(RuntimeError, match="Trying to create a dual Tensor for forward AD but no level exists"):
        fw.make_dual(x, x)
    with fw.dual_level():
        with pytest.raises(RuntimeError, match="Nested forward mode AD is not supported at the moment"):
            fw.enter_dual_level()
        with pytest.raises(ValueError, match="Expected primal to be floating point or complex, but got: torch.int64"):
            fw.make_dual(torch.ones(2, dtype=torch.int64), x)


def test_batched_gradient_frees_the_graph_after_its_last_row(torch):
    x = leaf(torch, 1, 2)
    y = x * x
    (rows,) = torch.autograd.grad(y, x, torch.eye(2, dtype=torch.float64), is_grads_batched=True)
    assert [[2, 0], [0, 4]] == rows.tolist()
    with pytest.raises(RuntimeError, match="second time"):
        y.sum().backward()
