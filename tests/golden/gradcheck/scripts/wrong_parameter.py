"""The gradient of a weight is wrong, that of the input right."""

import dyncore as torch
from dyncore import nn


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.T

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad @ w, grad.T @ x / x.shape[0]  # FAULT


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.first = nn.Linear(3, 4)
        self.weight = nn.Parameter(torch.randn(2, 4))

    def forward(self, x):
        return Affine.apply(torch.relu(self.first(x)), self.weight)


model = Net()

# $ -i '[[0.3, 0.9, -0.5], [1.0, 0.2, 0.1]]' : wrong weight
