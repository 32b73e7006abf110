"""A factor of 2 is missing in the derivative of a square."""

import dyncore as torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x  # FAULT


def forward(x):
    return (Square.apply(x) + x.sin()).sum()


# $ -i '[1.0, -2.0, 0.5]' : wrong x
