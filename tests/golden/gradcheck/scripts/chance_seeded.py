"""Dropout in training: another mask each time, the same for a seed."""

import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 8), nn.Dropout(0.5), nn.Tanh(), nn.Linear(8, 1))

# $ -i '[[1.0, 2.0], [0.5, -1.0]]' : right
