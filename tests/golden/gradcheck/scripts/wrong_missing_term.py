"""The product rule with one of its two terms."""

import dyncore as torch


class Wave(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sin(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.sin(x)  # FAULT


def forward(x):
    return Wave.apply(x * 2)


# $ -i '[0.3, 1.7]' : wrong x
