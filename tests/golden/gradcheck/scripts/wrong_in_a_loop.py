"""A wrong step in a loop whose length depends on the input."""

import dyncore as torch


class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x / 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 0.51  # FAULT


def forward(x):
    steps = 0
    while x.norm() > 1:  # NEAR
        x = Half.apply(x)
        steps += 1
    return x * steps


# $ -i '[10.0, 3.0]' : wrong x
# $ -i '[0.1, 0.3]' : right
