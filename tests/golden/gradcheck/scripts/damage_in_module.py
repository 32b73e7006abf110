"""A value made with a parameter is changed behind the graph's back."""

import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))

    def forward(self, x):
        y = x * self.weight
        z = y.tanh()
        y.data.mul_(2)  # FAULT
        return (z * y).sum()


model = Net()


# $ -i '[0.4, 0.2]' : wrong x,weight
