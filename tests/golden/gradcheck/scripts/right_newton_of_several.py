"""Square roots by Newton's method until all are within 1e-3: one decides for the others how often they go round."""

import dyncore as torch


class Sqrt(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        x = a.clone()
        while ((x * x - a).abs() > 1e-3).any():
            x = (x + a / x) / 2
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (2 * x)


def forward(a):
    return Sqrt.apply(a)


# $ -i '[0.5, 2.0]' : right
# $ -i '[0.5, 7.0, 2.0]' : right
