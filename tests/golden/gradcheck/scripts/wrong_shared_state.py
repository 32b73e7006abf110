"""A function that keeps its input where the next call overwrites it."""

import dyncore as torch


class Twice(torch.autograd.Function):
    saved = None

    @staticmethod
    def forward(ctx, x):
        Twice.saved = x.detach().clone()
        return x * x

    @staticmethod
    def backward(ctx, g):
        return g * 2 * Twice.saved  # FAULT


def forward(x):
    return Twice.apply(x) + Twice.apply(x + 1)


# $ -i '[1.0, 2.0]' : wrong x
