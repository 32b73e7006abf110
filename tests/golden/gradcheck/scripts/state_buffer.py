"""A buffer that counts the calls in place, and is multiplied by: backward needs it as it was at the call."""

import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))
        self.layer = nn.Linear(3, 2)

    def forward(self, x):
        self.calls += 1
        return (self.layer(x) * self.calls).sum()


model = Net()


# $ -i '[0.5, -1.2, 2.0]' : right
# $ -i '[0.5, -1.2, 2.0]' --order 2 : right
