"""A root by bisection until the bracket is narrow; a small input, which each step is compared with, is no tolerance."""

import dyncore as torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, width: float, factor: float):
        lo, hi, value = 0.0, 10.0, a.item()
        while hi - lo > width:
            middle = (lo + hi) / 2
            lo, hi = (middle, hi) if middle**3 < value else (lo, middle)
        ctx.root, ctx.factor = (lo + hi) / 2, factor
        return torch.tensor(ctx.root, dtype=a.dtype)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor / (3 * ctx.root**2), None, None  # FAULT


def forward(a, width: float = 1e-3, factor: float = 1.0):
    return Root.apply(a, width, factor)


# $ -i a=2.1 : right
# $ -i a=0.01 -i width=1e-2 -i factor=1.2 : wrong a
# $ -i a=0.01 -i width=1e-2 : right
# $ -i a=2.1 -i factor=0.0 : wrong a
# $ -i a=0.01 -i width=1e-2 -i factor=0.0 : wrong a
