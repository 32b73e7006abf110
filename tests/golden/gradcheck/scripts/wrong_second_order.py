"""Right the first time, wrong the second: the derivative of the derivative lacks a factor."""

import dyncore as torch


class Slope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad, x):
        ctx.save_for_backward(grad, x)
        return grad * 3 * x**2

    @staticmethod
    def backward(ctx, grad):
        first, x = ctx.saved_tensors
        return grad * 3 * x**2, grad * first * 3 * x  # FAULT


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return Slope.apply(grad, x)


def forward(x):
    return Cube.apply(x).sum()


# $ -i '[1.0, 2.0]' : right
# $ -i '[1.0, 2.0]' --order 2 : wrong x
