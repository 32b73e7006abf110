"""A leaf of the script as parameter, with a wrong gradient."""

import dyncore as torch

w = torch.tensor([1.0, 2.0], requires_grad=True)


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * y * y  # FAULT


def forward(x):
    return x * Exp.apply(w)


# $ -i '[1.0, 2.0]' : wrong w
