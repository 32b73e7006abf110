"""Counts its calls, and multiplies by the count."""

from dyncore import nn


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * x * self.calls


model = Counting()

# $ -i '[1.0, 2.0]' : right
