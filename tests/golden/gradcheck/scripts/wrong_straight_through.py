"""Rounds, and says that it does nothing."""

import dyncore as torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad  # FAULT


def forward(x):
    return Round.apply(x * 4) / 4


# $ -i '[0.3, 0.9]' : wrong x
