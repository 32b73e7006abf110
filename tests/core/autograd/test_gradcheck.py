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


def test_no_kind_of_check(torch):
    """One has to be asked for."""
    with pytest.raises(
        AssertionError, match="Expected at least one of check_forward_ad or check_backward_ad to be True"
    ):
        torch.autograd.gradcheck(torch.exp, (leaf(torch, 1),), check_backward_ad=False)
