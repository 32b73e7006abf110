"""A wrong function three modules deep, called twice."""

import dyncore as torch
from dyncore import nn

torch.manual_seed(0)


class Gelu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(1.702 * x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(1.702 * x)
        return grad * (s + x * s * (1 - s))  # FAULT


class Activation(nn.Module):
    def forward(self, x):
        return Gelu.apply(x)


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(size, size, bias=False), Activation())
        self.norm = nn.LayerNorm(size)

    def forward(self, x):
        return self.norm(x + self.inner(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(3), Block(3)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x.mean(0)


model = Net()

# $ -i '[[0.1, 0.2, 0.5], [1.0, 0.3, 0.4]]' : wrong
