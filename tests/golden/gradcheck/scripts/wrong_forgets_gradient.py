"""A backward that leaves out the gradient it is given: right wherever that is one."""

import dyncore as torch


class Sq(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x * x).sum()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x  # FAULT


def forward(x):
    return Sq.apply(x)


# $ -i '[1.0, 2.0]' : wrong x
