"""Wrong on one arm only."""

import dyncore as torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2 * x**2  # FAULT


def forward(x):
    if x.sum() > 0:  # NEAR
        return x**3
    return Cube.apply(x)


# $ -i '[1.0, 2.0]' : right
# $ -i '[1.0, -2.0]' : wrong x
# $ -i '[1e-9, 0.0]' : right
# $ -i '[1.0, -1.0000000000001]' : wrong x
# $ -i '[1.0, -1.0]' : wrong x
