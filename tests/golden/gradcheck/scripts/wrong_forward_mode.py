"""Backward is right; forward mode, by the user's own `jvp`, is not."""

import dyncore as torch


class Squared(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2 * x

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return tangent * x  # FAULT


def forward(x):
    return Squared.apply(x)


# $ -i '[2.0, 3.0]' : wrong x
