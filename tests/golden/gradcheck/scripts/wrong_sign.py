"""A minus too few."""

import dyncore as torch


class Cosine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.cos()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x.sin()  # FAULT


def forward(x):
    y = Cosine.apply(x)
    return y * y.exp()


# $ -i '[0.4, 2.0]' : wrong x
