"""Off by one part in 3,000."""

import dyncore as torch


class Pi(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3.1415926

    @staticmethod
    def backward(ctx, grad):
        return grad * 3.1425  # FAULT


def forward(x):
    return Pi.apply(x).cos()


# $ -i '[10.0, 0.001]' : wrong x
