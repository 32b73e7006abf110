"""A gradient a million times smaller than its neighbour's is off by a tenth."""

import dyncore as torch


class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return (x * torch.tensor([1.0, 1e-6])).sum()

    @staticmethod
    def backward(ctx, grad):
        return grad * torch.tensor([1.0, 1.1e-6])  # FAULT


def forward(x):
    return Pair.apply(x).exp()


# $ -i '[0.5, 1.0]' : wrong x
