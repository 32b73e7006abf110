"""Everything is very small, the error as well."""

import dyncore as torch


class Small(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1e-9

    @staticmethod
    def backward(ctx, grad):
        return grad * 1.01e-9  # FAULT


def forward(x):
    return Small.apply(x).sin()


# $ -i '[1e-6, 2.0]' : wrong x
