"""A root by bisection whose steps are too coarse for any difference; and a wrong derivative of a finer one."""

import dyncore as torch

STEPS, FACTOR = 25, 2.0


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        lo, hi = torch.zeros_like(a), torch.full_like(a, 4.0)
        for _ in range(STEPS):
            mid = (lo + hi) / 2
            up = mid * mid < a
            lo, hi = torch.where(up, mid, lo), torch.where(up, hi, mid)
        x = (lo + hi) / 2
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (FACTOR * x)


def forward(a, steps: int = 25, factor: float = 2.0):
    global STEPS, FACTOR
    STEPS, FACTOR = steps, factor
    return Root.apply(a).sum()


# $ -i a=2.0 -i steps=6 : resolution a
# $ -i a='[2.0, 3.0]' -i steps=25 : right
# $ -i a=2.0 -i steps=25 -i factor=3.0 : wrong a
# $ -i a=2.0 -i steps=20 -i factor=1.96 : wrong a
# $ -i a=2.0 -i steps=20 -i factor=1e400 : wrong a
