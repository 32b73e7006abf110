"""Right for small values, wrong for large ones: a bound that the derivative does not know of."""

import dyncore as torch


class Soft(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.clamp(x, -3, 3)

    @staticmethod
    def backward(ctx, grad):
        return grad  # FAULT


def forward(x):
    return Soft.apply(x) * 2


# $ -i '[0.5, -0.3]' : right
# $ -i '[0.5, -4.0]' : wrong x
