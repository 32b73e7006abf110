"""Straight-through and reversed gradients."""

import torch


class STE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).float()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 1).float()


x = torch.linspace(-2, 2, 5, requires_grad=True)
y = STE.apply(x)
print(y)
y.sum().backward()
print(x.grad)


class GradRev(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, l):
        ctx.l = l
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return (g.neg() * ctx.l, None)


x.grad = None
GradRev.apply(x, 0.5).pow(2).sum().backward()
print(x.grad)
