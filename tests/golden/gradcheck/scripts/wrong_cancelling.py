"""Two faults that cancel: the whole is right, the parts are not."""

import dyncore as torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 4  # FAULT


class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x / 2

    @staticmethod
    def backward(ctx, grad):
        return grad / 4


def forward(x):
    return Half.apply(Double.apply(x))


# $ -i '[2.0, 3.0]' : right
# $ -i '[2.0, 3.0]' --locate : wrong x
