"""One small gradient among three hundred large ones is wrong."""

import dyncore as torch

w = torch.linspace(1, 2, 300).requires_grad_()


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w):
        ctx.save_for_backward(w)
        y = w * w
        y[217] = y[217] * 1e-5
        return y

    @staticmethod
    def backward(ctx, grad):
        (w,) = ctx.saved_tensors
        slope = 2 * w
        slope[217] = slope[217] * 1.01e-5
        return grad * slope  # FAULT


def forward(x):
    return (Scale.apply(w) * x).sum()


# $ -i 2.0 : wrong w
