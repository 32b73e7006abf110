"""The derivative of an inner function is part of the model."""

import dyncore as torch


def forward(x):
    y = (x**3).sum()
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    return slope * x


# $ -i '[0.5, 2.0]' : right
