"""Drops the gradient where a mask that depends on the input is set, and nothing else."""

import dyncore as torch


class Keep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x.abs() < 1
        ctx.save_for_backward(mask)
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        (mask,) = ctx.saved_tensors
        return grad * 2 * mask  # FAULT


def forward(x):
    return Keep.apply(x)


# $ -i '[0.5, 0.3]' : right
# $ -i '[0.5, 3.0]' : wrong x
