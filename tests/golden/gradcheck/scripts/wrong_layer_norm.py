"""The derivative of a normalization takes the variance for a constant."""

import dyncore as torch


class Normalize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        centred = x - x.mean(-1, keepdim=True)
        inverse = (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
        ctx.save_for_backward(centred * inverse, inverse)
        return centred * inverse

    @staticmethod
    def backward(ctx, grad):
        _, inverse = ctx.saved_tensors
        return (grad - grad.mean(-1, keepdim=True)) * inverse  # FAULT


def forward(x, weight):
    return Normalize.apply(x) * weight


# $ -i x='[[0.1, 0.2, 0.5], [1.0, 0.3, 0.4]]' -i weight='[1.0, 2.0, -1.0]' : wrong x
