"""A hundred inputs, a hundred outputs, one row of the Jacobian wrong."""

import dyncore as torch


class Roll(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.roll(1) * 2

    @staticmethod
    def backward(ctx, grad):
        grad = grad.clone()
        grad[57] = grad[57] * 1.5
        return grad.roll(-1) * 2  # FAULT


def forward(x):
    return Roll.apply(x.reshape(-1).repeat(25)).sin()


# $ -i '[0.2, 0.3, 0.4, 0.5]' : wrong x
