"""Right where the argument is positive, wrong where it is not: both in one tensor."""

import dyncore as torch


class Leaky(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, x * 0.1)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, grad, grad * 0.01)  # FAULT


def forward(x):
    return Leaky.apply(x)


# $ -i '[1.0, 2.0]' : right
# $ -i '[1.0, -2.0]' : wrong x
