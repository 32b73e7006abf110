"""Weights kept orthogonal in three ways, trained, and assigned."""

import torch
from torch import nn
from torch.nn.utils import parametrizations

torch.manual_seed(0)
for kind in (None, "matrix_exp", "cayley", "householder"):
    for size in ((3, 3), (2, 4), (4, 2)):
        layer = parametrizations.orthogonal(nn.Linear(*size), orthogonal_map=kind)
        print(kind, size, layer.weight, list(layer.state_dict()))
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
        for _ in range(2):
            optimizer.zero_grad()
            layer(torch.ones(1, size[0])).pow(2).sum().backward()
            optimizer.step()
        print(layer.weight)
for name in ("polar", None):
    try:
        parametrizations.orthogonal(nn.BatchNorm1d(2), orthogonal_map=name)
    except ValueError as error:
        print(error)
