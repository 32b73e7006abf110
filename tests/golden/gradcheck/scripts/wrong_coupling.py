"""Each element is multiplied with the sum of all; the derivative forgets what the sum does."""

import dyncore as torch


class Share(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sum()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x.sum()  # FAULT


def forward(x):
    return Share.apply(x)


# $ -i '[0.3, 0.9, -0.5]' : wrong x
