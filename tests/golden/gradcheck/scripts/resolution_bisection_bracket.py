"""A root by bisection whose bracket moves with the input: its pieces have a slope, which is not the root's."""

import dyncore as torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, factor: float):
        with torch.no_grad():
            lo, hi = torch.zeros_like(a), a + 1
            for _ in range(20):
                mid = (lo + hi) / 2
                up = mid**3 + mid < a
                lo, hi = torch.where(up, mid, lo), torch.where(up, hi, mid)
            x = (lo + hi) / 2
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ctx.factor * g / (3 * x * x + 1), None  # FAULT


def forward(a, factor: float = 1.0):
    return Root.apply(a, factor).sum()


# $ -i a=2.0 : resolution a
# $ -i a=2.0 -i factor=2.0 : wrong a
# $ -i a=2.0 -i factor=-1.0 : wrong a
