"""A harmless cut, and a fault of another kind: the cut is not to blame."""

import dyncore as torch


class Squared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x  # FAULT


def forward(x):
    greatest = x.max().detach()
    soft = (x - greatest).exp().sum().log() + greatest
    return Squared.apply(x).sum() + soft


# $ -i '[1.0, 2.0, 0.5]' : wrong x
