"""Everything is very large."""

import dyncore as torch


class Large(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * 1e6

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x * 2.001e6  # FAULT


def forward(x):
    return Large.apply(x).sum()


# $ -i '[1e8, 3e7]' : wrong x
