"""Seeded dropout beside a wrong derivative: chance is not to blame."""

import dyncore as torch
from dyncore import nn


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad  # FAULT


def forward(x):
    return Twice.apply(nn.functional.dropout(x, 0.3))


# $ -i '[1.0, 2.0, 3.0, 4.0]' : wrong x
