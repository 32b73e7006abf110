"""A square root by Newton's method to 1e-3, and a gradient that is 0.2 % off: more than its stopping explains."""

import dyncore as torch


class Sqrt(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, factor: float):
        x = torch.tensor(1.0)
        while (x * x - a).abs() > 1e-3:
            x = 0.5 * (x + a / x)
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ctx.factor * g / (2 * x), None  # FAULT


def forward(a, factor: float):
    return Sqrt.apply(a, factor)


# $ -i 'a=2.0' -i 'factor=1.0' : right
# $ -i 'a=7.0' -i 'factor=1.0' : right
# $ -i 'a=2.0' -i 'factor=1.002' : wrong a
# $ -i 'a=7.0' -i 'factor=1.002' : wrong a
# $ -i 'a=7.0' -i 'factor=-1.0' : wrong a
# $ -i 'a=2.0' -i 'factor=0.5' : wrong a
