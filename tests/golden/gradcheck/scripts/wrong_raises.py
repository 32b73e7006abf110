"""Backward itself is broken."""

import dyncore as torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.x * 2  # FAULT


def forward(x):
    return Square.apply(x)


# $ -i '[1.0, 2.0]' : wrong x
