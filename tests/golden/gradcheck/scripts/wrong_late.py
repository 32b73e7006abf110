"""A backward that is wrong at the sixtieth of eighty calls on one line."""

import dyncore as torch


class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        ctx.save_for_backward(x)
        return x * x * 0.5 + 0.5

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        if ctx.n == 60:
            return gradient * x * 2, None  # FAULT
        return gradient * x, None


def forward(x):
    for n in range(80):
        x = Step.apply(x, n)
    return x.sum()


# $ -i 0.9 : wrong x
