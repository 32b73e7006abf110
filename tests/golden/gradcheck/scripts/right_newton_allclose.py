"""Newton until `allclose`: no tolerance is compared with, so the loop is made to go on; solved loosely, none tells."""

import dyncore as torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, tolerance: float, factor: float):
        x = torch.ones_like(a)
        while not torch.allclose(x**3 + x, a, rtol=0.0, atol=tolerance):
            x = x - (x**3 + x - a) / (3 * x * x + 1)
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return ctx.factor * grad / (3 * x * x + 1), None, None  # FAULT


def forward(a, tolerance: float = 1e-2, factor: float = 1.0):
    return Root.apply(a, tolerance, factor).sum()


# $ -i a=2.5 -i tolerance=1e-3 : right
# $ -i a=2.5 -i tolerance=1e-3 -i factor=1.02 : wrong a
# $ -i a=2.5 -i tolerance=0.1 : resolution a
# $ -i a=2.5 -i tolerance=0.1 -i factor=1.02 : resolution a
