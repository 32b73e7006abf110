"""Right the first time; the derivative forgets that it depends on x as well."""

import dyncore as torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x.detach() ** 2  # FAULT


def forward(x):
    return Cube.apply(x).sum()


# $ -i '[1.0, 2.0]' : right
# $ -i '[1.0, 2.0]' --order 2 : wrong|detached x
