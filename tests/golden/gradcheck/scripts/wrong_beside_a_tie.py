"""A tie in `max` that has nothing to do with the wrong derivative beside it."""

import dyncore as torch


class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, grad):
        return grad  # FAULT


def forward(x, y):
    return Triple.apply(x).sum() + y.max()


# $ -i x='[1.0, 2.0]' -i y='[1.0, 1.0]' : wrong x
