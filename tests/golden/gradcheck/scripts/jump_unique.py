"""A count of distinct values, taken of a detached copy."""

import dyncore as torch


def forward(x):
    u, _ = torch.unique(x.detach(), return_counts=True)
    return x.sum() * len(u)


# $ -i '[3.0, 1.0, 2.0]' : right
# $ -i '[2.0, 1.0, 2.0]' : jump
