"""Batch normalization in training: statistics that each call moves."""

import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Tanh())

# $ -i '[[1.0, 2.0], [0.5, -1.0], [0.1, 0.7]]' : right
