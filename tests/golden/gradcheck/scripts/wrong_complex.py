"""The derivative of a complex product lacks a conjugate."""

import dyncore as torch


class Squared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z * z

    @staticmethod
    def backward(ctx, grad):
        (z,) = ctx.saved_tensors
        return grad * 2 * z  # FAULT


def forward(x, y):
    z = torch.complex(x, y)
    return Squared.apply(z).real


# $ -i x='[0.5, 1.0]' -i y='[2.0, -0.3]' : wrong y|x,y
