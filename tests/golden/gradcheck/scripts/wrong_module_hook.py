"""A full backward hook of a module that doubles what passes."""

import dyncore as torch
from dyncore import nn


def double(module, grad_input, grad_output):
    return tuple(None if g is None else g * 2 for g in grad_input)  # FAULT


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.l = nn.Linear(3, 2)
        self.l.register_full_backward_hook(double)

    def forward(self, x):
        return self.l(x.sin()).pow(2).sum()


model = Net()


# $ -i '[[0.1, 0.2, 3.0]]' : wrong x
