"""`gradcheck` of forward mode and of what is missing: tangents, gradients, several directions at once."""

from __future__ import annotations

import pytest

FORWARD_ONLY = {
    "check_forward_ad": True,
    "check_backward_ad": False,
    "check_batched_grad": False,
    "check_undefined_grad": False,
}


def double(torch, *size, dtype=None):
    return torch.rand(*size, dtype=dtype or torch.float64).requires_grad_()


def counted(torch):
    calls = []

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            if torch.autograd.forward_ad._current_level >= 0:
                assert not x.requires_grad
                assert not y.requires_grad
            return x.clone(), y.clone()

        @staticmethod
        def jvp(ctx, x_tangent, y_tangent):
            calls.append(1)
            return x_tangent, y_tangent

    return Same.apply, calls


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("kinds", [("float64", "float64"), ("complex128", "float64"), ("complex128", "complex128")])
def test_a_wrong_tangent_is_found_for_its_input(torch, fast, kinds):
    def wrong(x, y):
        if torch.autograd.forward_ad._current_level >= 0:
            primal, tangent = torch.autograd.forward_ad.unpack_dual(y)
            y = torch.autograd.forward_ad.make_dual(primal, tangent * 1.1)
        return x + y, y

    inputs = tuple(double(torch, 2, dtype=getattr(torch, kind)) for kind in kinds)
    torch.autograd.gradcheck(lambda x, y: (x + y, y), inputs, check_forward_ad=True, fast_mode=fast)
    with pytest.raises(RuntimeError, match="forward mode mismatch for output 0 with respect to input 1"):
        torch.autograd.gradcheck(wrong, inputs, check_forward_ad=True, fast_mode=fast)


def test_how_often_tangents_are_asked_for(torch):
    function, calls = counted(torch)
    x, y = double(torch, 1), double(torch, 1)
    found = []
    for inputs, undefined, batched in (
        ((x, y), False, False),
        ((x, y), True, False),
        ((x, y), True, True),
        ((x, y.detach()), True, True),
    ):
        calls.clear()
        options = {**FORWARD_ONLY, "check_undefined_grad": undefined, "check_batched_forward_grad": batched}
        torch.autograd.gradcheck(function, inputs, **options)
        found.append(len(calls))
    assert found == [2, 6, 12, 5]


def test_tolerance_along_one_direction_grows_with_its_size(torch):
    class Beside(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum()

        @staticmethod
        def jvp(ctx, tangent):
            return tangent.sum() + 0.004

    options = {**FORWARD_ONLY, "atol": 0.001, "rtol": 0.0}
    x = double(torch, 100)
    assert torch.autograd.gradcheck(Beside.apply, (x,), fast_mode=True, **options)
    assert not torch.autograd.gradcheck(Beside.apply, (x,), raise_exception=False, **options)


def test_random_numbers_have_no_place_among_several_tangents(torch):
    class Noisy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def jvp(ctx, tangent):
            torch.randn_like(tangent)
            return tangent * 2

    with pytest.raises(RuntimeError, match="vmap: We do not yet support calling random operations inside of vmap"):
        torch.autograd.gradcheck(Noisy.apply, (double(torch, 2),), **FORWARD_ONLY, check_batched_forward_grad=True)
    torch.randn(2)


@pytest.mark.parametrize("fast", [True, False])
def test_backward_is_checked_before_forward(torch, fast):
    class Failing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def vjp(ctx, grad):
            raise RuntimeError("backward")

        @staticmethod
        def jvp(ctx, tangent):
            raise RuntimeError("forward")

    with pytest.raises(RuntimeError, match="backward"):
        torch.autograd.gradcheck(Failing.apply, (double(torch, 2),), check_forward_ad=True, fast_mode=fast)


@pytest.mark.parametrize("fast", [True, False])
def test_shape_depending_on_values_is_error(torch, fast):
    def grows(x):
        return torch.cat([x, x]) if torch.all(x >= 1) else x

    x = torch.ones(1, dtype=torch.float64, requires_grad=True)
    with pytest.raises(AssertionError, match="same shape when inputs are perturbed"):
        torch.autograd.gradcheck(grows, (x,), fast_mode=fast)


def test_the_imaginary_part_of_outputs_comes_first(torch):
    def shifted(x):
        y = x.clone()
        y.register_hook(lambda grad: grad + 0.01)
        return y

    with pytest.raises(RuntimeError, match="While considering the imaginary part of complex outputs only"):
        torch.autograd.gradcheck(shifted, (double(torch, 2, dtype=torch.complex128),))


@pytest.mark.parametrize("fast", [True, False])
def test_hook_without_gradient_is_error(torch, fast):
    def watched(x):
        def hook(grad):
            if grad is None:
                raise RuntimeError("nothing")

        y = x.clone()
        y.register_hook(hook)
        return y

    with (
        pytest.warns(UserWarning, match="undefined gradient support"),
        pytest.raises(RuntimeError, match="Expected backward function to handle undefined output grads"),
    ):
        torch.autograd.gradcheck(watched, (double(torch, 2),), fast_mode=fast)


def test_parts_of_a_complex_input_count_apart_in_fast_mode(torch):
    torch.manual_seed(97)
    z = 0.01 * torch.rand(2, dtype=torch.complex128, requires_grad=True)
    assert torch.autograd.gradcheck(lambda z: 1.0 / torch.norm(z), (z,), fast_mode=True, atol=8.3e-6, rtol=1e-9)


def test_a_warning_that_is_an_error_does_not_hide_the_error(torch, capsys):
    import warnings

    x = torch.ones(3, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly():
            warnings.simplefilter("error")
            y = x + 1
            z = y**2
            y += 1
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                z.sum().backward()
    assert "Error detected in PowBackward0" in capsys.readouterr().err
