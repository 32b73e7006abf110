"""Several outputs, the derivative of one of them wrong."""

import dyncore as torch


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, first, second):
        (x,) = ctx.saved_tensors
        return first * x.cos() + second * x.sin()  # FAULT


def forward(x):
    sine, cosine = Both.apply(x)
    return {"sine": sine, "cosine": cosine}


# $ -i '[0.3, 0.9]' : wrong x
