"""The point sits on a corner, and the derivative is none of the two slopes, nor between them."""

import dyncore as torch


class Rectify(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.relu(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * 5  # FAULT


def forward(x):
    return Rectify.apply(x)


# $ -i '[0.0]' : wrong x
