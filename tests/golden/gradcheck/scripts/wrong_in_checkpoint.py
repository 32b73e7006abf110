"""A wrong function within a reentrant checkpoint."""

from dyncore.utils.checkpoint import checkpoint

import dyncore as torch


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, g):
        return g * 2  # FAULT


def block(x):
    return F.apply(x.sin())


def forward(x):
    return checkpoint(block, x, use_reentrant=True).sum()


# $ -i '[0.5, 1.0]' : wrong x
