"""A parameter clamped by its data inside the call."""

import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))

    def forward(self, x):
        self.w.data.clamp_(-0.5, 0.5)  # FAULT
        return x * self.w


model = Net()


# $ -i '[0.1, 0.7]' : wrong w
