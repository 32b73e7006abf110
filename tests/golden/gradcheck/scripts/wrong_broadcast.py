"""The gradient of a broadcast bias is averaged over the rows instead of summed."""

import dyncore as torch
from dyncore import nn


class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bias):
        return x + bias

    @staticmethod
    def backward(ctx, grad):
        return grad, grad.mean(0)  # FAULT


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.tensor([0.1, -0.2]))

    def forward(self, x):
        return Shift.apply(x, self.bias).sigmoid()


model = Net()

# $ -i '[[0.5, 1.0], [2.0, -1.0], [0.0, 0.3]]' : wrong bias
