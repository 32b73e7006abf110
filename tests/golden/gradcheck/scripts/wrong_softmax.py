"""The softmax's derivative without the term that couples the elements."""

import dyncore as torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, -1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y * grad - y * y * grad  # FAULT


def forward(x):
    return (Softmax.apply(x) * torch.tensor([[1.0, 2.0, 3.0]])).sum()


# $ -i '[[0.1, 0.2, 0.5], [1.0, 0.3, 0.4]]' : wrong x
