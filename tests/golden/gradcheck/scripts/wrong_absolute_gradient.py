"""A backward that loses the sign of the gradient it is given."""

import dyncore as torch


class Id(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g.abs()  # FAULT


def forward(x):
    return Id.apply(x).sum()


# $ -i '[1.0, 2.0]' : wrong x
