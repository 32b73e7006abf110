"""Truncated in time: the hidden state of each step is cut off from the one before."""

import dyncore as torch
from dyncore import nn

torch.manual_seed(0)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(4, 3)

    def forward(self, xs):
        state = torch.zeros(3)
        for x in xs:
            state = torch.tanh(self.cell(torch.cat([x, state.detach()])))  # FAULT
        return state


model = Recurrent()

# $ -i '[[1.0], [0.5], [-0.4]]' : detached xs,cell.weight,cell.bias
