"""A root by bisection whose bracket moves with the input: its pieces have a slope, which is not the root's."""

import dyncore as torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, factor: float, steps: int, local: float):
        with torch.no_grad():
            lo, hi = torch.zeros_like(a), a + 1
            for _ in range(steps):
                mid = (lo + hi) / 2
                up = mid**3 + mid < a
                lo, hi = torch.where(up, mid, lo), torch.where(up, hi, mid)
            x = (lo + hi) / 2
            slope = x / (a + 1)
        ctx.save_for_backward(x, slope)
        ctx.factor, ctx.local = factor, local
        return x

    @staticmethod
    def backward(ctx, g):
        x, slope = ctx.saved_tensors
        return g * (ctx.factor / (3 * x * x + 1) + ctx.local * slope), None, None, None  # FAULT


def forward(a, factor: float = 1.0, steps: int = 20, local: float = 0.0):
    return Root.apply(a, factor, steps, local).sum()


# $ -i a=2.0 : right
# $ -i a=2.0 -i steps=12 -i factor=0.0 -i local=1.0 : wrong a
# $ -i a=2.0 -i steps=6 : resolution a
# $ -i a=2.0 -i steps=12 : right
# $ -i a=2.0 -i steps=12 -i factor=1.02 : wrong a
# $ -i a=2.0 -i factor=2.0 : wrong a
# $ -i a=2.0 -i factor=-1.0 : wrong a
# $ -i a=3.3 -i steps=40 -i factor=0.0 -i local=1.0 : wrong a
