"""`gradcheck` and `gradgradcheck`: what passes, what is caught, with which sentence."""

import pytest

from .test_backward import leaf
from .test_function import made


def test_right_derivatives_pass(torch):
    """Real and complex, first and second order, forward mode."""
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([[1.5, 2.0], [-3.0, 4.0]], dtype=torch.float64, requires_grad=True)
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)

    def f(a, b):
        return (a @ b).sin(), a.sum()

    assert torch.autograd.gradcheck(f, (x, y), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(f, (x, y))
    assert torch.autograd.gradcheck(lambda a: (a * a).sin(), (z,))
    assert torch.autograd.gradcheck(lambda a: a.abs(), (z,))
    assert torch.autograd.gradgradcheck(lambda a: a * a.conj() * a, (z,))


def test_a_wrong_derivative(torch):
    """Both Jacobians are shown; without exceptions the answer is False."""
    f = made(torch, lambda ctx, a: a * 2, lambda ctx, g: g * 3)
    x = leaf(torch, 1, 2)
    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 0 with respect to input 0,\nnumerical:tensor"):
        torch.autograd.gradcheck(f.apply, (x,))
    assert not torch.autograd.gradcheck(f.apply, (x,), raise_exception=False)


def test_a_derivative_that_varies(torch):
    """Two backwards have to agree."""
    state = [0.0]

    def backward(ctx, g):
        state[0] += 1e-7
        return g * (2 + state[0])

    f = made(torch, lambda ctx, a: a * 2, backward)
    with pytest.raises(RuntimeError, match="Backward is not reentrant"):
        torch.autograd.gradcheck(f.apply, (leaf(torch, 1, 2),))


def test_an_affine_derivative(torch):
    """A backward that is not linear in its cotangent."""
    f = made(torch, lambda ctx, a: a * 2, lambda ctx, g: g * 2 + (g == 0).all())
    with pytest.raises(RuntimeError, match="backward not multiplied by grad_output"):
        torch.autograd.gradcheck(f.apply, (leaf(torch, 1),))


def test_missing_cotangents(torch):
    """A backward has to take None where it asked for it."""
    f = made(torch, lambda ctx, a: ctx.set_materialize_grads(False) or (a * 1, a * 2), lambda ctx, g, h: g + 2 * h)
    with pytest.raises((RuntimeError, TypeError)):
        torch.autograd.gradcheck(f.apply, (leaf(torch, 1),))


def test_inputs_are_checked(torch):
    """One has to require grad; single precision is warned of; stride 0 is refused."""
    with pytest.raises(ValueError, match="gradcheck expects at least one input tensor to require gradient"):
        torch.autograd.gradcheck(torch.exp, (torch.ones(1),))
    with pytest.warns(UserWarning, match="Input #0 requires gradient and is not a double precision"):
        torch.autograd.gradcheck(torch.exp, (torch.ones(1, requires_grad=True),), atol=1, eps=1e-2)
    x = torch.ones(1, dtype=torch.float64).expand(3).requires_grad_()
    with pytest.raises(RuntimeError, match="The 0th input has a dimension with stride 0"):
        torch.autograd.gradcheck(torch.exp, (x,))


def test_a_constant_function(torch):
    """No differentiable output: the differences have to be zero."""
    assert torch.autograd.gradcheck(lambda x: torch.ones(2), (leaf(torch, 1),))
    with pytest.raises(RuntimeError, match="Numerical gradient for function expected to be zero"):
        torch.autograd.gradcheck(lambda x: x.detach() * 2, (leaf(torch, 1),))


def test_outputs_whose_shape_depends_on_values(torch):
    """They cannot be differenced."""
    x = leaf(torch, 1)
    with pytest.raises(AssertionError, match="return outputs with the same shape when inputs are perturbed"):
        torch.autograd.gradcheck(lambda a: a.expand(2 if a.item() > 1 else 3), (x,))


def test_fast_mode(torch):
    """Random vectors on both sides of the Jacobian: two calls for a thousand elements."""
    calls = []

    def f(a, b):
        calls.append(1)
        return (a @ b).sin(), a.sum()

    x = torch.linspace(-1, 1, 200, dtype=torch.float64).reshape(10, 20).requires_grad_()
    y = torch.linspace(2, 1, 60, dtype=torch.float64).reshape(20, 3).requires_grad_()
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
    assert torch.autograd.gradcheck(f, (x, y), fast_mode=True)
    assert len(calls) < 20
    assert torch.autograd.gradcheck(lambda a: (a.sin() * a).sum(1), (x,), fast_mode=True, check_forward_ad=True)
    assert torch.autograd.gradcheck(lambda a: (a * a).sin(), (z,), fast_mode=True)
    assert torch.autograd.gradcheck(lambda a: a.abs(), (z,), fast_mode=True)
    assert torch.autograd.gradgradcheck(lambda a: (a * a).sin(), (x,), fast_mode=True)


def test_fast_mode_finds_faults(torch):
    """One wrong element of a hundred, a wrong complex part; the message has both Jacobians, in PyTorch's words."""

    def spoilt(ctx, g):
        g = g * 2
        g[57] = 0
        return g

    f = made(torch, lambda ctx, a: a * 2, spoilt)
    x = torch.linspace(-1, 1, 100, dtype=torch.float64).requires_grad_()
    assert not torch.autograd.gradcheck(f.apply, (x,), fast_mode=True, raise_exception=False)
    f = made(torch, lambda ctx, a: a * 2, lambda ctx, g: g)
    with pytest.raises(RuntimeError) as caught:
        torch.autograd.gradcheck(f.apply, (leaf(torch, 1, 2),), fast_mode=True)
    lines = str(caught.value).splitlines()
    assert "Jacobian mismatch for output 0 with respect to input 0," == lines[0]
    assert ["numerical:1.84471862", "analytical:0.92235931"] == [line[: line.index(".") + 9] for line in lines[1:3]]
    assert lines[8:13] == [
        "Numerical:",
        " tensor([[2.0000, 0.0000],",
        "        [0.0000, 2.0000]], dtype=torch.float64)",
        "Analytical:",
        "tensor([[1., 0.],",
    ]
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
    f = made(torch, lambda ctx, a: a * 2j, lambda ctx, g: g * 2j)
    assert not torch.autograd.gradcheck(f.apply, (z,), fast_mode=True, raise_exception=False)


def test_fast_mode_repeats_backward(torch):
    """Two backwards have to agree."""
    state = [0.0]

    def backward(ctx, g):
        state[0] += 1e-7
        return g * (2 + state[0])

    f = made(torch, lambda ctx, a: a * 2, backward)
    with pytest.raises(RuntimeError, match="Backward is not reentrant"):
        torch.autograd.gradcheck(f.apply, (leaf(torch, 1, 2),), fast_mode=True)


def test_no_kind_of_check(torch):
    """One has to be asked for."""
    with pytest.raises(
        AssertionError, match="Expected at least one of check_forward_ad or check_backward_ad to be True"
    ):
        torch.autograd.gradcheck(torch.exp, (leaf(torch, 1),), check_backward_ad=False)


@pytest.mark.parametrize("fast", [False, True])
def test_a_wrong_forward_derivative(torch, fast):
    """The user's own `jvp` is held against the differences too."""

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(a):
            return a * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, g):
            return g * 2

        @staticmethod
        def jvp(ctx, t):
            return t * 3

    assert torch.autograd.gradcheck(Double.apply, (leaf(torch, 1, 2),), fast_mode=fast)
    with pytest.raises(RuntimeError, match="Jacobian computed with forward mode mismatch for output 0"):
        torch.autograd.gradcheck(Double.apply, (leaf(torch, 1, 2),), fast_mode=fast, check_forward_ad=True)


@pytest.mark.parametrize("values", [[1 + 2j, 0.5 - 1j, 2 + 0.3j], [1 + 2j, 0, 2 + 0.3j]])
def test_complex_products_along_a_dimension_have_second_derivatives(torch, values):
    """Also of one with a zero in it, whose gradient takes another way."""
    z = torch.tensor(values, dtype=torch.complex128, requires_grad=True)
    for function in (lambda t: torch.cumprod(t, 0), lambda t: torch.cumsum(t * t, 0), lambda t: torch.prod(t)):
        assert torch.autograd.gradcheck(function, (z,))
        assert torch.autograd.gradgradcheck(function, (z,))
