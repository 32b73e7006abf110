"""A reciprocal off by one part in a thousand, as near to its pole as you like."""

import dyncore as torch


class Reciprocal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return -grad / x**2 * 1.001  # FAULT


def forward(x):
    return Reciprocal.apply(x)


# $ -i 1e-6 : wrong x
# $ -i 1e-12 : wrong x
# $ -i 1e9 : wrong x
