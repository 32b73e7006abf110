"""Twice differentiable with a wrong mixed derivative only."""

import dyncore as torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad * b.detach(), grad * a  # FAULT


def forward(a, b):
    return Product.apply(a, b)


# $ -i a='[1.0, 2.0]' -i b='[3.0, 4.0]' : right
# $ -i a='[1.0, 2.0]' -i b='[3.0, 4.0]' --order 2 : wrong|detached
