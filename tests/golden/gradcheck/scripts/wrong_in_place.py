"""A function that doubles what it is given, in place, and forgets that backward."""

import dyncore as torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient  # FAULT


def forward(x):
    y = Double.apply(x * 1)
    return (y * y).sum()


# $ -i '[1.0, 2.0]' : wrong x
