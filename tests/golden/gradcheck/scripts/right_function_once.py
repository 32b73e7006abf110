"""The user's own function, which may be differentiated once only."""

import dyncore as torch
from dyncore.autograd.function import once_differentiable


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2 * x


def forward(x):
    return Square.apply(x)


# $ -i '[0.5, 1.0]' : right
# $ -i '[0.5, 1.0]' --order 2 : detached|not_applicable
