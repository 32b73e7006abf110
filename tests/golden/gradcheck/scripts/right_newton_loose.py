"""Newton's method to 1e-3 and the implicit derivative: they differ by less than the jumps where it stops make."""

import dyncore as torch


class Implicit(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, x):
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (3 * x * x + 1), None


def forward(a):
    with torch.no_grad():
        x = torch.ones_like(a)
        for _ in range(50):
            step = (x**3 + x - a) / (3 * x * x + 1)
            x = x - step
            if step.abs().max() < 1e-3:
                break
    return Implicit.apply(a, x).sum()


# $ -i '[2.0, 5.0]' : right
# $ -i '[2.0, 9.0]' : right
# $ -i '2.0' : right
