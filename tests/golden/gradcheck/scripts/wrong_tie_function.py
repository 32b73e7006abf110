"""A tie in the user's own maximum, whose derivative gives both of them everything."""

import dyncore as torch


class Greatest(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.max()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x == x.max()) * 3  # FAULT


def forward(x):
    return Greatest.apply(x)


# $ -i '[1.0, 2.0, 2.0]' : wrong x
# $ -i '[1.0, 2.0, 3.0]' : wrong x
