"""Forward mode: through gradients, through custom functions, its switches and its refusals."""

from __future__ import annotations

from tests.parity.autograd.same import err


def tangents_of_gradients(torch):
    """A gradient taken inside a level has a tangent: a Hessian times a vector."""
    forward = torch.autograd.forward_ad
    found = []
    for function in (
        lambda x: (x**3).sum(),
        lambda x: (x.sin() * x.exp()).mean(),
        lambda x: (x @ x.t()).tanh().sum(),
        lambda x: torch.softmax(x, 0)[0].sum(),
        lambda x: (torch.nn.functional.layer_norm(x, (3,)) ** 3)[1].cumsum(0).sum(),
        lambda x: torch.cat([x, x * 2]).cumsum(0).logsumexp(1).sum(),
    ):
        x = torch.linspace(0.1, 1.0, 9, dtype=torch.float64).reshape(3, 3).requires_grad_()
        with forward.dual_level():
            dual = forward.make_dual(x, torch.linspace(-1.0, 1.0, 9, dtype=torch.float64).reshape(3, 3))
            for create in (False, True):
                (grad,) = torch.autograd.grad(function(dual), dual, create_graph=create)
                found.append(forward.unpack_dual(grad).tangent.detach() + 0.0)
            (grad,) = torch.autograd.grad(function(dual), x)
            found.append(forward.unpack_dual(grad).tangent + 0.0)
    return found


def forces_of_an_energy(torch):
    """A model that takes a gradient on its way, differentiated forward and then backward by its parameters."""
    forward = torch.autograd.forward_ad
    layer = torch.nn.Linear(3, 4, dtype=torch.float64)

    def force(x):
        return -torch.autograd.grad(layer(x).tanh().sum(), x, create_graph=True)[0]

    place = torch.tensor([0.3, -0.2, 0.9], dtype=torch.float64, requires_grad=True)
    with forward.dual_level():
        dual = forward.make_dual(place, torch.tensor([1.0, 0.5, -2.0], dtype=torch.float64))
        value, rate = forward.unpack_dual(force(dual))
        rate.sum().backward()
    return [value.detach(), rate.detach(), layer.weight.grad, layer.bias.grad, place.grad]


def backward_inside_a_level(torch):
    """What a leaf keeps in `.grad` begins without a tangent, and is added to in place."""
    forward = torch.autograd.forward_ad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with forward.dual_level():
        dual = forward.make_dual(x, torch.ones(2))
        (dual**2).sum().backward()
        first, tangent = x.grad, forward.unpack_dual(x.grad).tangent
        (dual**2).sum().backward()
        return [first is x.grad, tangent, x.grad.tolist()]


def tangents_of_cotangents(torch):
    """A tangent of the gradient a backward starts from arrives with the gradients."""
    forward = torch.autograd.forward_ad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with forward.dual_level():
        start = forward.make_dual(torch.tensor([1.0, 1.0]), torch.tensor([0.5, -1.0]))
        (grad,) = torch.autograd.grad(x**2, x, start)
        return forward.unpack_dual(grad)


def the_switch(torch):
    """Forward mode can be switched off and on, inside a level and outside."""
    forward = torch.autograd.forward_ad
    found = [forward._is_fwd_grad_enabled(), forward._current_level]
    with forward.dual_level():
        dual = forward.make_dual(torch.tensor(2.0), torch.tensor(1.0))
        for enabled in (True, False):
            with forward._set_fwd_grad_enabled(enabled):
                found += [forward._is_fwd_grad_enabled(), forward.unpack_dual(dual * 3).tangent]
        found += [forward._current_level, forward.unpack_dual(dual * 3).tangent]
    torch._C._set_fwd_grad_enabled(False)
    found.append(forward._is_fwd_grad_enabled())
    torch._C._set_fwd_grad_enabled(True)
    return [*found, forward._is_fwd_grad_enabled(), forward._current_level]


def refused(torch):
    """A tangent that is dual itself, and `out=` with a dual on either side."""
    forward = torch.autograd.forward_ad
    with forward.dual_level():
        dual, plain = forward.make_dual(torch.ones(2), torch.ones(2)), torch.ones(2)
        return [
            err(lambda: forward.make_dual(plain, dual)),
            err(lambda: torch.add(plain, plain, out=dual)),
            err(lambda: torch.add(dual, plain, out=plain)),
        ]


def tangents_that_a_custom_function_returns(torch):
    """What `jvp` may return: nothing for an output without gradient, a written tangent for a written input, a view."""
    forward = torch.autograd.forward_ad

    class Fixed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, give):
            ctx.give = give
            other = x.clone()
            ctx.mark_non_differentiable(other)
            return x * 2, other

        @staticmethod
        def jvp(ctx, tangent, _):
            return tangent * 2, tangent if ctx.give else None

    class Written(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, write):
            ctx.write = write
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def jvp(ctx, tangent, _):
            return tangent.mul_(2) if ctx.write else tangent

    class Part(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, how):
            ctx.how = how
            return x[:1]

        @staticmethod
        def jvp(ctx, tangent, _):
            part = tangent[:1]
            return {"view": part, "copy": part.clone(), "other": part.clone()[:]}[ctx.how]

    def run(function, *given, nested=False):
        with forward.dual_level():
            dual = forward.make_dual(torch.ones(2), torch.ones(2))
            made = function.apply(dual[:] if nested else dual, *given)
            made = made if isinstance(made, tuple) else (made,)
            return [forward.unpack_dual(each).tangent for each in made]

    found = [err(lambda give=give: run(Fixed, give)) for give in (False, True)]
    found += [err(lambda write=write: run(Written, write)) for write in (True, False)]
    found += [err(lambda how=how: run(Part, how)) for how in ("view", "copy", "other")]
    return [*found, err(lambda: run(Part, "other", nested=True))]


def saved_for_backward_alone(torch):
    """`jvp` sees what was saved for forward, not what was saved for backward."""
    forward = torch.autograd.forward_ad
    found = []

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, keep):
            ctx.save_for_backward(x)
            if keep:
                ctx.save_for_forward(x, x)
            return x * 2

        @staticmethod
        def jvp(ctx, tangent, _):
            found.append(len(ctx.saved_tensors))
            return tangent * 2

    with forward.dual_level():
        for keep in (False, True):
            Function.apply(forward.make_dual(torch.ones(1), torch.ones(1)), keep)
    return found


def a_tangent_for_an_imaginary_part(torch):
    """A tangent is laid out like the part of complex memory its primal looks at."""
    forward = torch.autograd.forward_ad
    primal = torch.ones(3, 2, dtype=torch.complex64).imag
    with forward.dual_level():
        dual = forward.make_dual(primal, torch.arange(6.0).reshape(3, 2))
        return forward.unpack_dual(dual[1:])


def tangents_after_many_calls(torch):
    """An op that is called often runs by a text of its own, which carries tangents as well."""
    forward = torch.autograd.forward_ad
    for _ in range(40):
        x = torch.linspace(0.1, 1.0, 4).reshape(2, 2).requires_grad_()
        with forward.dual_level():
            dual = forward.make_dual(x, torch.ones(2, 2) + x.detach())
            energy = (torch.softmax(dual, 1).pow(3).sum(1) * torch.cumsum(dual, 0)[1]).sum() + dual.var()
            (grad,) = torch.autograd.grad(energy, dual)
            tangent = forward.unpack_dual(grad).tangent
    return tangent
