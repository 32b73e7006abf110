"""A projection onto the simplex by bisection: the steps are those of its comparison, though `clamp` decides first."""

import dyncore as torch


class Simplex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor: float):
        lo, hi = x.min() - 1, x.max()
        for _ in range(30):
            mid = (lo + hi) / 2
            up = (x - mid).clamp(min=0).sum() > 1
            lo, hi = torch.where(up, mid, lo), torch.where(up, hi, mid)
        y = (x - (lo + hi) / 2).clamp(min=0)
        ctx.save_for_backward(y)
        ctx.factor = factor
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        inside = (y > 0) * 1.0
        return ctx.factor * inside * (grad - (grad * inside).sum() / inside.sum()), None  # FAULT


def forward(x, factor: float = 1.0):
    return Simplex.apply(x, factor).square().sum()


# $ -i x='[0.5, -0.8, 0.9]' : right
# $ -i x='[0.5, -0.8, 0.9]' -i factor=1.02 : wrong x
