"""The product's derivative with respect to x lacks a transpose."""

import dyncore as torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad @ w, x.T @ grad  # FAULT


def forward(x, w):
    return Product.apply(x, w).tanh()


# $ -i x='[[0.1, 0.2], [0.3, 0.4]]' -i w='[[1.0, 2.0], [-1.0, 0.5]]' : wrong x
