"""A function that has a gradient of zeros for one of its arguments."""

import dyncore as torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x, factor)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        _, factor = ctx.saved_tensors
        return grad * factor, torch.zeros_like(factor)  # FAULT


def forward(x, factor):
    return Scale.apply(x, factor)


# $ -i x='[1.0, 2.0]' -i factor='[3.0, 4.0]' : wrong factor
