"""Newton until a residual is small: differences show the slope of the last iterate, which more rounds take further."""

import dyncore as torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, tolerance: float, factor: float, term: float):
        x = torch.ones_like(a)
        while (x**3 + x - a).abs().max() > tolerance:
            x = x - (x**3 + x - a) / (3 * x * x + 1)
        ctx.save_for_backward(x)
        ctx.factor, ctx.term = factor, term
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ctx.factor * g / (3 * x * x + ctx.term), None, None, None  # FAULT


def forward(a, tolerance: float, factor: float = 1.0, term: float = 1.0):
    return Root.apply(a, tolerance, factor, term).sum()


# $ -i 'a=[2.2, 5.0]' -i 'tolerance=1e-2' : right
# $ -i 'a=5.0' -i 'tolerance=1e-6' : right
# $ -i 'a=2.0' -i 'tolerance=1e-3' : right
# $ -i 'a=2.0' -i 'tolerance=1e-3' -i 'factor=2.0' : wrong a
# $ -i 'a=5.0' -i 'tolerance=1e-2' -i 'factor=1.1' : wrong a
# $ -i 'a=5.0' -i 'tolerance=1e-2' -i 'factor=-1.0' : wrong a
# $ -i 'a=5.0' -i 'tolerance=1e-2' -i 'term=0.0' : wrong a
