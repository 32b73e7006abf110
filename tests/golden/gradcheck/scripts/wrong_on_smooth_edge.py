"""The point sits on a test whose arms are the same function; the arm it takes has a wrong derivative."""

import dyncore as torch


class Squared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x  # FAULT


def forward(x):
    if x >= 2:
        return Squared.apply(x)
    return x * x


# $ -i 2.0 : wrong x
# $ -i 1.9999999999 : right
