"""Wrong for one element of many only."""

import dyncore as torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, grad):
        result = grad * 3
        result[..., 4] = 0
        return result  # FAULT


def forward(x):
    return Scale.apply(x).exp()


# $ -i '[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]' : wrong x
