"""Dropout that draws another mask for the way back."""

import dyncore as torch


class Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * (torch.rand(x.shape) > 0.5) * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * (torch.rand(grad.shape) > 0.5) * 2  # FAULT


def forward(x):
    return Drop.apply(x)


# $ -i '[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]' : nondeterministic|wrong x
