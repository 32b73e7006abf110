"""Slices, transposes, stacks and assignments."""

import dyncore as torch


def forward(x):
    y = torch.zeros(2, 3)
    y[:, 1] = x[0]
    y[0, :2] = x[1, :2] * 2
    return torch.stack([y.T.reshape(-1), y.flatten()]).prod(0)


# $ -i '[[0.5, 2.0], [0.3, 0.7]]' : right
