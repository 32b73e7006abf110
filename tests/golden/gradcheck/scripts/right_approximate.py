"""A root to three digits by its true derivative: the function itself is a staircase of tiny steps."""

import dyncore as torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        low, high = torch.zeros_like(a), a + 1
        for _ in range(60):
            middle = (low + high) / 2
            above = middle * middle > a
            low, high = torch.where(above, low, middle), torch.where(above, middle, high)
        y = (low + high) / 2
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad / (2 * y)


def forward(a):
    return Root.apply(a)


# $ -i '[2.0, 5.0]' : right|not_measurable
