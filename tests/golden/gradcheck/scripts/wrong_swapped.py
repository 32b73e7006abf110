"""The two gradients are returned in the wrong order."""

import dyncore as torch


class Multiply(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad * a, grad * b  # FAULT


def forward(a, b):
    return Multiply.apply(a, b).sum()


# $ -i a='[1.0, 2.0]' -i b='[3.0, -4.0]' : wrong a,b
