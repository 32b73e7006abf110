"""The same with a derivative that is wrong by a third."""

import dyncore as torch


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin() + 3e11

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x.cos() * 1.5  # FAULT


def forward(x):
    return Sine.apply(x)


# $ -i '[0.5, 1.0]' : wrong x
